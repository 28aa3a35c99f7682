package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/report"
)

// An entryJSON is a line of a listing, for programs.
type entryJSON struct {
	Name string     `json:"name"`
	URL  string     `json:"url,omitempty"`
	Type string     `json:"type"`
	Size *int64     `json:"size"`
	Time *time.Time `json:"time,omitempty"`
}

func entriesOf(r *fetch.Result) (list []entryJSON) {
	for _, e := range r.Entries {
		j := entryJSON{Name: e.Name, URL: e.URL, Type: e.Type}
		if e.Size >= 0 {
			j.Size = &e.Size
		}
		if !e.Time.IsZero() {
			j.Time = &e.Time
		}
		list = append(list, j)
	}
	return list
}

// listing writes a listing as a table for people, or as JSON Lines.
func (c *call) listing(r *fetch.Result, as string) (io.Reader, error) {
	var b bytes.Buffer
	if as == "json" {
		for _, e := range entriesOf(r) {
			if err := report.WriteJSON(&b, e); err != nil {
				return nil, err
			}
		}
		return &b, nil
	}
	types, sizes := 0, 0
	for _, e := range r.Entries {
		types, sizes = max(types, len(e.Type)), max(sizes, len(sizeWords(e.Size)))
	}
	for _, e := range r.Entries {
		when := ""
		if !e.Time.IsZero() {
			when = e.Time.UTC().Format("2006-01-02 15:04") + "  "
		}
		fmt.Fprintf(&b, "%-*s  %*s  %s%s", types, quote.Text(e.Type), sizes, sizeWords(e.Size), when, quote.Text(e.Name))
		if e.URL != "" {
			fmt.Fprintf(&b, "  <%s>", quote.Text(c.hidden(e.URL)))
		}
		b.WriteByte('\n')
	}
	return &b, nil
}

func sizeWords(n int64) string {
	if n < 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// A metaJSON is what --meta tells about one URL.
type metaJSON struct {
	URL      string      `json:"url"`
	Final    string      `json:"final,omitempty"`
	Scheme   string      `json:"scheme,omitempty"`
	Protocol string      `json:"protocol,omitempty"`
	Status   int         `json:"status,omitempty"`
	Type     string      `json:"type,omitempty"`
	Size     *int64      `json:"size,omitempty"`
	Modified *time.Time  `json:"modified,omitempty"`
	Hops     []fetch.Hop `json:"hops,omitempty"`
	Entries  []entryJSON `json:"entries,omitempty"`
	Error    *metaError  `json:"error,omitempty"`
	MS       int64       `json:"ms"`
}

type metaError struct {
	Step   string `json:"step,omitempty"`
	Status int    `json:"status,omitempty"`
	Code   string `json:"code,omitempty"`
	Says   string `json:"says"`
}

// metaOf writes what is known about an answer, and what kept it from being
// delivered whole. It is a report: secrets in its URLs are masked, whoever wrote
// them.
func (c *call) metaOf(w io.Writer, f *fetched, err error) error {
	m := metaJSON{URL: c.hidden(f.asked.url), MS: time.Since(f.start).Milliseconds()}
	if !f.url.IsZero() {
		m.URL, m.Scheme = c.hidden(f.url.String()), f.url.Scheme()
	}
	if r := f.result; r != nil {
		m.Final, m.Protocol, m.Status, m.Type, m.Hops = c.hidden(r.URL.String()), r.Protocol, r.Status, r.Type, r.Hops
		m.Entries = entriesOf(r)
		for i := range m.Entries {
			m.Entries[i].URL = c.hidden(m.Entries[i].URL)
		}
		if r.Size >= 0 && r.Status != 416 {
			whole := r.Offset + r.Size
			m.Size = &whole
		} else if err == nil && f.octets > 0 { // it was not said beforehand
			whole := r.Offset + f.octets
			m.Size = &whole
		}
		if !r.ModTime.IsZero() {
			m.Modified = &r.ModTime
		}
	}
	if err != nil {
		m.Error = &metaError{Says: report.MaskText(whole(err), c.maskQuery)}
		if e, ok := errors.AsType[*fetch.Error](err); ok {
			m.Error.Step, m.Error.Status, m.Error.Code = e.Step, e.Status, e.Code
			m.Hops = slices.Concat(m.Hops, e.Hops)
		}
	}
	m.Hops = slices.Clone(m.Hops)
	for i := range m.Hops {
		m.Hops[i].URL, m.Hops[i].Location = c.hidden(m.Hops[i].URL), c.hidden(m.Hops[i].Location)
	}
	return report.WriteJSON(w, m)
}
