package find

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkCorpus measures on the files of the folder that FIND_CORPORA names.
func BenchmarkCorpus(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("FIND_CORPORA"), "*.txt"))
	if os.Getenv("FIND_CORPORA") == "" || len(files) == 0 {
		b.Skip("FIND_CORPORA names no folder with corpora")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		text := string(data)
		for _, mode := range []struct {
			name string
			opts Options
		}{{"schemed", Options{}}, {"all", Options{Relaxed: true}}} {
			b.Run(mode.name+"/"+filepath.Base(file), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				n := 0
				for b.Loop() {
					n = 0
					for range Text(text, mode.opts) {
						n++
					}
				}
				b.ReportMetric(float64(n), "matches")
			})
			b.Run(mode.name+"/scanner/"+filepath.Base(file), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					for s := NewScanner(bytes.NewReader(data), mode.opts); s.Scan(); {
						s.Found()
					}
				}
			})
		}
	}
}
