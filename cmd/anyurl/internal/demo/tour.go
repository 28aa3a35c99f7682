package demo

import (
	"path/filepath"
	"strings"

	"anyurl/percent"
)

// A Stop is one step of a tour through the schemes.
type Stop struct {
	Name    string // the scheme, or the schemes
	Says    string // what it is
	History string // where it comes from, in a sentence
	Look    string // what to look at
	Links   []Link
	Explain bool // what it links to is read and explained, and not opened
}

// A Link is a URL to open, and what to call it.
type Link struct{ Name, URL string }

// Tour is a walk through the schemes, each with what there is to open on this
// internet, and, by [Keep], in dir. The URLs are as a person would write them.
func (n *Internet) Tour(dir string) []Stop {
	return []Stop{
		{
			Name:    "gopher",
			Says:    "Menus and texts: a selector is sent, a menu or a document comes back, and the connection ends.",
			History: "Made in 1991 at the University of Minnesota, it had more readers than the web until 1994; RFC 1436 says how it speaks, RFC 4266 how its URLs are read.",
			Look:    "the one digit behind the host, which says what kind of thing to expect: 0 is a text, 1 a menu.",
			Links:   []Link{{"Open the menu", "gopher://" + n.Gopher + "/1/"}, {"Open a text", "gopher://" + n.Gopher + "/0/about.txt"}},
		},
		{
			Name:    "ftp",
			Says:    "Files and folders, walked by one conversation and carried by another.",
			History: "Older than the Internet: RFC 114 described it in 1971, RFC 959 in 1985. Browsers dropped it in 2021.",
			Look:    "the table, which sorts by name, size and time.",
			Links:   []Link{{"Open the folder", "ftp://" + n.FTP + "/"}, {"Read a file", "ftp://" + n.FTP + "/docs/uniform.txt;type=a"}},
		},
		{
			Name:    "news and nntp",
			Says:    "Discussions that everybody can read. news names an article by its Message-ID, wherever it is; nntp names it by its number on one server.",
			History: "Usenet began in 1979 between two universities in North Carolina; NNTP (RFC 977, now RFC 3977) carried it over the Internet from 1986 on.",
			Look:    "the thread under “When to plant tulips?”, and how an answer folds what it quotes.",
			Links: []Link{{"Open a group", "news:demo.garden"}, {"Read an article", "news:tulips.3@meadow.example"},
				{"The same, by its number", "nntp://" + n.News + "/demo.garden/3"}},
		},
		{
			Name:    "telnet",
			Says:    "A session at somebody else's computer, key by key. A URL of this kind names no document but a service.",
			History: "The Internet's first application, shown in 1969 and written down as RFC 854 in 1983; libraries ran their catalogues on it for decades.",
			Look:    "the terminal: press “Connect”, type help, and then bye.",
			Links:   []Link{{"Open the terminal", "telnet://guest@" + n.Telnet + "/"}},
		},
		{
			Name:    "rlogin and tn3270",
			Says:    "Two more kinds of session: rlogin between machines that know each other, tn3270 at a mainframe, a screen at a time.",
			History: "rlogin came with BSD in 1982 (RFC 1282); tn3270 speaks to IBM's mainframes over telnet (RFC 1041, RFC 1576).",
			Look:    "the mainframe: nothing you type leaves your terminal before Enter or a PF key.",
			Links:   []Link{{"Open the terminal by rlogin", "rlogin://guest@" + n.Rlogin + "/"}, {"Look at the mainframe", "tn3270://" + n.TN3270 + "/"}},
		},
		{
			Name:    "finger",
			Says:    "Who is there? One line is asked, one text comes back.",
			History: "Written by Les Earnest in 1971 for people who pointed at printed lists with a finger; RFC 1288 keeps it. A .plan was the first status line.",
			Look:    "Ann's plan.",
			Links:   []Link{{"Ask who is there", "finger://" + n.Finger + "/"}, {"Ask about Ann", "finger://" + n.Finger + "/ann"}},
		},
		{
			Name:    "gemini",
			Says:    "Documents of lines over TLS: text, headings, links, and nothing that runs.",
			History: "Begun in 2019 by somebody who found gopher too little and the web too much.",
			Look:    "“Say something”, where the server asks for a line, and what was noted about its certificate, which vouches for itself.",
			Links:   []Link{{"Open the capsule", "gemini://" + n.Gemini + "/"}, {"Say something", "gemini://" + n.Gemini + "/echo"}},
		},
		{
			Name:    "spartan",
			Says:    "Gemini's lines without the TLS, and with a way to send a text back.",
			History: "Proposed in 2021, as an exercise in how little it takes.",
			Look:    "the field in the page, which stands where the document asks for something.",
			Links:   []Link{{"Open the page", "spartan://" + n.Spartan + "/"}},
		},
		{
			Name:    "dict",
			Says:    "Words and what they mean, out of the dictionaries of a server.",
			History: "RFC 2229, from 1997; the free dictionaries of many systems still come by it.",
			Look:    "the difference between d, which defines, and m, which only matches.",
			Links:   []Link{{"Define “gateway”", "dict://" + n.Dict + "/d:gateway:uniform"}, {"What holds “or”?", "dict://" + n.Dict + "/m:or:uniform:substring"}},
		},
		{
			Name:    "wais",
			Says:    "Words in, documents out, the best first. A document is named by what its server calls it, octet for octet.",
			History: "Wide Area Information Servers, from Thinking Machines in 1989, spoke the Z39.50 of 1988; RFC 1738 and RFC 4156 read its URLs.",
			Look:    "the scores beside the results, and the long name of a document once you open one.",
			Links:   []Link{{"Search for “tulip”", "wais://" + n.WAIS + "/garden?tulip"}, {"The field to search in", "wais://" + n.WAIS + "/garden"}},
		},
		{
			Name:    "z39.50s and z39.50r",
			Says:    "A library's catalogue: s holds a session to search in, r retrieves one record.",
			History: "ANSI Z39.50 has joined library catalogues since 1988; RFC 2056 gave it two schemes in 1996.",
			Look:    "the record: MARC's three digits, with the names of what they mean.",
			Links: []Link{{"Search for “small”", "z39.50s://" + n.Library + "/books?small;rs=marc"}, {"One record, in MARC", "z39.50r://" + n.Library + "/books?2;rs=marc"},
				{"The same, as text", "z39.50r://" + n.Library + "/books?2;rs=sutrs"}},
		},
		{
			Name:    "prospero",
			Says:    "Directories whose entries are links to wherever the files are, asked for in datagrams.",
			History: "Clifford Neuman's virtual system of 1989; archie, the first search engine of the Internet, answered by it.",
			Look:    "the directory: what it lists has addresses of its own.",
			Links:   []Link{{"Open the directory", "prospero://" + n.Prospero + "//docs"}, {"Open a file", "prospero://" + n.Prospero + "//welcome.txt"}},
		},
		{
			Name:    "sftp",
			Says:    "Files behind a login, and nobody on the way can read along.",
			History: "A draft of 2001 that was never finished and that every SSH server speaks.",
			Look:    "what is noted about the server's key.",
			Links:   []Link{{"Open the folder behind the door", "sftp://guest@" + n.SFTP + "/"}, {"Read a file behind the door", "sftp://guest@" + n.SFTP + "/readme.txt"}},
		},
		{
			Name:    "ldap",
			Says:    "A directory of people and things, each with attributes; a search asks for those that fit.",
			History: "The Lightweight Directory Access Protocol made X.500 small in 1993; RFC 4511 is what it speaks today, RFC 4516 reads its URLs.",
			Look:    "the question marks in the URL: attributes, how far down, and which.",
			Links: []Link{{"Open an entry", "ldap://" + n.LDAP + "/cn=Ann%20Demo,o=Garden"},
				{"Search for people", "ldap://" + n.LDAP + "/o=Garden?cn,mail?sub?(objectClass=person)"}},
		},
		{
			Name:    "ws",
			Says:    "A line that stays open in both directions, begun as a request to a web server.",
			History: "RFC 6455, from 2011: what pages do with it is their own affair.",
			Look:    "what the server says first, and that it says it without being asked.",
			Links:   []Link{{"Hear what it says", "ws://" + n.WS + "/"}},
		},
		{
			Name:    "tftp",
			Says:    "One file, in datagrams, from somebody who asks no questions.",
			History: "RFC 783, from 1981: small enough for the memory of a machine that has nothing else yet. Networks still start by it.",
			Look:    "its mode, octet, in the URL's reading.",
			Links:   []Link{{"Read what a machine starts with", "tftp://" + n.TFTP + "/network.cfg;mode=octet"}},
		},
		{
			Name:    "mid and cid",
			Says:    "A message by its Message-ID, a part of one by its Content-ID: looked for in mailboxes, here in one of two letters.",
			History: "RFC 2392, from 1998; cid is how the pictures of a letter are named in it.",
			Look:    "the two parts of the first letter, each with an address.",
			Links: []Link{{"Open the letter", "mid:bulbs.1@garden.example"}, {"Open the answer", "mid:bulbs.2@orchard.example"},
				{"Open a part", "cid:list.1@garden.example"}},
		},
		{
			Name:    "file",
			Says:    "A file of this machine. A gateway opens none, but below folders that it is given.",
			History: "In RFC 1738 it had a host and said nothing of how to get there; RFC 8089 writes down what everybody does.",
			Look:    "the folder. Its way up ends where the gateway's folder does.",
			Links:   []Link{{"Open the demo's own folder", fileURL(filepath.Join(dir, "files")) + "/"}},
		},
		{
			Name:    "data",
			Says:    "The document itself, in its own name. Nothing is asked anywhere.",
			History: "RFC 2397, from 1998.",
			Look:    "what comes, and how nothing was connected to for it.",
			Links:   []Link{{"Open a note", "data:text/plain;charset=utf-8,A%20brief%20note"}},
		},
		{
			Name:    "mailto",
			Says:    "A letter to be written, as far as the link's author could write it.",
			History: "In RFC 1738 it had an address and nothing else; RFC 2368 gave it a subject and a text, RFC 6068 every alphabet.",
			Look:    "the form. Nothing is sent; you get a file that a mail program opens.",
			Links:   []Link{{"Write the letter", "mailto:guide@demo.example?subject=Tulips&body=Dear%20guide,%0D%0A"}},
		},
		{
			Name:    "http and https",
			Says:    "The one family that browsers kept. It is looked at first, and then left to them.",
			History: "Made in 1990 at CERN as one line, GET and a path; RFC 9110 is its law today.",
			Look:    "the page that stands before the door: what the URL means, and what to know about it.",
			Links:   []Link{{"Look at a page", "http://" + n.Web + "/"}},
		},
		{
			Name:    "nfs and afs",
			Says:    "These open too, and have no server here: they are file systems, which take a whole machine to serve.",
			History: "nfs URLs are RFC 2224's, from 1997, and afs is a name that RFC 1630 put down in 1994.",
			Look:    "the reading of each: what stands in the URL is told without a server.",
			Links:   []Link{{"What an afs URL says", "afs://cs.example/doc/README"}},
			Explain: true,
		},
		{
			Name:    "urn, geo, tel",
			Says:    "Names that say what a thing is and not where. They are read and explained; to open them, somebody has to know of a place.",
			History: "RFC 1737 asked for such names in 1994; a URN keeps its meaning when the server that had the thing is long gone.",
			Look:    "“About this URL” at the end of the page, with each part by its name.",
			Links:   []Link{{"A book", "urn:isbn:0451450523"}, {"A place", "geo:48.201,16.3695"}, {"A telephone", "tel:+1-201-555-0123"}},
			Explain: true,
		},
	}
}

// fileURL names a folder of this machine (RFC 8089).
func fileURL(name string) string {
	name = filepath.ToSlash(name)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // behind a drive's letter
	}
	return "file://" + percent.Encode(name, &percent.Path)
}
