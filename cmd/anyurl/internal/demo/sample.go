package demo

import "strings"

// Sample is a text that links to every server of the internet: to what is
// there, to what has moved, and to what is gone. It is Markdown.
func (n *Internet) Sample() string {
	return strings.NewReplacer("WEB", n.Web, "//FTP", "//"+n.FTP, "HOLE", n.Gopher, "NEWS", n.News, "FINGER", n.Finger, "GEMINI", n.Gemini,
		"SPARTAN", n.Spartan, "DICT", n.Dict, "TELNET", n.Telnet, "REMOTE", n.Rlogin, "MAINFRAME", n.TN3270, "WAIS", n.WAIS,
		"LIBRARY", n.Library, "SFTP", n.SFTP, "PROSPERO", n.Prospero, "BOOT", n.TFTP, "PEOPLE", n.LDAP, "SOCKET", n.WS, "CLOSED", n.Closed).Replace(sample)
}

const sample = `# A small guide to a small internet

Start with [the front page](http://WEB/) and [the notes](http://WEB/notes.html).
The notes used to live [elsewhere](http://WEB/old-notes.html), and
[today's](http://WEB/today) are the same. The members' corner is
at <http://WEB/members>, and the guest book (http://WEB/guests.html) is lost.

Files are kept on <URL:ftp://FTP/motd;type=a>, in the folder
<ftp://FTP/docs/>, and there was a <ftp://FTP/docs/universal.txt> once.

The gopher hole has [a menu](gopher://HOLE/1/), [a page about itself](gopher://HOLE/0/about.txt)
and [one that was never written](gopher://HOLE/0/history.txt).

The news are in <news:demo.garden>; read <news:tulips.3@meadow.example>, or the
[first article](nntp://NEWS/demo.garden/1), but not [the ninth](nntp://NEWS/demo.garden/9).
Ann [says](finger://FINGER/ann) what she plans. There is [a capsule](gemini://GEMINI/)
with [a page that moved](gemini://GEMINI/old) and [one that is gone](gemini://GEMINI/new.gmi),
[a Spartan](spartan://SPARTAN/), and [a word](dict://DICT/d:gateway:uniform) with
[no meaning](dict://DICT/d:tulip:uniform). Call <telnet://TELNET/> and say hello,
or <rlogin://REMOTE/>, or look at a screen of <tn3270://MAINFRAME/>.

Search the [garden](wais://WAIS/garden?tulip), or [the attic](wais://WAIS/attic?tulip).
The library has [a second book](z39.50r://LIBRARY/books?2;rs=marc) and
no [ninth](z39.50r://LIBRARY/books?9;rs=marc). There is [a directory](prospero://PROSPERO//docs)
and [no such file](prospero://PROSPERO//lost.txt), [a file behind a door](sftp://guest@SFTP/readme.txt)
and [none](sftp://guest@SFTP/diary.txt), [what a machine starts with](tftp://BOOT/network.cfg;mode=octet)
and [what it does not](tftp://BOOT/kernel;mode=octet). [Ann](ldap://PEOPLE/cn=Ann%20Demo,o=Garden)
is listed, [Zoe](ldap://PEOPLE/cn=Zoe,o=Garden) is not, and [somebody](ws://SOCKET/) speaks first.

Nobody answers at <http://CLOSED/>. This one is no URL: <http://1.2.3.4.5/>.
Write to <mailto:guide@example.com>.
`

// Letter is a text with links that nobody should follow. They lead to names and
// addresses that are kept for documentation, and are never opened.
const Letter = `Dear customer, please confirm your account at
http://www.bank.example@203.0.113.9/login within a day. Our archive is at
<gopher://mail.example:25/0HELO%0D%0AMAIL%20FROM:%3Cx%3E>.
`
