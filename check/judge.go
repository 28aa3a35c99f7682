package check

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
)

// judge gives the verdict on an answer.
func (c *Checker) judge(u anyurl.URL, result *fetch.Result) verdict {
	v := verdict{Result: Result{State: Alive, Status: result.Status}}
	if len(result.Hops) > 1 {
		v.Hops = result.Hops
		v.Final = result.URL.Redacted()
	}
	accepted := c.Accept != nil && c.Accept(result.Status)
	if strings.HasPrefix(result.Protocol, "HTTP/") && !accepted && !v.judgeHTTP(result) {
		return v
	}
	if len(result.Hops) > 1 {
		v.judgeHops(u, result)
	}
	return v
}

// judgeHTTP judges by HTTP's status, and reports whether the answer is a good
// one.
func (v *verdict) judgeHTTP(result *fetch.Result) bool {
	status := result.Status
	switch {
	case status >= 200 && status < 300, status == 304:
		return true
	case status == 401, status == 407:
		v.State, v.Reason = Unsure, "a login is wanted"
	case status == 403:
		// As many servers say it to every program as say it to strangers.
		v.State, v.Reason, v.doubtful = Unsure, "access is refused, perhaps to programs alone", true
	case status == 429, status == 503:
		v.State, v.passing = Unsure, true
		v.wait = retryAfter(result.Header, time.Now())
		v.crowded = status == 429 || v.wait > 0
		v.Reason = "the server wants to be asked less often"
		if status == 503 {
			v.Reason = "the service is out of order for now"
		}
	case status == 408, status == 425:
		v.State, v.Reason, v.passing = Unsure, "the server did not wait for the request", true
	case status >= 500 && noProof[status] == "":
		v.State, v.passing, v.doubtful = Broken, true, true
		v.settled = status == 500 || status == 501 || status == 505 // not 502 and 504, which are said of somebody else
		v.Reason = "the server fails: " + httpWords(status)
	case noProof[status] != "":
		v.State, v.Reason, v.doubtful = Unsure, noProof[status], true
	case status >= 300 && status < 400:
		v.State, v.doubtful = Unsure, true
		v.Reason = "the server answers " + httpWords(status) + ", and does not say where to"
	default:
		v.State, v.Reason, v.doubtful = Broken, httpWords(status), true
	}
	return false
}

// noProof are statuses that say something else than that there is no such thing,
// and what: RFC 9110, section 15, where it has them.
var noProof = map[int]string{
	402: "payment is wanted (402), which servers say to programs, too",
	405: "the server does not answer such a question (405)",
	406: "the server has nothing in a form that was asked for (406), which some say to programs",
	409: "the server is in a conflict about it (409)",
	412: "the server sets conditions that were not met (412)",
	417: "the server sets conditions that were not met (417)",
	418: "the server jests (418), as some do with programs",
	421: "the server does not answer for this name over this connection (421)",
	423: "it is locked (423)",
	426: "the server wants another protocol (426)",
	428: "the server sets conditions that were not met (428)",
	430: "the server refuses, perhaps programs alone (430)",
	431: "the server finds the question too long (431)",
	444: "the server refuses, perhaps programs alone (444)",
	451: "not to be had here, for legal reasons",
	463: "the server refuses, perhaps programs alone (463)",
	498: "a token is wanted (498)",
	499: "the server did not wait for the answer (499)",
	501: "the server does not answer such a question (501)",
	505: "the server wants another version of HTTP (505)",
	511: "the network here wants a login (511)",
	999: "the server refuses programs (999)",
}

func httpWords(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + strings.ToLower(http.StatusText(status)))
}

// retryAfter reads how long a server wants to be left alone (RFC 9110, section
// 10.2.3): seconds, or a date.
func retryAfter(header map[string][]string, now time.Time) time.Duration {
	for name, values := range header {
		if !strings.EqualFold(name, "Retry-After") || len(values) == 0 {
			continue
		}
		text := strings.TrimSpace(values[0])
		if s, err := strconv.ParseInt(text, 10, 31); err == nil {
			return time.Duration(s) * time.Second
		}
		if at, err := http.ParseTime(text); err == nil {
			return max(0, at.Sub(now))
		}
	}
	return 0
}

// judgeHops judges a good answer that came from somewhere else.
func (v *verdict) judgeHops(u anyurl.URL, result *fetch.Result) {
	final := result.URL
	switch {
	case isFront(final) && !isFront(u):
		v.State, v.Reason, v.front = Unsure, "it leads to the front page now; what stood there may be gone", true
	case isLogin(final) && !isLogin(u):
		v.State, v.Reason = Unsure, "it leads to a login"
	case result.Hops[0].Permanent:
		// What is for good reaches to the first step that is not.
		place := final.Redacted()
		for _, hop := range result.Hops {
			if !hop.Permanent {
				place = hop.URL
				break
			}
		}
		v.State, v.To, v.Reason = Moved, place, "moved for good to "+place
	}
}

// isFront reports whether u is a site's front page.
func isFront(u anyurl.URL) bool {
	if u.HasQuery() {
		return false
	}
	path := strings.ToLower(strings.TrimPrefix(u.Path(), "/"))
	return path == "" || !strings.Contains(path, "/") && (strings.HasPrefix(path, "index.") || strings.HasPrefix(path, "default."))
}

// isLogin reports whether u looks like the way in to a site.
func isLogin(u anyurl.URL) bool {
	for segment := range u.Segments() {
		word, _, _ := strings.Cut(strings.ToLower(segment), ".")
		switch strings.ReplaceAll(strings.ReplaceAll(word, "-", ""), "_", "") {
		case "login", "signin", "logon", "sso", "wplogin", "userlogin":
			return true
		}
	}
	return false
}

// judgeError gives the verdict on a request that brought no answer.
func judgeError(u anyurl.URL, err error) verdict {
	v := verdict{Result: Result{State: Broken, Reason: reasonOf(err)}}
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok {
		return v
	}
	v.Status = e.Status
	if len(e.Hops) > 0 {
		v.Hops = e.Hops
		v.Final = e.URL.Redacted()
	}
	switch {
	case e.Status == http.StatusPartialContent:
		// It is there, and a part of it came that nobody had asked for.
		v.State = Alive
	case errors.Is(err, fetch.ErrUnsupported):
		v.State, v.doubtful, v.From = Skipped, true, "rule"
	case errors.Is(err, fetch.ErrRefused):
		v.State, v.From = Blocked, "rule"
	case e.Step == fetch.Status && errors.Is(err, fetch.ErrMalformed) && strings.Contains(err.Error(), "header has a "):
		// There is a server, and it has an answer; browsers do not mind its fields.
		v.State, v.doubtful, v.Reason = Unsure, true, "the server answers, and "+strings.TrimPrefix(v.Reason, fetch.Status+": ")
	case errors.Is(err, fetch.ErrDenied):
		v.State = Unsure
	case ours(err):
		// A second try is for a proxy that restarts; and none says that the target is gone.
		v.State, v.passing = Unsure, true
	case errors.Is(err, fetch.ErrBusy):
		v.State, v.passing, v.crowded = Unsure, true, true
	case errors.Is(err, fetch.ErrNotFound):
		v.doubtful = true
	case e.Step == fetch.Resolving:
		// A name that is not there is asked for once more: resolvers have bad
		// moments. Every other failure is the resolver's own.
		v.passing = true
		if d, ok := errors.AsType[*net.DNSError](err); !(ok && d.IsNotFound) && !errors.Is(err, dial.ErrNoAddress) {
			v.State = Unsure
		} else {
			v.nameless, v.atLeast = true, 1
		}
	case fetch.IsTimeout(err), isTimeout(err):
		v.State, v.passing, v.mute = Unsure, true, true
		// Once it is connected, it may be HEAD alone that a server never answers.
		v.doubtful = e.Step != fetch.Connecting && e.Step != fetch.TLS
	case e.Step == fetch.Connecting:
		v.passing, v.settled = true, errors.Is(err, syscall.ECONNREFUSED)
	case e.Step == fetch.TLS:
		v.passing = !isCertificate(err)
		if why := tlsFault(err); why != "" {
			v.Reason = why
		}
	case errors.Is(err, fetch.ErrCookie):
		v.State, v.doubtful = Unsure, true // whoever keeps it may be let through
	case errors.Is(err, fetch.ErrLoop), errors.Is(err, fetch.ErrTooManyHops), errors.Is(err, fetch.ErrMalformed), e.Step == fetch.Redirect:
		v.doubtful = true
	case errors.Is(err, fetch.ErrTooLarge):
		v.State, v.doubtful = Unsure, true
	case errors.Is(err, fetch.ErrTruncated):
		v.State, v.passing, v.doubtful = Unsure, true, true
	case dial.HungUp(err):
		v.passing, v.doubtful = true, true
	case e.Step == fetch.Reading:
	default:
		v.doubtful = true
	}
	return v
}

// ours reports whether a failure is, or may be, on our side: it says nothing
// about the target.
func ours(err error) bool {
	if d, ok := errors.AsType[*dial.Error](err); ok && d.Proxy != "" {
		return true // it cannot be told from what the proxy fails at by itself
	}
	return slices.ContainsFunc(oursAlone[:], func(no syscall.Errno) bool { return errors.Is(err, no) })
}

// oursAlone are the system's words for a want of routes, of room, of handles
// and of leave on this machine.
var oursAlone = [...]syscall.Errno{
	syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT, syscall.EPROTONOSUPPORT,
	syscall.ENOBUFS, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.EACCES, syscall.EPERM, syscall.ENOSPC, syscall.EIO, syscall.EROFS,
}

// reasonOf says what went wrong, without the URL: that stands beside it.
func reasonOf(err error) string {
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok {
		return err.Error()
	}
	short := *e
	short.URL = anyurl.URL{}
	return strings.TrimPrefix(short.Error(), fetch.Gate+": ")
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout() || errors.Is(err, context.DeadlineExceeded)
}

// isCertificate reports whether a TLS failure is the certificate's, which no
// second try mends.
func isCertificate(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	_, invalid := errors.AsType[x509.CertificateInvalidError](err)
	_, name := errors.AsType[x509.HostnameError](err)
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	return ok || invalid || name || unknown
}

// tlsFault tells what is wrong with a server's certificate or its TLS, or gives
// "" where only the library's words do.
func tlsFault(err error) string {
	if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		switch {
		case e.Reason == x509.Expired && e.Cert != nil && time.Now().Before(e.Cert.NotBefore):
			return "the certificate is not valid before " + e.Cert.NotBefore.UTC().Format(time.DateOnly)
		case e.Reason == x509.Expired && e.Cert != nil:
			return "the certificate expired on " + e.Cert.NotAfter.UTC().Format(time.DateOnly)
		}
		return "the certificate is not valid: " + e.Error()
	}
	if e, ok := errors.AsType[x509.HostnameError](err); ok {
		names := ""
		if e.Certificate != nil && len(e.Certificate.DNSNames) > 0 {
			names = ", but for " + strings.Join(e.Certificate.DNSNames[:min(3, len(e.Certificate.DNSNames))], ", ")
		}
		return "the certificate is not for " + e.Host + names
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "nobody known here vouches for the certificate"
	}
	if dial.HungUp(err) {
		return "the server closed the connection during the TLS handshake; perhaps it speaks no TLS on this port, or knows no such name"
	}
	if text := err.Error(); strings.Contains(text, "protocol version") {
		return "the server speaks no version of TLS that is still safe"
	}
	return ""
}

// said is what an answer said, for the evidence.
func (v verdict) said() string {
	if v.Status == 0 {
		return "answered"
	}
	if v.Final != "" {
		return fmt.Sprintf("%d at %s", v.Status, v.Final)
	}
	return strconv.Itoa(v.Status)
}
