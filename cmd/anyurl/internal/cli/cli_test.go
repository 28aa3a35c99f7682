package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"anyurl"
	"anyurl/cmd/anyurl/internal/cli"
	"anyurl/rule"
)

var update = flag.Bool("update", false, "write docs/manual.md anew")

// run runs the command on standard input and gives what it wrote.
func run(stdin string, args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = cli.Run(context.Background(), cli.Env{
		Args: args, In: strings.NewReader(stdin), Out: &out, Err: &errs,
		Getenv: func(string) string { return "" },
	})
	return out.String(), errs.String(), status
}

func ExampleRun() {
	status := cli.Run(context.Background(), cli.Env{
		Args:   []string{"resolve", "http://ex.example/a/b", "../c"},
		In:     strings.NewReader(""),
		Out:    os.Stdout,
		Err:    os.Stderr,
		Getenv: os.Getenv,
	})
	fmt.Println("status", status)
	// Output:
	// http://ex.example/c
	// status 0
}

// TestManual holds docs/manual.md to the command line as it is.
func TestManual(t *testing.T) {
	const path = "../../../../docs/manual.md"
	if *update {
		if err := os.WriteFile(path, cli.Manual(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, cli.Manual()) {
		t.Error("docs/manual.md is not what the command line says: run go test ./cmd/anyurl/internal/cli -run Manual -update")
	}
}

// TestParseIsTheLibrary asks the command every vector of the URL Standard's
// tests: it must answer what the library answers.
func TestParseIsTheLibrary(t *testing.T) {
	data, err := os.ReadFile("../../../../../shared/data/wpt/urltestdata.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the web platform's vectors are not here (../shared/data/wpt/urltestdata.json)")
	}
	if err != nil {
		t.Fatal(err)
	}
	var rows []json.RawMessage
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	type vector struct {
		Input string  `json:"input"`
		Base  *string `json:"base"`
	}
	var vectors []vector
	var stdin strings.Builder
	for _, row := range rows {
		var v struct {
			Input json.RawMessage `json:"input"`
			Base  json.RawMessage `json:"base"`
		}
		if row[0] != '{' {
			continue // a comment
		}
		if err := json.Unmarshal(row, &v); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&stdin, "{\"url\":%s,\"base\":%s}\n", v.Input, v.Base)
		var plain vector
		if err := json.Unmarshal(row, &plain); err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, plain)
	}
	stdout, stderr, _ := run(stdin.String(), "parse", "--in", "json", "--json")
	if stderr != "" {
		t.Errorf("stderr: %s", stderr)
	}
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != len(vectors) {
		t.Fatalf("%d answers to %d vectors", len(lines), len(vectors))
	}
	for i, v := range vectors {
		var got struct {
			OK       bool
			Href     string
			Scheme   string
			Username string
			Password string
			Host     *string
			HostType string
			Port     *uint16
			Path     string
			Query    *string
			Fragment *string
			Origin   string
			Error    *struct {
				Offset int
				Rule   string
			}
		}
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatalf("%s: %v", lines[i], err)
		}
		u, err := library(v.Input, v.Base)
		if got.OK != (err == nil) {
			t.Errorf("%q: the command says ok=%v, the library %v", v.Input, got.OK, err)
			continue
		}
		if err != nil {
			e, ok := errors.AsType[*rule.Error](err)
			if !ok || got.Error == nil || got.Error.Offset != e.Offset || got.Error.Rule != e.Rule.ID {
				t.Errorf("%q: the command says %+v, the library %v", v.Input, got.Error, err)
			}
			continue
		}
		same := got.Href == u.String() && got.Scheme == u.Scheme() && got.Username == u.Username() && got.Password == u.Password() &&
			is(got.Host, u.HasHost(), u.Host().String()) && got.HostType == u.Host().Kind().String() &&
			is(got.Port, u.HasPort(), u.Port()) && got.Path == u.Path() && is(got.Query, u.HasQuery(), u.Query()) &&
			is(got.Fragment, u.HasFragment(), u.Fragment()) && got.Origin == u.Origin()
		if !same {
			t.Errorf("%q: the command says %s, the library %s", v.Input, lines[i], u)
		}
	}
}

func library(input string, base *string) (anyurl.URL, error) {
	if base == nil {
		return anyurl.Parse(input)
	}
	b, err := anyurl.Parse(*base)
	if err != nil {
		return anyurl.URL{}, err
	}
	return anyurl.ParseRef(input, b)
}

// is reports whether the JSON value is want where the URL has the part, and
// null where it has none.
func is[T comparable](got *T, has bool, want T) bool {
	if got == nil || !has {
		return got == nil && !has
	}
	return *got == want
}

// TestEditIsTheSetters asks the command every vector of the URL Standard's
// setter tests.
func TestEditIsTheSetters(t *testing.T) {
	data, err := os.ReadFile("../../../../../shared/data/wpt/setters_tests.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the web platform's vectors are not here (../shared/data/wpt/setters_tests.json)")
	}
	if err != nil {
		t.Fatal(err)
	}
	var sets map[string]json.RawMessage
	if err := json.Unmarshal(data, &sets); err != nil {
		t.Fatal(err)
	}
	for attribute, part := range map[string]string{
		"href": "href", "protocol": "scheme", "username": "username", "password": "password", "host": "host",
		"hostname": "hostname", "port": "port", "pathname": "path", "search": "query", "hash": "fragment",
	} {
		var rows []struct {
			Href     string
			NewValue string `json:"new_value"`
			Expected map[string]string
		}
		if err := json.Unmarshal(sets[attribute], &rows); err != nil || len(rows) == 0 {
			t.Fatalf("%s: %d rows, %v", attribute, len(rows), err)
		}
		for _, row := range rows {
			stdout, _, _ := run("", "edit", "--set", part+"="+row.NewValue, "--", row.Href)
			if want, told := row.Expected["href"]; told && stdout != want+"\n" {
				t.Errorf("%s of %q to %q: got %q, want %q", part, row.Href, row.NewValue, stdout, want)
			}
		}
	}
}

// A trigger is a buffer that does something when it holds a word.
type trigger struct {
	bytes.Buffer
	word string
	then func()
}

func (t *trigger) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if strings.Contains(t.String(), t.word) {
		t.then()
	}
	return n, err
}

// interrupted runs a command whose context ends when it has written a word.
func interrupted(t *testing.T, word string, stdin io.Reader, args ...string) (stdout string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &trigger{word: word, then: cancel}
	var errs bytes.Buffer
	status := cli.Run(ctx, cli.Env{Args: args, In: stdin, Out: out, Err: &errs, Getenv: func(string) string { return "" }})
	if status != 130 {
		t.Errorf("%q: status %d, want 130; it said %s", args, status, errs.String())
	}
	return out.String()
}

// TestInterruptCheck holds that an interrupted check tells what it knows.
func TestInterruptCheck(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close() // it takes connections and never answers
	answers := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer answers.Close()
	stdin := strings.NewReader("<" + answers.URL + "/> <http://" + silent.Addr().String() + "/>")
	stdout := interrupted(t, `"alive"`, stdin, "check", "--json")
	if !strings.Contains(stdout, `"state":"alive"`) || !strings.Contains(stdout, `"unchecked":1`) {
		t.Errorf("got %s", stdout)
	}
}

// TestInterruptInput holds that a command which waits for input ends, and that
// what it knew was not held back.
func TestInterruptInput(t *testing.T) {
	for _, verb := range []string{"parse", "edit", "find"} {
		in, feed := io.Pipe()
		go feed.Write([]byte("http://a.example/\n\n"))
		if stdout := interrupted(t, "http://a.example/", in, verb); !strings.HasPrefix(stdout, "http://a.example/\n") {
			t.Errorf("%s: got %q", verb, stdout)
		}
		feed.Close()
	}
}

// TestOwnLinks holds our documents to what we ask of others': what the README
// shows as an example ends well.
func TestOwnLinks(t *testing.T) {
	t.Chdir("../../../..")
	stdout, stderr, status := run("", "check", "--offline", "README.md", "docs", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
	if status != 0 {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
}

// TestOutputFails holds that a write that fails ends every command with status
// 3, and with words unless nobody reads any more.
func TestOutputFails(t *testing.T) {
	for _, tt := range []struct {
		err  error
		says string
	}{
		{errors.New("the disk is full"), "anyurl: writing standard output: the disk is full\n"},
		{syscall.EPIPE, ""},
	} {
		for _, args := range [][]string{{"parse", "http://a.example/"}, {"help"}, {"schemes"}, {"explain", "http"}, {"find"}, {"completion", "bash"}} {
			var errs bytes.Buffer
			status := cli.Run(context.Background(), cli.Env{
				Args: args, In: strings.NewReader("http://a.example/"), Out: failing{tt.err}, Err: &errs,
				Getenv: func(string) string { return "" },
			})
			if status != 3 || errs.String() != tt.says {
				t.Errorf("%q: status %d, says %q", args, status, &errs)
			}
		}
	}
}

// failing cannot be written.
type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }

// TestCompareHoldsNoPile holds compare to a bounded cost: what it has to take
// for a long URL is a few times what it writes of one reading.
func TestCompareHoldsNoPile(t *testing.T) {
	url := "http://a.example/" + strings.Repeat("%7Ea/b", 100_000)
	var most int
	status := cli.Run(context.Background(), cli.Env{
		Args: []string{"compare", "--json"}, In: strings.NewReader(url), Out: widest{&most}, Err: io.Discard,
		Getenv: func(string) string { return "" },
	})
	if status != 0 || most == 0 || most > 10*len(url) {
		t.Errorf("status %d; %d octets at once of a URL of %d", status, most, len(url))
	}
}

// widest notes the most that is written at once.
type widest struct{ most *int }

func (w widest) Write(p []byte) (int, error) {
	*w.most = max(*w.most, len(p))
	return len(p), nil
}

// TestNotesAreBounded asks for a URL with a violation at each of many "@"
// (URL Standard, authority state, step 1.1): the first are told, the rest counted.
func TestNotesAreBounded(t *testing.T) {
	const ats = 5000
	stdout, stderr, status := run("", "parse", "--json", "http://"+strings.Repeat("@", ats)+"a.example/")
	if stderr != "" || status != 0 {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	var got struct {
		Notes     []struct{ Offset int }
		MoreNotes int
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Notes) != 256 || got.MoreNotes != ats-256 {
		t.Errorf("%d notes and %d more, want 256 and %d", len(got.Notes), got.MoreNotes, ats-256)
	}
	stdout, _, _ = run("", "parse", "http://"+strings.Repeat("@", ats)+"a.example/")
	if want := fmt.Sprintf("and %d more of such notes\n", ats-256); !strings.HasSuffix(stdout, want) {
		t.Errorf("the text ends %q, want %q", stdout[max(0, len(stdout)-80):], want)
	}
}
