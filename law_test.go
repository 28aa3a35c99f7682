package anyurl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// law says who may import whom. A line reads "package: what of ours it may
// import"; dir/* is every package one step below dir. The first line that
// matches a package is its line. A package without a line and a line without
// a package are both faults. The table may grow; an arrow may never run up.
const law = `
internal/quote:
ipclass:
rule:            internal/quote
internal/abnf:
internal/iana:
internal/iana/gen:
internal/walk:
internal/validutf8:
internal/ber:
internal/local:  . fetch
internal/xdr:
internal/wire:   internal/quote
internal/transcript:
internal/peer:
internal/fake/stage: . dial fetch internal/transcript
internal/fake/*:
dial:            ipclass
fetch:           . percent dial internal/iana internal/wire
fetch/fetchtest: . dial fetch internal/transcript
proto/builtin:   . dial fetch proto/*
proto/*:         . rule percent internal/ber internal/xdr internal/local internal/quote internal/wire scheme scheme/* dial fetch
percent:         rule internal/abnf
find:            . internal/iana
find/gen:
find/format:     find internal/validutf8
internal/domain: rule
rfc1630:         rule internal/abnf
rfc1738:         rule internal/abnf
rfc3986:         rule internal/abnf percent
internal/oracle:
internal/domain/gen:
internal/idn:    rule internal/domain
internal/idn/gen:
canon:           . percent
.:               rule percent internal/abnf internal/domain internal/quote
neturl:          . rule percent
check:           . rule find find/* fetch dial percent
check/history:   . check dial
check/memento:   . check fetch ipclass
gateway:         . rule percent internal/quote find audit scheme scheme/known scheme/* fetch
check/frontier:  . check
check/queue:     . check dial
report:          . percent internal/quote audit fetch check
cmd/anyurl/internal/demo: . percent internal/ber dial
cmd/anyurl/internal/config:
cmd/anyurl/internal/broker:
cmd/anyurl/internal/cli: . rule percent internal/quote internal/walk rfc1630 rfc1738 rfc3986 find find/* audit canon scheme scheme/known dial fetch proto/builtin check check/* report gateway cmd/anyurl/internal/config cmd/anyurl/internal/broker cmd/anyurl/internal/demo
cmd/anyurl:      cmd/anyurl/internal/cli
audit:           . rule internal/abnf internal/domain internal/iana internal/idn internal/quote ipclass percent scheme scheme/known rfc1630 rfc1738 rfc3986
scheme:          . rule percent internal/abnf
scheme/known:    internal/iana rule scheme scheme/*
scheme/*:        . rule percent scheme internal/abnf
`

// pure packages read; they never reach the network, not even through a
// dependency of a dependency (net/mail and x/net/publicsuffix bring net along).
var pure = strings.Fields(`
	internal/quote rule internal/abnf percent ipclass internal/iana internal/walk internal/validutf8 internal/domain
	internal/idn rfc1630 rfc1738 rfc3986 . neturl canon scheme scheme/* find find/format audit
`)

// edges names the few packages that may import what the others may not.
var edges = map[string][]string{
	"net/url": {"proto/http", "gateway", "neturl"}, // net/http wants one; nobody parses with it
	"os/exec": {"internal/peer"},                   // tests alone: it starts the real servers
	"unsafe":  {"find"},                            // find/view.go: one engine for strings, bytes and the Reader's window
}

// doors names the functions and values that open, resolve or listen, and the
// packages that may touch them. Package net's names that begin with Dial,
// Lookup or Listen are covered by prefix.
var doors = map[string][]string{
	"net.Dial*":              {"dial", "internal/peer"},
	"net.Lookup*":            {"dial"},
	"net.Resolve*":           {"dial"},
	"net.Resolver":           {"dial"},
	"net.DefaultResolver":    {"dial"},
	"net.Listen*":            {"cmd/anyurl/internal/*", "internal/peer", "dial"}, // dial: a socket for answers from a port that is not known before
	"crypto/tls.Dial*":       {},
	"crypto/tls.Listen*":     {},
	"net/http.Get":           {},
	"net/http.Head":          {},
	"net/http.Post*":         {},
	"net/http.Default*":      {},
	"net/http.Listen*":       {"cmd/anyurl/internal/*"},
	"net/smtp.*":             {},
	"net/rpc.*":              {},
	"golang.org/x/net/proxy": {},
}

const module = "anyurl"

// TestLaw holds the import table: rooms, arrows, and the reading wing's
// distance from the network.
func TestLaw(t *testing.T) {
	for _, fault := range lawFaults(t, packages(t, ".")) {
		t.Error(fault)
	}
}

// TestDoors holds that nobody but dial opens or resolves, and that only the
// command listens.
func TestDoors(t *testing.T) {
	for _, fault := range doorFaults(packages(t, ".")) {
		t.Error(fault)
	}
}

// TestLawBites plants what the law forbids and expects to be told.
func TestLawBites(t *testing.T) {
	for _, tt := range []struct{ name, file, src, want string }{
		{"an arrow up", "rule/x.go", `package rule; import _ "anyurl/percent"`, "rule must not import percent"},
		{"a kept import", "percent/x.go", `package percent; import _ "net/url"`, "percent must not import net/url"},
		{"the network in the reading wing", "percent/x.go", `package percent; import _ "net/http"`, "percent reads, but net/http reaches the network"},
		{"a room without a line", "util/x.go", `package util`, "util has no line in the law"},
		{"a door", "percent/x.go", `package percent; import n "net"; var _ = n.Dial`, "percent/x.go must not use net.Dial"},
		{"a resolver", "percent/x.go", `package percent; import "net"; var _ = net.DefaultResolver`, "percent/x.go must not use net.DefaultResolver"},
		{"a dot import", "percent/x.go", `package percent; import . "net"`, "percent/x.go must not import net by dot"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, filepath.FromSlash(tt.file))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tt.src), 0o666); err != nil {
				t.Fatal(err)
			}
			pkgs := packages(t, dir)
			faults := append(lawFaults(t, pkgs), doorFaults(pkgs)...)
			if !slices.Contains(faults, tt.want) {
				t.Errorf("want %q, got %q", tt.want, faults)
			}
		})
	}
}

// A room is one package as its non-test files show it.
type room struct {
	imports []string
	files   map[string]*ast.File
}

func lawFaults(t *testing.T, pkgs map[string]*room) (faults []string) {
	lines := map[string][]string{}
	var order []string
	for line := range strings.Lines(law) {
		if pkg, may, ok := strings.Cut(line, ":"); ok {
			if slices.Contains(order, pkg) {
				faults = append(faults, "the law has two lines for "+pkg)
			}
			lines[pkg] = strings.Fields(may)
			order = append(order, pkg)
		}
	}
	used := map[string]bool{}
	outside := map[string][]string{} // an import from elsewhere: the readers that have it
	for pkg, r := range pkgs {
		i := slices.IndexFunc(order, func(p string) bool { return match(p, pkg) })
		if i < 0 {
			faults = append(faults, pkg+" has no line in the law")
			continue
		}
		used[order[i]] = true
		for _, imp := range r.imports {
			of, ours := local(imp)
			if ours && !anyMatch(lines[order[i]], of) {
				faults = append(faults, pkg+" must not import "+of)
			}
			if who, kept := edges[imp]; kept && !anyMatch(who, pkg) {
				faults = append(faults, pkg+" must not import "+imp)
			}
			if !ours && anyMatch(pure, pkg) {
				outside[imp] = append(outside[imp], pkg)
			}
		}
	}
	reaches := reaching(t, slices.Sorted(maps.Keys(outside)))
	for imp, readers := range outside {
		for _, pkg := range readers {
			if reaches[imp] {
				faults = append(faults, pkg+" reads, but "+imp+" reaches the network")
			}
		}
	}
	for _, p := range order {
		if !used[p] {
			faults = append(faults, "the law speaks of "+p+", which is no package")
		}
	}
	slices.Sort(faults)
	return faults
}

func doorFaults(pkgs map[string]*room) (faults []string) {
	for pkg, r := range pkgs {
		for name, file := range r.files {
			names := map[string]string{} // a name in the file: the path it stands for
			for _, spec := range file.Imports {
				imp, _ := strconv.Unquote(spec.Path.Value)
				local := path.Base(imp)
				if spec.Name != nil {
					local = spec.Name.Name
				}
				if local == "." && hasDoor(imp) {
					faults = append(faults, name+" must not import "+imp+" by dot")
				}
				names[local] = imp
			}
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, ok := sel.X.(*ast.Ident)
				if !ok || names[x.Name] == "" {
					return true
				}
				used := names[x.Name] + "." + sel.Sel.Name
				for door, who := range doors {
					if doorMatch(door, used) && !anyMatch(who, pkg) {
						faults = append(faults, name+" must not use "+used)
					}
				}
				return true
			})
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// doorMatch is equality, or a prefix where the pattern ends in "*".
func doorMatch(door, used string) bool {
	if used == "net.Listener" { // a type: who holds one has not opened it
		return false
	}
	if prefix, ok := strings.CutSuffix(door, "*"); ok {
		return strings.HasPrefix(used, prefix)
	}
	return door == used || strings.HasPrefix(used, door+".")
}

// hasDoor reports whether any door belongs to the package.
func hasDoor(imp string) bool {
	for door := range doors {
		if strings.HasPrefix(door, imp+".") {
			return true
		}
	}
	return false
}

// packages parses the files itself rather than ask go list, so that go test
// sees the files it depends on and caches no stale verdict. Modules of their
// own below the root (bench, difftest) are not ours to judge.
func packages(t *testing.T, root string) map[string]*room {
	pkgs := map[string]*room{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p == root {
				return nil
			}
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		dir := path.Dir(rel)
		r := pkgs[dir]
		if r == nil {
			r = &room{files: map[string]*ast.File{}}
			pkgs[dir] = r
		}
		r.files[rel] = f
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if !slices.Contains(r.imports, imp) {
				r.imports = append(r.imports, imp)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// reaching gives those of the imports that bring package net along, at any
// depth. go list is asked once for all of them.
func reaching(t *testing.T, imports []string) map[string]bool {
	if len(imports) == 0 {
		return nil
	}
	args := append([]string{"list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}"}, imports...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	reaches := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		of := strings.Fields(line)
		reaches[of[0]] = slices.Contains(of, "net")
	}
	return reaches
}

// match is path.Match, except that only "." names the root.
func match(pattern, pkg string) bool {
	ok, _ := path.Match(pattern, pkg)
	return ok && (pkg == ".") == (pattern == ".")
}

func anyMatch(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, pkg) })
}

func local(imp string) (string, bool) {
	if imp == module {
		return ".", true
	}
	return strings.CutPrefix(imp, module+"/")
}
