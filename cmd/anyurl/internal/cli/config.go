package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"anyurl/cmd/anyurl/internal/config"
)

// projectFile is what check reads in the folder where it is run, before the
// user's own file.
const projectFile = "anyurl.toml"

// A sharedTable is a table of the configuration file that is no command's.
type sharedTable struct {
	name string
	own  bool // for the user's own file alone: it leads to what is private
	keys []sharedKey
	more func(key string) bool // whether it may hold a key besides; nil for none
}

// A sharedKey is a key of one. Where the environment has a word for the same, it
// comes first.
type sharedKey struct {
	name, env, says string
}

// sharedTables are all there are. Their values are texts.
func sharedTables() []sharedTable {
	return []sharedTable{
		{"gateway", false, []sharedKey{
			{"SCHEME", "", "the gateway for the scheme's URLs, as of `--gateway`"},
			{"HOST", "", "the gateway for the host and those below it"},
		}, func(string) bool { return true }},
		{"proxy", true, []sharedKey{
			{"SCHEME", "SCHEME_proxy", "the scheme's proxy, as of `--proxy`"},
			{"all", "all_proxy", "the proxy of all other schemes"},
			{"no", "no_proxy", "the hosts for which none is asked, as of `--no-proxy`"},
		}, func(key string) bool { return knownScheme("", key) == nil }},
		{"news", false, []sharedKey{
			{"server", "NNTPSERVER", "the server of news URLs, as `HOST` or `HOST:PORT`"},
		}, nil},
		{"mail", true, []sharedKey{
			{"maildir", "MAILDIR", "the Maildir of mid and cid URLs"},
			{"box", "MAIL", "their mbox, Maildir, or `imap://USER:PASSWORD@HOST/INBOX`"},
		}, nil},
		{"afs", true, []sharedKey{
			{"root", "", "the folder below which this machine's AFS client has its tree, `/afs` as a rule"},
		}, nil},
		{"smtp", true, []sharedKey{
			{"server", "SMTPSERVER", "the server that takes messages, as `HOST`, `HOST:PORT` or `smtp://USER:PASSWORD@HOST`; `smtps://` for TLS from the start"},
			{"user", "", "who it knows us as"},
			{"password", "", "and by which password"},
			{"from", "EMAIL", "the sender's address"},
		}, nil},
	}
}

// configFlags declares the flags that say which file is read.
func (c *call) configFlags(f *pflag.FlagSet) {
	f.StringVar(&c.configFile, "config", "", "read this configuration `FILE` in place of the usual ones")
	f.BoolVar(&c.noConfig, "no-config", false, "read no configuration file")
}

// configured makes what the configuration files say the defaults of cmd's
// flags. What the command line says stands, and so does what a file says that
// was read before.
func (c *call) configured(cmd *cobra.Command) error {
	switch {
	case c.noConfig && c.configFile != "":
		return usage("", "--config and --no-config exclude each other")
	case c.noConfig, cmd.GroupID != groupReads && cmd.GroupID != groupReaches:
		return nil
	}
	files, err := c.configFiles(cmd)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		addVerbs(c, cmd.Root()) // a file is looked at as a whole
	}
	for _, f := range files {
		for _, t := range f.Tables {
			if err := c.applyTable(cmd, f, t); err != nil {
				return err
			}
		}
	}
	c.files = files
	return nil
}

// configFiles reads the files that are there, the one that counts most first.
func (c *call) configFiles(cmd *cobra.Command) (files []*config.File, err error) {
	if c.configFile != "" {
		f, err := c.readConfig(c.configFile)
		if err != nil {
			return nil, err
		}
		return []*config.File{f}, nil
	}
	names := []string{homeFile(c.getenv, "XDG_CONFIG_HOME", ".config", "config.toml")}
	if cmd.Name() == "check" {
		names = []string{projectFile, names[0]}
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		switch f, err := c.readConfig(name); {
		case err == nil:
			files = append(files, f)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return files, nil
}

func (c *call) readConfig(name string) (*config.File, error) {
	in, err := c.open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, config.MaxSize+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	f, err := config.Read(name, text)
	if theirFile(name) && (err != nil || !slices.ContainsFunc(f.Tables, func(t config.Table) bool { return t.Name == "check" })) {
		f, err = config.ReadAs("check", name, text)
	}
	if err != nil {
		return nil, usage("", "%w", err)
	}
	return f, nil
}

// homeFile is one of the program's files in a folder by the XDG Base Directory
// Specification: below variable, or else below otherwise in the home folder. ""
// is nowhere.
func homeFile(getenv func(string) string, variable, otherwise, name string) string {
	if dir := getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "anyurl", name)
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, otherwise, "anyurl", name)
	}
	return ""
}

// applyTable looks at a table of a file, and makes what it says of cmd the
// defaults of its flags.
func (c *call) applyTable(cmd *cobra.Command, f *config.File, t config.Table) error {
	project := f.Name == projectFile && c.configFile == ""
	shared := sharedTables()
	at := slices.IndexFunc(shared, func(s sharedTable) bool { return s.name == t.Name })
	about := configurable(cmd.Root(), t.Name)
	switch {
	case at < 0 && about == nil:
		names := make([]string, 0, len(shared))
		for _, s := range shared {
			names = append(names, s.name)
		}
		for _, sub := range cmd.Root().Commands() {
			if configurable(cmd.Root(), sub.Name()) != nil {
				names = append(names, sub.Name())
			}
		}
		return misplaced(f, t.Line, nearest(t.Name, names, "the tables are "+list(names)), "there is no table [%s]", t.Name)
	case project && (at < 0 && about != cmd || at >= 0 && shared[at].own):
		return misplaced(f, t.Line, "it belongs in a file of one's own; anyurl help --manual says where that is", "[%s] has no place in a project's file", t.Name)
	case at >= 0:
		return checkShared(f, t, shared[at])
	}
	return c.applySettings(cmd, about, f, t)
}

// applySettings makes a command's table the defaults of its flags. All keys that
// say nothing are told of at once.
func (c *call) applySettings(cmd, about *cobra.Command, f *config.File, t config.Table) error {
	all := map[string]any{}
	for _, s := range t.Settings {
		all[s.Key] = s.Value
	}
	var settings []config.Setting // in our words, each key once
	said := map[string]string{}   // their keys, by ours
	var strange []error
	for _, s := range t.Settings {
		theirs := s.Key
		own, says := ownSettings(about, f, s, all)
		if says != "" {
			strange = append(strange, misplaced(f, s.Line, says, "[%s] %s is nothing of ours", about.Name(), theirs))
		}
		for _, o := range own {
			if flagNamed(about, o.Key) == nil {
				names := configKeys(about)
				strange = append(strange, misplaced(f, o.Line, nearest(o.Key, names, "it may hold "+list(names)), "[%s] knows no key %s", about.Name(), o.Key))
				continue
			}
			at := slices.IndexFunc(settings, func(before config.Setting) bool { return before.Key == o.Key })
			if at < 0 {
				settings, said[o.Key] = append(settings, o), theirs
				continue
			}
			before := &settings[at]
			list, isList := before.Value.([]any)
			more, areMore := o.Value.([]any)
			switch {
			case isList && areMore:
				before.Value = append(slices.Clone(list), more...)
			case isList || before.Value != o.Value:
				return misplaced(f, o.Line, "one of them is enough", "[%s] %s and %s are the same", about.Name(), said[o.Key], theirs)
			}
		}
	}
	if len(strange) > 0 {
		return together(strange)
	}
	for _, s := range settings {
		if err := c.applySetting(cmd, about, f, s, said[s.Key]); err != nil {
			return err
		}
	}
	return nil
}

// together makes one fault of several of a file, each with its own way out.
func together(faults []error) error {
	if len(faults) == 1 {
		return faults[0]
	}
	var lines inLines
	hint := ""
	for _, fault := range faults {
		way := hintOf(fault)
		if strings.HasPrefix(way, "it may hold ") {
			way, hint = "", way // the same for each
		}
		line := fault.Error()
		if way != "" {
			line += ": " + way
		}
		lines = append(lines, line)
	}
	return &failure{statusUsage, lines, hint}
}

// inLines is an error that is told in several lines.
type inLines []string

func (l inLines) Error() string { return strings.Join(l, "; ") }

// flagNamed is the flag that a key of a command's table is about, or nil.
func flagNamed(about *cobra.Command, key string) *pflag.Flag {
	if unconfigurable(key) {
		return nil
	}
	if flag := about.Flag(key); flag != nil {
		return flag
	}
	return about.InheritedFlags().Lookup(key)
}

// configurable is the command that a table is about.
func configurable(root *cobra.Command, name string) *cobra.Command {
	for _, cmd := range root.Commands() {
		if cmd.Name() == name && (cmd.GroupID == groupReads || cmd.GroupID == groupReaches) {
			return cmd
		}
	}
	return nil
}

// checkShared refuses what a shared table cannot hold.
func checkShared(f *config.File, t config.Table, may sharedTable) error {
	names := make([]string, len(may.keys))
	for i, k := range may.keys {
		names[i] = k.name
	}
	for _, s := range t.Settings {
		if !slices.Contains(names, s.Key) && (may.more == nil || !may.more(s.Key)) {
			return misplaced(f, s.Line, nearest(s.Key, names, "it may hold "+list(names)), "[%s] knows no key %s", t.Name, s.Key)
		}
		if _, ok := s.Value.(string); !ok {
			return misplaced(f, s.Line, s.Key+` = "…"`, "[%s] %s is a text", t.Name, s.Key)
		}
	}
	return nil
}

// applySetting makes a setting of about's table the default of its flag, where
// about is what runs and the flag was not given. key is what it stands as.
func (c *call) applySetting(cmd, about *cobra.Command, f *config.File, s config.Setting, key string) error {
	flag := flagNamed(about, s.Key)
	if f.Name == projectFile && c.configFile == "" && len(flag.Annotations[ownOnly]) > 0 {
		return misplaced(f, s.Line, "the command line says it, or a file of one's own", "%s has no place in a project's file: %s", s.Key, flag.Annotations[ownOnly][0])
	}
	text, many, says := textOf(flag, s.Value)
	if says != "" {
		return misplaced(f, s.Line, key+" = "+says, "[%s] %s is of another type", about.Name(), key)
	}
	if about != cmd || flag.Changed || slices.ContainsFunc(flag.Annotations[exclusive], cmd.Flags().Changed) {
		return nil
	}
	var err error
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		err = list.Replace(many)
	} else {
		err = flag.Value.Set(text)
	}
	if err != nil {
		return misplaced(f, s.Line, "", "[%s] %s: %w", about.Name(), key, err)
	}
	flag.Changed = true
	if c.origins == nil {
		c.origins = map[string]string{}
	}
	c.origins[flag.Name] = fmt.Sprintf("%s:%d", f.Name, s.Line)
	return nil
}

// unconfigurable reports whether a flag is for the command line alone. That a
// letter is sent is said anew each time.
func unconfigurable(flag string) bool {
	return slices.Contains([]string{"help", "config", "no-config", "send"}, flag)
}

// configKeys are the keys of a command's table.
func configKeys(cmd *cobra.Command) (names []string) {
	each := func(f *pflag.Flag) {
		if !f.Hidden && !unconfigurable(f.Name) {
			names = append(names, f.Name)
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(each)
	cmd.InheritedFlags().VisitAll(each)
	return names
}

// textOf writes a setting's value as its flag would stand on the command line.
// Where it is of another type, says how it is written.
func textOf(flag *pflag.Flag, value any) (text string, many []string, says string) {
	if _, ok := flag.Value.(pflag.SliceValue); ok {
		all, ok := value.([]any)
		if text, isText := value.(string); isText && flag.Name == "accept" {
			all, ok = nil, true // lychee's has commas
			many = strings.Split(text, ",")
		}
		for _, one := range all {
			text, isText := one.(string)
			if n, isNumber := one.(int64); isNumber && flag.Name == "accept" {
				text, isText = strconv.FormatInt(n, 10), true
			}
			ok = ok && isText
			many = append(many, text)
		}
		if !ok {
			return "", nil, `["…", …]`
		}
		return "", many, ""
	}
	b, isBool := value.(bool)
	n, isNumber := value.(int64)
	text, isText := value.(string)
	switch flag.Value.Type() {
	case "bool":
		if !isBool {
			return "", nil, "true or false"
		}
		return strconv.FormatBool(b), nil, ""
	case "NUMBER", "int":
		if !isNumber {
			return "", nil, "a whole number"
		}
		return strconv.FormatInt(n, 10), nil, ""
	case "DURATION":
		if isNumber { // of seconds, as lychee counts them
			return strconv.FormatInt(n, 10) + "s", nil, ""
		}
	case "SIZE":
		if isNumber {
			return strconv.FormatInt(n, 10), nil, ""
		}
	}
	if !isText {
		return "", nil, `"…"`
	}
	return text, nil, ""
}

// setting is what the environment or else a configuration file says about a key
// of a shared table; "" for nothing.
func (c *call) setting(table, key string) string {
	for _, t := range sharedTables() {
		for _, k := range t.keys {
			if t.name == table && k.name == key && k.env != "" && c.getenv(k.env) != "" {
				return c.getenv(k.env)
			}
		}
	}
	for _, f := range c.files {
		for _, t := range f.Tables {
			for _, s := range t.Settings {
				if t.Name == table && s.Key == key {
					return s.Value.(string) // checkShared saw to it
				}
			}
		}
	}
	return ""
}

// misplaced is a fault in a configuration file.
func misplaced(f *config.File, line int, hint, format string, args ...any) error {
	return usage(hint, "%w", &config.Error{File: f.Name, Line: line, Err: fmt.Errorf(format, args...)})
}

// nearest is a hint at the name that was likely meant.
func nearest(s string, names []string, otherwise string) string {
	if near := closest(s, names); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// The annotations of flags that matter to configuration files.
const (
	exclusive = "anyurl_exclusive" // the flags that it goes without
	ownOnly   = "anyurl_own_only"  // why no project's file may say it
)

// either notes that of these flags one is given at most: what the command line
// says of one keeps a configuration file from saying another.
func either(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		annotate(cmd, name, exclusive, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })...)
	}
}

// notForProjects notes why a project's file cannot set a flag: whoever wrote the
// project is not whoever runs the command.
func notForProjects(cmd *cobra.Command, name, why string) { annotate(cmd, name, ownOnly, why) }

func annotate(cmd *cobra.Command, name, key string, values ...string) {
	f := cmd.Flags().Lookup(name)
	if f == nil {
		panic("cli: " + cmd.Name() + " has no flag --" + name) // a slip of ours: every test would meet it
	}
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = append(f.Annotations[key], values...)
}

// mentioned is a flag in an error's words.
var mentioned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`--([a-z][a-z-]*)`) })

// placed says in front of an error about a flag's value in which file it stands,
// if it came from one.
func (c *call) placed(err error) error {
	if statusOf(err) != statusUsage || len(c.origins) == 0 {
		return err
	}
	for _, m := range mentioned().FindAllStringSubmatch(err.Error(), -1) {
		if place := c.origins[m[1]]; place != "" {
			return &failure{statusUsage, fmt.Errorf("%s: %w", place, err), hintOf(err)}
		}
	}
	return err
}

// manualConfig is the manual's part about configuration files.
func manualConfig() string {
	var b strings.Builder
	b.WriteString(`## Configuration files

What stands in ` + "`$XDG_CONFIG_HOME/anyurl/config.toml`" + ` (` + "`~/.config/anyurl/config.toml`" + `, where the variable is not set), a file in TOML, are the
defaults of the flags, each command's in a table of its name: a flag's long name without dashes, ` + "`true`" + ` for one without a value, a list for one that
may be given again. The command line comes first, then the environment, then the file; a list on the command line takes the place of the file's.

    [get]
    timeout = "30s"
    header = ["Accept-Language: de"]

    [check]
    exclude = ['^https://intranet\.']
    workers = 32

` + "`check`" + ` reads ` + "`anyurl.toml`" + ` in the folder where it is run, too, and before the user's own file: ` + "`[check]`" + ` and what is shared, but nothing that says where
files are written or somebody logs in, and no mailbox. ` + "`--config FILE`" + ` reads FILE in place of both, ` + "`--no-config`" + ` nothing. A key that does not exist, or a value of another
type, is an error with its line. A duration may be a whole number of seconds.

` + "`lychee.toml` and markdown-link-check's JSON may be given to `check --config` as they are, and their keys may stand in `[check]`. What fits is understood; what does not\nis refused with what to write instead, all of it at once. `exclude`, `include`, `accept`, `offline`, `output`, `extensions`, `timeout` and `remap` are the same." + `

| theirs | anyurl |
|---|---|
`)
	for _, t := range theirKeys() {
		if t.own != "" {
			fmt.Fprintf(&b, "| `%s` | `%s` |\n", strings.TrimSuffix(t.name, "."), t.own)
		}
	}
	b.WriteString(`
Further tables are shared by the commands that reach out. Where the environment says the same, it comes first.

| table | key | environment | meaning |
|---|---|---|---|
`)
	for _, t := range sharedTables() {
		for _, k := range t.keys {
			env := k.env
			if env != "" {
				env = "`" + env + "`"
			}
			fmt.Fprintf(&b, "| `[%s]` | `%s` | %s | %s |\n", t.name, k.name, env, k.says)
		}
	}
	b.WriteString(manualWays)
	return b.String()
}

const manualWays = `
## Proxies and gateways

A gateway opens the URLs of a scheme, or of a host and those below it, in its own way, as RFC 1630 foresaw: ` + "`--gateway wais=http://gw.example/?{url}`" + ` asks
it for a URL in which ` + "`{url}`" + ` stands for the one asked for, escaped, or ` + "`{+url}`" + ` for it as it is. It is told no user info, and its own address is asked of
no guard: it is the user's choice. A host's gateway comes before its scheme's, and both before any proxy.

What a gateway answers is an object of the web, also where the URL itself would have given a listing: --as and the entries of --meta have nothing to go
by, and get says so. Our own, anyurl serve, shows pages; it gives the object, or the listing as its server sent it, under /~raw/:

    anyurl get --gateway 'wais=http://127.0.0.1:7070/~raw/open?url={url}' wais://server.example/garden?tulip

A proxy is named by ` + "`--proxy`" + `, else by the environment, else by ` + "`[proxy]`" + `. In the environment each scheme has its own, ` + "`http_proxy`" + `, ` + "`https_proxy`" + `,
` + "`ftp_proxy`" + `, ` + "`gopher_proxy`" + `, ` + "`wais_proxy`" + `, ` + "`news_proxy`" + ` and so on, in small or in capital letters, and ` + "`all_proxy`" + ` is for the rest. ` + "`HTTP_PROXY`" + ` does not count
where REQUEST_METHOD is set: there it would be a header field that a client sent. ` + "`no_proxy`" + ` is read as curl reads it: a name stands for itself and all below
it, with or without a dot before it, ` + "`10.0.0.0/8`" + ` for addresses that are written as such, ` + "`*`" + ` for every host; ` + "`host:port`" + ` narrows it to a port.

- An HTTP proxy (` + "`http://`" + `, or ` + "`https://`" + ` for TLS up to it) is asked in absolute form for the URLs of every scheme, but for a connection (CONNECT) where TLS or SSH
  reaches from end to end or a session is held: https, ftps, gophers, gemini, telnet and their kin. It is told a URL's user info where it has to log in with it.
- A SOCKS proxy connects for all: ` + "`socks5h://`" + ` looks names up itself, ` + "`socks5://`" + ` is given the addresses that are found here.
- Datagrams, which no proxy carries, are refused rather than sent past it.
- A proxy's own user and password, ` + "`http://user:password@proxy.example:3128`" + `, go to it alone and are never shown.

What a proxy looks up is not known here. With ` + "`--guard`" + `, names are therefore looked up here as well: a SOCKS proxy, or one asked for a connection, is given the
vetted address; one asked for a URL is only asked when every address of its host is public, and may still find another. Without ` + "`--guard`" + ` a redirect from a
public place through a proxy is vetted by what it says itself: internal addresses and localhost.

`
