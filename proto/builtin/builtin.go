// Package builtin lists the protocols that this build speaks.
package builtin

import (
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/afs"
	"anyurl/proto/data"
	"anyurl/proto/dict"
	"anyurl/proto/file"
	"anyurl/proto/finger"
	"anyurl/proto/ftp"
	"anyurl/proto/gemini"
	"anyurl/proto/gopher"
	"anyurl/proto/http"
	"anyurl/proto/ldap"
	"anyurl/proto/mid"
	"anyurl/proto/nfs"
	"anyurl/proto/nntp"
	"anyurl/proto/prospero"
	"anyurl/proto/sftp"
	"anyurl/proto/smtp"
	"anyurl/proto/spartan"
	"anyurl/proto/telnet"
	"anyurl/proto/tftp"
	"anyurl/proto/wais"
	"anyurl/proto/ws"
	"anyurl/proto/z3950"
)

// Options are what some protocols need to know of their user.
type Options struct {
	// News is the user's own news server, "host" or "host:port", for news URLs,
	// nearly all of which name none.
	News string
	// Articles is how many of a newsgroup's latest articles are listed; 0 is
	// [nntp.DefaultArticles].
	Articles int
	// AFS is the folder below which this machine's AFS client shows its tree; ""
	// is "/afs".
	AFS string
	// GeminiHosts is the file that remembers the certificates of gemini hosts,
	// which are trusted on first use; "" remembers them as long as the transport
	// lives.
	GeminiHosts string
	// SSH is who logs in to sftp hosts, and which hosts are known.
	SSH SSH
	// Mail is what becomes of the letters that mailto and mailserver URLs stand
	// for; its zero value writes them and sends none.
	Mail Mail
	// Proxy gives the proxy by which the URLs of a scheme are opened, if there is
	// one: see [Transports]. Nil is none for any.
	Proxy func(scheme string) (p dial.Proxy, ok bool)
	// NoProxy are the hosts that no proxy is asked for.
	NoProxy fetch.Hosts
	// Mailboxes are where the messages and parts of mid and cid URLs are looked
	// for: see [mid.Transport.Places]. The news server is asked, too.
	Mailboxes []string
	// PerHost is the most connections over HTTP to one host; 0 is no bound.
	PerHost int
	// HTTP3 asks https servers over HTTP/3 first.
	HTTP3 bool
}

// SSH is the user to sftp hosts: see [sftp.Transport] and [sftp.Hosts], whose
// fields these are.
type SSH struct {
	User  string
	Keys  []string // files
	Agent string   // the agent's socket; "" is none
	Known []string // files of known hosts
	Hosts string   // the file that new ones are remembered in
}

// Mail is how letters are sent: see [smtp.Transport], whose fields these are.
type Mail struct {
	Send                   bool
	Server, User, Password string
	From                   string
	ClearText              bool
}

// Transports returns a transport for each scheme that can be opened, all of
// them connecting through d. They keep connections: close the [fetch.Client]
// they go into when it is done.
//
// An HTTP proxy is asked for a URL in whole, in the absolute form of RFC 9112,
// section 3.2.2, for every scheme but those whose protocol is not its business:
// where TLS reaches from end to end, or a session is held, it is asked for a
// connection (CONNECT). A SOCKS proxy connects for all. What stays on this
// machine goes by none, and datagrams, which none carries, are refused.
func Transports(d *dial.Dialer, o Options) map[string]fetch.Transport {
	if o.Proxy != nil {
		return proxied(d, o)
	}
	return straight(d, o)
}

// straight gives the transports that ask no proxy but d's own.
func straight(d *dial.Dialer, o Options) map[string]fetch.Transport {
	m := map[string]fetch.Transport{}
	add := func(t fetch.Transport, schemes ...string) {
		for _, s := range schemes {
			m[s] = t
		}
	}
	web := http.New(d)
	web.PerHost, web.HTTP3 = o.PerHost, o.HTTP3
	add(web, http.Schemes()...)
	add(ftp.New(d), ftp.Schemes()...)
	articles := nntp.New(d, o.News)
	articles.Articles = o.Articles
	add(articles, nntp.Schemes()...)
	mail := mid.New(d, o.Mailboxes...)
	if o.News != "" {
		mail.News = articles.Message
	}
	add(mail, mid.Schemes()...)
	add(gopher.New(d), gopher.Schemes()...)
	add(file.New(), file.Schemes()...)
	add(data.New(), data.Schemes()...)
	add(finger.New(d), finger.Schemes()...)
	add(gemini.New(d, &gemini.Hosts{Path: o.GeminiHosts}), gemini.Schemes()...)
	add(spartan.New(d), spartan.Schemes()...)
	add(dict.New(d), dict.Schemes()...)
	add(telnet.New(d), telnet.Schemes()...)
	add(tftp.New(d), tftp.Schemes()...)
	add(wais.New(d), wais.Schemes()...)
	add(afs.New(o.AFS), afs.Schemes()...)
	add(nfs.New(d), nfs.Schemes()...)
	add(prospero.New(d), prospero.Schemes()...)
	login := &sftp.Transport{Dialer: d, User: o.SSH.User, Keys: o.SSH.Keys, Hosts: &sftp.Hosts{Known: o.SSH.Known, Path: o.SSH.Hosts}}
	if o.SSH.Agent != "" {
		login.Agent = sftp.Socket(o.SSH.Agent)
	}
	add(login, sftp.Schemes()...)
	add(z3950.New(d), z3950.Schemes()...)
	add(ldap.New(d), ldap.Schemes()...)
	add(ws.New(d), ws.Schemes()...)
	add(&smtp.Transport{Dialer: d, Send: o.Mail.Send, Server: o.Mail.Server, User: o.Mail.User, Password: o.Mail.Password,
		From: o.Mail.From, ClearText: o.Mail.ClearText}, smtp.Schemes()...)
	return m
}

// Folder returns a transport for file URLs that keeps to the given folders.
func Folder(roots ...string) fetch.Transport { return file.New(roots...) }
