package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"anyurl"
)

// A reading is what a parser makes of an input, in the DOM's terms.
type reading struct {
	OK                 bool   // it is a URL
	Href               string // the serialisation; the others are its parts, as the DOM has them
	Username, Password string // encoded
	Host, Hostname     string // with and without the port
	Port               string // "" for the scheme's own
	Path, Query, Hash  string // query and hash with their "?" and "#", or ""
}

// A peer reads a batch of inputs.
type peer func([]input) ([]reading, error)

// read is what anyurl makes of an input.
func read(in input) reading {
	u, err := parse(in)
	if err != nil {
		return reading{}
	}
	r := reading{OK: true, Href: u.String(), Username: u.Username(), Password: u.Password(), Host: u.HostPort(), Hostname: u.Host().String(), Path: u.Path()}
	if u.HasPort() {
		r.Port = fmt.Sprint(u.Port())
	}
	if u.Query() != "" {
		r.Query = "?" + u.Query()
	}
	if u.Fragment() != "" {
		r.Hash = "#" + u.Fragment()
	}
	return r
}

func parse(in input) (anyurl.URL, error) {
	var base anyurl.URL
	if in.Base != "" {
		var err error
		if base, err = anyurl.Parse(in.Base); err != nil {
			return anyurl.URL{}, err
		}
	}
	return anyurl.ParseRef(in.URL, base)
}

func open(name string) (peer, error) {
	switch name {
	case "nlnwa":
		return nlnwa, nil
	case "node", "whatwg-url":
		return pipe("node", filepath.Join("parse", "peer.mjs"), name)
	}
	return nil, fmt.Errorf("%s is no parser that is known here", name)
}

// nlnwa reads with github.com/nlnwa/whatwg-url.
func nlnwa(inputs []input) ([]reading, error) {
	out := make([]reading, len(inputs))
	for i, in := range inputs {
		out[i] = nlnwaOne(in)
	}
	return out, nil
}

func nlnwaOne(in input) (r reading) {
	defer func() {
		if recover() != nil {
			r = reading{Href: "panic"}
		}
	}()
	var u *whatwg.Url
	var err error
	if in.Base != "" {
		u, err = whatwg.ParseRef(in.Base, in.URL)
	} else {
		u, err = whatwg.Parse(in.URL)
	}
	if err != nil {
		return reading{}
	}
	return reading{OK: true, Href: u.Href(false), Username: u.Username(), Password: u.Password(), Host: u.Host(), Hostname: u.Hostname(), Port: u.Port(), Path: u.Pathname(), Query: u.Search(), Hash: u.Hash()}
}

// pipe starts a program that answers each line, a JSON array of arrays [input,
// base], with a line, a JSON array of readings or nulls.
func pipe(program string, args ...string) (peer, error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(from, 1<<20)
	return func(inputs []input) ([]reading, error) {
		pairs := make([][2]string, len(inputs))
		for i, in := range inputs {
			pairs[i] = [2]string{in.URL, in.Base}
		}
		data, err := json.Marshal(pairs)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(append(data, '\n')); err != nil {
			return nil, err
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
		var answers []*[9]string
		if err := json.Unmarshal([]byte(line), &answers); err != nil {
			return nil, err
		}
		out := make([]reading, len(answers))
		for i, a := range answers {
			if a != nil {
				out[i] = reading{true, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]}
			}
		}
		return out, nil
	}, nil
}
