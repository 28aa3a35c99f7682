package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"anyurl/find"
	"anyurl/find/format"
)

// A reading is how documents are read for the URLs in them.
type reading struct {
	as      string // "" and auto: by name and content
	code    bool
	nesting int
	members int

	unpacked, document size
}

// defaultReading is what the flags say when none is given.
func defaultReading() reading {
	return reading{nesting: 8, members: 100_000, unpacked: 1 << 30, document: 256 << 20}
}

// flags lays out the flags that say it.
func (r *reading) flags(cmd *cobra.Command) {
	otherwise := defaultReading()
	cmd.Flags().StringVar(&r.as, "format", "auto", "read sources as this `FORMAT`: "+strings.Join(formats(), ", ")+"; auto tells by name and content")
	complete(cmd, "format", formats()...)
	codeFlag(cmd, &r.code)
	numberFlag(cmd, &r.nesting, "max-nesting", otherwise.nesting, 1, 1000, "open archives and messages within each other to this `DEPTH`")
	numberFlag(cmd, &r.members, "max-members", otherwise.members, 1, 1<<30, "open at most this `NUMBER` of members of a source's archives")
	r.unpacked, r.document = otherwise.unpacked, otherwise.document
	cmd.Flags().Var(&r.unpacked, "max-unpacked", "unpack at most this `SIZE` from a source: octets, or with K, M or G behind")
	cmd.Flags().Var(&r.document, "max-document", "hold a document of at most this `SIZE` in memory; plain text is held to none, and what is larger is read as plain text")
}

// reads are the names of the flags.
var reads = []string{"format", "code", "max-nesting", "max-members", "max-unpacked", "max-document"}

// check says what is wrong with it.
func (r *reading) check() error { return oneOf("--format", r.as, formats()...) }

// finder is what reads sources so.
func (r *reading) finder(relaxed bool) format.Finder {
	as := r.as
	if as == "auto" {
		as = ""
	}
	return format.Finder{Format: as, Code: r.code, Options: find.Options{Relaxed: relaxed}, Limits: format.Limits{
		Depth: r.nesting, Entries: r.members, Expanded: limit(r.unpacked), Document: limit(r.document),
	}}
}

// limit is a size as the library takes it, to which zero is no limit of its own.
func limit(s size) int64 {
	if s == 0 {
		return -1
	}
	return int64(s)
}

func codeFlag(cmd *cobra.Command, code *bool) {
	cmd.Flags().BoolVar(code, "code", false, "read code in markup, too: blocks and spans, pre, code, kbd, samp, textarea, scripts")
}
