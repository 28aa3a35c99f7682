package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestSameBytes: the lists that are checked in give the tables that are.
func TestSameBytes(t *testing.T) {
	for _, tt := range []struct {
		generate    func(from, to string) error
		list, table string
	}{
		{schemes, "uri-schemes.csv", "schemes_table.go"},
		{tlds, "tlds.txt", "tlds_table.go"},
	} {
		out := filepath.Join(t.TempDir(), tt.table)
		if err := tt.generate(filepath.Join("..", "data", tt.list), out); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", tt.table))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what data/%s gives: run go generate ./internal/iana", tt.table, tt.list)
		}
	}
}

// TestDecode takes samples of RFC 3492, section 7.1, and of the root zone.
func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		"p1ai":                     "рф",
		"fiqs8s":                   "中国",
		"ihqwcrb4cv8a8dqg056pqjye": "他们为什么不说中文",
		"mgberp4a5d4ar":            "السعودية",
		"bcher-kva":                "bücher",
	} {
		if got, err := decode(in); got != want || err != nil {
			t.Errorf("decode(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, bad := range []string{"a-!", "99999999"} {
		if got, err := decode(bad); err == nil {
			t.Errorf("decode(%q) = %q", bad, got)
		}
	}
}
