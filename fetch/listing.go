package fetch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxListing bounds a listing, which is read whole, whatever MaxBody says.
const maxListing = 32 << 20

// ReadListing reads a listing whole, for a transport that takes it apart. It
// is bounded by MaxBody, by MaxListing and by 32 MiB.
func ReadListing(r io.Reader, limits Limits) ([]byte, error) {
	limit := int64(maxListing)
	if limits.MaxListing > 0 {
		limit = min(limit, limits.MaxListing)
	}
	if limits.MaxBody >= 0 && limits.MaxBody < limit {
		limit = limits.MaxBody
	}
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if n > limit {
		return nil, &Error{Step: Limit, Kind: ErrTooLarge, Err: fmt.Errorf("the listing is %w of %d octets", ErrTooLarge, limit)}
	}
	return b.Bytes(), err
}

// CheckEntries returns an *[Error] when a listing has more entries than allowed.
func CheckEntries(n int, limits Limits) error {
	if Over(n, limits.MaxEntries) {
		return &Error{Step: Limit, Kind: ErrTooLarge, Err: fmt.Errorf("the listing has more than %d entries", limits.MaxEntries)}
	}
	return nil
}

// Line is an entry's name as it stands on a line of a listing: quoted where it
// holds what a line cannot.
func Line(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// ListingType is the media type of a listing that a gateway hands on to a program
// that asks for it by this name: JSON Lines, an entry a line, as [WriteEntries]
// writes them.
const ListingType = "application/vnd.anyurl.listing"

// An entryLine is an entry on its way, with the line that it came from; that may be
// in any character set.
type entryLine struct {
	Entry
	Raw []byte `json:"raw,omitempty"`
}

// WriteEntries writes a listing as [ListingType] says.
func WriteEntries(w io.Writer, entries []Entry) error {
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	for _, e := range entries {
		if err := to.Encode(entryLine{e, []byte(e.Raw)}); err != nil {
			return err
		}
	}
	return nil
}

// ReadEntries reads a listing that is written so.
func ReadEntries(text []byte, limits Limits) (entries []Entry, err error) {
	from := json.NewDecoder(bytes.NewReader(text))
	for from.More() {
		var line entryLine
		if err := from.Decode(&line); err != nil {
			return nil, &Error{Step: Status, Err: fmt.Errorf("the listing that the gateway hands on: %w", err)}
		}
		line.Entry.Raw = string(line.Raw)
		entries = append(entries, line.Entry)
		if err := CheckEntries(len(entries), limits); err != nil {
			return nil, err
		}
	}
	return entries, nil
}
