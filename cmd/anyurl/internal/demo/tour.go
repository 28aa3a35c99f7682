package demo

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
// internet. The URLs are as a person would write them.
func (n *Internet) Tour() []Stop {
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
			Look:    "the table, which sorts by name, size and time, and the way up at its top.",
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
			Name:    "urn, geo, tel",
			Says:    "Names that say what a thing is and not where. They are read and explained; to open them, somebody has to know of a place.",
			History: "RFC 1737 asked for such names in 1994; a URN keeps its meaning when the server that had the thing is long gone.",
			Look:    "“About this URL” at the end of the page, with each part by its name.",
			Links:   []Link{{"A book", "urn:isbn:0451450523"}, {"A place", "geo:48.201,16.3695"}, {"A telephone", "tel:+1-201-555-0123"}},
			Explain: true,
		},
	}
}
