// Command gen writes internal/idn/tables.go: the scripts of code points, which
// of them UTS 39 allows in identifiers, and which look like ASCII.
//
// It reads what internal/domain/gen/dump.mjs wrote, and two files of the
// source of ICU 72 as Debian has it, whose UTS 39 data is that of Unicode 15:
//
//	apt-get source --download-only icu=72.1-3+deb12u1
//	tar xzf icu_72.1.orig.tar.gz icu/source/data/unidata/confusables.txt icu/source/i18n/uspoof.cpp
//	go run ./internal/idn/gen -ucd ucd17.txt -icu icu/source
//
// The same input gives the same bytes. The build needs neither this command
// nor its sources.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	ucd := flag.String("ucd", "ucd17.txt", "what internal/domain/gen/dump.mjs wrote")
	icu := flag.String("icu", "icu/source", "the source folder of ICU 72")
	out := flag.String("out", "internal/idn/tables.go", "the file to write")
	flag.Parse()
	d := &data{
		valid: set{}, allowed: set{}, digit: set{}, mark: set{}, ideograph: set{},
		scripts: map[int]uint64{}, looks: map[int]string{},
	}
	if err := d.readUCD(*ucd); err != nil {
		log.Fatal(err)
	}
	if err := d.readAllowed(filepath.Join(*icu, "i18n", "uspoof.cpp")); err != nil {
		log.Fatal(err)
	}
	if err := d.readConfusables(filepath.Join(*icu, "data", "unidata", "confusables.txt")); err != nil {
		log.Fatal(err)
	}
	src, err := d.source()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, src, 0o666); err != nil {
		log.Fatal(err)
	}
}

type set map[int]bool

type data struct {
	sources                                []string
	valid, allowed, digit, mark, ideograph set
	scripts                                map[int]uint64
	looks                                  map[int]string
}

// scripts are those that get a bit: the recommended ones (UAX 31, table 5),
// then others whose letters are known to look like Latin ones. All the rest
// share the bit "Other".
var scripts = strings.Fields(`
	Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew
	Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan
	Adlam Canadian_Aboriginal Cherokee Coptic Deseret Lisu Nko Osage Syriac Tifinagh Vai Yi
	Other
`)

func bit(script string) uint64 {
	i := slices.Index(scripts, script)
	if i < 0 {
		i = slices.Index(scripts, "Other")
	}
	return 1 << i
}

func (d *data) readUCD(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	common := set{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), ";")
		if fields[0] == "source" {
			d.sources = append(d.sources, fields[1])
			continue
		}
		value := fields[3]
		for c := number(fields[1]); c <= number(fields[2]); c++ {
			switch fields[0] {
			case "idna":
				d.valid[c] = value == "valid" || value == "deviation"
			case "gc":
				switch value {
				case "Decimal_Number":
					d.digit[c] = true
				case "Nonspacing_Mark":
					d.mark[c] = true
				case "Other_Letter":
					d.ideograph[c] = c >= 0x20000
				}
			case "scx":
				if value == "Common" || value == "Inherited" {
					common[c] = true
				} else {
					d.scripts[c] |= bit(value)
				}
			}
		}
	}
	for c := range common {
		d.scripts[c] = 0 // any script
	}
	return lines.Err()
}

// readAllowed reads the sets of recommended characters and of those for
// inclusion (UTS 39, table 1: Identifier_Status Allowed). Unified ideographs
// that are younger than the sets belong to a recommended script and count too.
func (d *data) readAllowed(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for _, pattern := range []string{"inclusionPat", "recommendedPat"} {
		_, rest, ok := strings.Cut(string(text), pattern+" =")
		body, _, end := strings.Cut(rest, ";")
		if !ok || !end {
			return fmt.Errorf("%s has no %s", name, pattern)
		}
		var b strings.Builder
		for _, m := range regexp.MustCompile(`u"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(body, -1) {
			b.WriteString(m[1])
		}
		var list []int
		var dash []bool
		s := strings.Trim(b.String(), "[]")
		for len(s) > 0 {
			isDash := s[0] == '-'
			c, n := int(s[0]), 1
			switch {
			case strings.HasPrefix(s, `\\u`):
				c, n = number(s[3:7]), 7
			case strings.HasPrefix(s, `\\U`):
				c, n = number(s[3:11]), 11
			case strings.HasPrefix(s, `\\`):
				c, n = int(s[2]), 3
			}
			list, dash, s = append(list, c), append(dash, isDash), s[n:]
		}
		for i := 0; i < len(list); i++ {
			if i+2 < len(list) && dash[i+1] {
				for c := list[i]; c <= list[i+2]; c++ {
					d.allowed[c] = true
				}
				i += 2
			} else {
				d.allowed[list[i]] = true
			}
		}
	}
	d.sources = append(d.sources, "ICU 72.1 (Debian source 72.1-3+deb12u1), source/i18n/uspoof.cpp: allowed identifiers of UTS 39, Unicode 15")
	for c := 0x2EBF0; c < 0x33500; c++ { // CJK extensions I (15.1) and J (17.0), not the compatibility ideographs
		if d.ideograph[c] && d.valid[c] && d.scripts[c] == bit("Han") && (c < 0x2F800 || c > 0x2FA1F) {
			d.allowed[c] = true
		}
	}
	return nil
}

// readConfusables keeps what looks like ASCII once marks are dropped.
func (d *data) readConfusables(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimPrefix(lines.Text(), "\uFEFF")
		fields := strings.Split(line, ";")
		if strings.HasPrefix(line, "#") || len(fields) < 3 {
			continue
		}
		c := number(strings.TrimSpace(fields[0]))
		var to strings.Builder
		ascii := true
		for f := range strings.FieldsSeq(fields[1]) {
			t := number(f)
			switch {
			case d.mark[t] || t == 0x335 || t == 0x338:
			case t < 0x80:
				to.WriteByte(byte(t))
			default:
				ascii = false
			}
		}
		if s := strings.ToLower(to.String()); ascii && c >= 0x80 && d.valid[c] && regexp.MustCompile(`^[a-z0-9./-]+$`).MatchString(s) {
			d.looks[c] = s
		}
	}
	d.sources = append(d.sources, "the same, source/data/unidata/confusables.txt (UTS 39, Unicode 15)")
	return lines.Err()
}

func number(s string) int {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		log.Fatal(err)
	}
	return int(n)
}

type record struct {
	scripts              uint64
	allowed, digit, mark bool
}

const planes = 0x33500

func (d *data) source() ([]byte, error) {
	records := []record{{}} // record 0 is for all that is not valid in a label
	known := map[record]uint16{{}: 0}
	var ranges []uint16
	var blockStart []int
	var blockIndex []int
	blocks := map[string]int{}
	for base := 0; base < planes; base += 256 {
		var list []uint16
		for low := range 256 {
			c := base + low
			var r record
			if d.valid[c] {
				r = record{d.scripts[c], d.allowed[c], d.digit[c], d.mark[c]}
			}
			n, ok := known[r]
			if !ok {
				n = uint16(len(records))
				known[r] = n
				records = append(records, r)
			}
			if k := len(list); k > 0 && list[k-1]&0xFF == n {
				list[k-1] = uint16(low)<<8 | n
			} else {
				list = append(list, uint16(low)<<8|n)
			}
		}
		key := fmt.Sprint(list)
		n, ok := blocks[key]
		if !ok {
			n = len(blockStart)
			blocks[key] = n
			blockStart = append(blockStart, len(ranges))
			ranges = append(ranges, list...)
		}
		blockIndex = append(blockIndex, n)
	}
	blockStart = append(blockStart, len(ranges))
	if len(records) > 256 || len(blockStart) > 256 {
		log.Fatalf("%d records and %d blocks are more than bytes count", len(records), len(blockStart))
	}

	var one []int
	var more []int
	for c, s := range d.looks {
		if len(s) == 1 {
			one = append(one, c<<8|int(s[0]))
		} else {
			more = append(more, c)
		}
	}
	slices.Sort(one)
	slices.Sort(more)

	var b bytes.Buffer
	b.WriteString("// Code generated by internal/idn/gen. DO NOT EDIT.\n//\n// Sources:\n")
	for _, s := range d.sources {
		b.WriteString("//   - " + s + "\n")
	}
	size := len(ranges)*2 + len(blockStart)*2 + len(blockIndex) + len(records)*16 + len(one)*4 + len(more)*24
	fmt.Fprintf(&b, "//\n// The tables take %d bytes.\n\npackage idn\n\nconst planes = %#x\n\n", size, planes)

	b.WriteString("// The scripts that are told apart.\nconst (\n")
	for i, s := range scripts {
		name := strings.ToLower(s[:1]) + strings.ReplaceAll(s[1:], "_", "")
		if i == 0 {
			name += " scripts = 1 << iota"
		}
		b.WriteString(name + "\n")
	}
	b.WriteString(")\n\nvar scriptNames = [...]string{")
	for i, s := range scripts {
		if i%8 == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%q,", strings.ReplaceAll(s, "_", " "))
	}
	b.WriteString("\n}\n\nvar records = [...]record{\n")
	for _, r := range records {
		var flags []string
		for _, f := range []struct {
			on   bool
			name string
		}{{r.allowed, "allowed"}, {r.digit, "digit"}, {r.mark, "mark"}} {
			if f.on {
				flags = append(flags, f.name)
			}
		}
		fmt.Fprintf(&b, "{scripts: %#x", r.scripts)
		if len(flags) > 0 {
			b.WriteString(", flags: " + strings.Join(flags, "|"))
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n")
	list := func(name, typ string, values []int) {
		fmt.Fprintf(&b, "var %s = [...]%s{", name, typ)
		for i, v := range values {
			if i%16 == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%#x,", v)
		}
		b.WriteString("\n}\n\n")
	}
	list("blockIndex", "uint8", blockIndex)
	list("blockStart", "uint16", blockStart)
	wide := make([]int, len(ranges))
	for i, r := range ranges {
		wide[i] = int(r)
	}
	list("ranges", "uint16", wide)
	b.WriteString("// looksOne holds code points that look like one of ASCII: the code point, then the byte.\n")
	list("looksOne", "uint32", one)
	b.WriteString("// looksMore holds those that look like several.\nvar looksMore = [...]struct {\nc rune\nto string\n}{\n")
	for _, c := range more {
		fmt.Fprintf(&b, "{%#x, %q},\n", c, d.looks[c])
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}
