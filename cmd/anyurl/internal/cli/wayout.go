package cli

import (
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"anyurl"
	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/rule"
)

// wayOut is what get's own flags, or the URL written in another way, can do about
// an error; "" for nothing.
func (ask getAsk) wayOut(e *fetch.Error, asked anyurl.URL) string {
	_, unsigned := errors.AsType[x509.UnknownAuthorityError](e.Err)
	switch {
	case e.Code == "redirect-to-internal" && !ask.guard:
		return "--allow-private follows it, where that is what its owner means"
	case e.Code == "redirect-to-scheme":
		return leadingOn(e)
	case e.Code == "port-crosses-protocol", e.Code == "bad-port":
		return fmt.Sprintf("--allow-port %d opens it, if that is really what listens there", e.URL.EffectivePort())
	case unsigned:
		return "--cacert FILE trusts the certificates in FILE: the server's own, or that of its authority"
	case e.Step == fetch.Limit && errors.Is(e.Err, fetch.ErrTooLarge):
		return "--max-size takes more, as in --max-size 5G"
	case errors.Is(e, fetch.ErrUnsupported) && e.Step == fetch.Asking && misspelt(e.URL) != "":
		return misspelt(e.URL)
	case errors.Is(e, fetch.ErrUnsupported) && e.Step == fetch.Asking && withScheme(asked.String()) != "":
		return withScheme(asked.String())
	case errors.Is(e, fetch.ErrNotFound) && e.Hint == "" && asked.HasFragment():
		return "\"#\" begins a fragment, which nobody is asked for; in a name it is written %23"
	}
	return ""
}

// leadingOn is what to ask for where a server leads to another scheme.
func leadingOn(e *fetch.Error) string {
	next, err := anyurl.ParseRef(e.Said, e.URL)
	if err != nil || next.Scheme() == "file" || !slices.Contains(opens(), next.Scheme()) {
		return ""
	}
	web := func(scheme string) bool { return scheme == "http" || scheme == "https" }
	if from := e.URL.Scheme(); web(next.Scheme()) && !web(from) {
		// None of these protocols leads to the web: it was a gateway that answered.
		return fmt.Sprintf("a gateway has to give the object itself; one that is a proxy, too, as anyurl serve is, does that with --proxy %s=%s", from, next.Origin())
	}
	return "anyurl get opens it where it is asked for by itself"
}

// noScheme is what to write for an input that is no URL, since it has no scheme,
// and is the name of a file; "" where it is not.
func noScheme(err error, input string) string {
	e, ok := errors.AsType[*rule.Error](err)
	if !ok || e.Rule.ID != anyurl.MissingSchemeNonRelativeURL.ID {
		return ""
	}
	if _, err := os.Stat(input); err != nil {
		return ""
	}
	path, err := filepath.Abs(input)
	if err != nil {
		return ""
	}
	style := anyurl.UnixPath
	if filepath.Separator == '\\' {
		style = anyurl.WindowsPath
	}
	u, err := anyurl.FileURL(path, style)
	if err != nil {
		return ""
	}
	return "there is a file of that name, whose URL is " + quote.Text(u.String())
}
