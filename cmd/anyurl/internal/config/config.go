// Package config reads the command's configuration files: TOML 1.0, a table
// for each command and for what several of them share. It knows where each
// setting stands and nothing of what it means; the command does. Start with
// [Read].
package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// MaxSize is how many octets of a file are read at most.
const MaxSize = 1 << 20

// A File is what a file says, in its order.
type File struct {
	Name   string
	Tables []Table
	// Theirs is set for another program's file: its keys mean what they mean there.
	Theirs bool
}

// A Table is a table of a file, with all that stands in it. Where it is opened
// more than once, as dotted keys do, it is still one.
type Table struct {
	Name     string
	Line     int // where it begins, from 1
	Settings []Setting
}

// A Setting is a key with its value. What stands in a table within the table
// has a key with dots: a host's name needs no quotes.
type Setting struct {
	Key   string
	Line  int // from 1
	Value any // string, int64, float64, bool, []any, or a date or time of go-toml's
}

// An Error is a fault with its place in a file. It never holds a value.
type Error struct {
	File string
	Line int // from 1
	Err  error
}

// Error names the place and the fault.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the fault.
func (e *Error) Unwrap() error { return e.Err }

// Read reads a file's text. An error is an *[Error].
func Read(name string, text []byte) (*File, error) {
	if len(text) > MaxSize {
		return nil, &Error{name, 1, fmt.Errorf("it has more than %d octets", MaxSize)}
	}
	// The decoder holds TOML's rules; the parser below only tells the places.
	var whole map[string]any
	if err := toml.Unmarshal(text, &whole); err != nil {
		return nil, fault(name, text, err)
	}
	r := reader{file: &File{Name: name}, text: text, index: map[string]int{}}
	return r.file, r.read(whole)
}

// ReadAs reads another program's file, in JSON where its name says so and in TOML
// else. All of it is one table of that name.
func ReadAs(table, name string, text []byte) (*File, error) {
	if len(text) > MaxSize {
		return nil, &Error{name, 1, fmt.Errorf("it has more than %d octets", MaxSize)}
	}
	r := reader{file: &File{Name: name, Theirs: true}, text: text, index: map[string]int{}, within: []string{table}}
	r.table(table, 1)
	if strings.EqualFold(path.Ext(name), ".json") {
		return r.file, r.readJSON()
	}
	var whole map[string]any
	if err := toml.Unmarshal(text, &whole); err != nil {
		return nil, fault(name, text, err)
	}
	return r.file, r.read(map[string]any{table: whole})
}

// readJSON reads one object in JSON.
func (r *reader) readJSON() error {
	d := json.NewDecoder(bytes.NewReader(r.text))
	d.UseNumber()
	line := func() int { return 1 + bytes.Count(r.text[:d.InputOffset()], []byte("\n")) }
	wrong := func(err error) error {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return &Error{r.file.Name, line(), fmt.Errorf("this is no JSON: %w", err)}
	}
	open, err := d.Token()
	if err != nil {
		return wrong(err)
	}
	if open != json.Delim('{') {
		return &Error{r.file.Name, line(), errors.New("it holds no object: {…}")}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return wrong(err)
		}
		at := line()
		var value any
		if err := d.Decode(&value); err != nil {
			return wrong(err)
		}
		r.settings(0, key.(string), at, plain(value)) // the decoder lets nothing else be a key
	}
	if _, err := d.Token(); err != nil {
		return wrong(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wrong(errors.New("something follows the object"))
	}
	return nil
}

// plain gives a value of JSON's as TOML has them.
func plain(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = plain(v[name])
		}
	}
	return value
}

// fault says in our words where a text is no TOML.
func fault(name string, text []byte, err error) error {
	line := 1
	var broken *toml.DecodeError
	if errors.As(err, &broken) {
		line, _ = broken.Position()
	}
	// At the end of a text that ends its last line, the place is behind it.
	line = min(max(line, 1), strings.Count(strings.TrimSuffix(string(text), "\n"), "\n")+1)
	return &Error{name, line, fmt.Errorf("this is no TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))}
}

// A reader goes through a text that is known to be TOML.
type reader struct {
	file  *File
	text  []byte
	index map[string]int // the place of each table in file.Tables

	within []string // the table that all of the text stands in; nil for none
}

func (r *reader) read(whole map[string]any) error {
	var p unstable.Parser
	p.Reset(r.text)
	within := r.within // the table that the key stands in
	for p.NextExpression() {
		e := p.Expression()
		path, line := r.key(e)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path = append(slices.Clone(r.within), path...)
			within = path
			if e.Kind == unstable.ArrayTable {
				return &Error{r.file.Name, line, fmt.Errorf("%s is one table: [%[1]s]", strings.Join(path, "."))}
			}
			r.table(path[0], line)
		case unstable.KeyValue:
			path = append(slices.Clone(within), path...)
			value := at(whole, path)
			if _, table := value.(map[string]any); len(path) == 1 && !table {
				return &Error{r.file.Name, line, fmt.Errorf("%s stands in no table; each command has one, as [check]", path[0])}
			}
			t := r.table(path[0], line)
			r.settings(t, strings.Join(path[1:], "."), line, value)
		}
	}
	if err := p.Error(); err != nil {
		return fault(r.file.Name, r.text, err)
	}
	return nil
}

// key gives an expression's own key and the line it stands in.
func (r *reader) key(e *unstable.Node) (path []string, line int) {
	for it := e.Key(); it.Next(); {
		if len(path) == 0 {
			line = 1 + strings.Count(string(r.text[:it.Node().Raw.Offset]), "\n")
		}
		path = append(path, string(it.Node().Data))
	}
	return path, line
}

// table finds a table, or begins it.
func (r *reader) table(name string, line int) int {
	i, ok := r.index[name]
	if !ok {
		i = len(r.file.Tables)
		r.index[name] = i
		r.file.Tables = append(r.file.Tables, Table{Name: name, Line: line})
	}
	return i
}

// settings notes a value, or all that an inline table holds.
func (r *reader) settings(table int, key string, line int, value any) {
	if inline, ok := value.(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(inline)) {
			r.settings(table, strings.TrimPrefix(key+"."+name, "."), line, inline[name])
		}
		return
	}
	t := &r.file.Tables[table]
	t.Settings = append(t.Settings, Setting{Key: key, Line: line, Value: value})
}

// at gives what stands under a path of keys.
func at(whole map[string]any, path []string) any {
	var value any = whole
	for _, name := range path {
		table, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = table[name]
	}
	return value
}
