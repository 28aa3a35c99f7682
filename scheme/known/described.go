package known

import (
	"strings"

	"anyurl/internal/iana"
	"anyurl/scheme"
)

// A description is what is said here of a scheme that no room reads.
type description struct {
	name     string
	port     uint16
	defined  string // empty: what the registry says
	protocol string
	syntax   string
	example  string
	says     string
}

// described gives the facts about schemes that no room reads but that people
// meet, so that what is said of them is more than the registry's line.
func described() []scheme.Scheme {
	list := make([]scheme.Scheme, len(descriptions))
	for i, d := range descriptions {
		s := scheme.Scheme{
			Name: d.name, Family: d.name, Port: d.port, Status: "unregistered", Defined: d.defined,
			Says: d.says, Syntax: d.syntax, Example: d.example, Protocol: d.protocol,
			Authority: strings.HasPrefix(d.example, d.name+"://"),
		}
		if e, ok := iana.Lookup(d.name); ok {
			r := registered(e)
			s.Status = r.Status
			if s.Defined == "" {
				s.Defined = r.Defined
			}
		}
		list[i] = s
	}
	return list
}

// descriptions are sorted by name.
var descriptions = [...]description{
	{"aaa", 3868, "", "Diameter (RFC 6733)", "aaa://host[:port][;transport=...][;protocol=...]", "aaa://aaa.example;transport=tcp", "A Diameter server, which answers who may use a network and for what price."},
	{"aaas", 5658, "", "Diameter (RFC 6733) in TLS", "aaas://host[:port][;transport=...][;protocol=...]", "aaas://aaa.example;transport=tcp", "A Diameter server, asked inside TLS."},
	{"acap", 674, "", "ACAP (RFC 2244)", "acap://[user@]host[:port]/path", "acap://acap.example/addressbook/", "Settings and address books on an ACAP server, a protocol that came to little."},
	{"acct", 0, "", "WebFinger (RFC 7033), to learn more", "acct:user@host", "acct:joe@a.example", "A user's account at a service, by the name of both. It says who, not where to write to."},
	{"afp", 548, "the Apple Filing Protocol's documentation", "AFP", "afp://[user[:password]@]host[/volume/path]", "afp://files.example/docs", "A file on an Apple file server, from before macOS changed to SMB."},
	{"aim", 0, "", "AOL Instant Messenger", "aim:action?parameter=value", "aim:goim?screenname=joe", "A contact or a chat in AOL Instant Messenger, which ended in 2017."},
	{"android-app", 0, "Android's documentation", "none", "android-app://package/scheme/host/path", "android-app://org.example.garden/https/www.example/", "A page inside an Android app, by the app's package."},
	{"apt", 0, "", "the system's package manager", "apt:package[,package]...", "apt:tulips", "Packages to install on Debian and its relatives. Opening one changes the machine."},
	{"at", 0, "the AT Protocol's specification", "HTTP (RFC 9110)", "at://authority/collection/record", "at://joe.a.example/app.bsky.feed.post/3jui7kd54zh2y", "A record in a user's repository on the AT Protocol, on which Bluesky is built."},
	{"bitcoin", 0, "BIP 21", "Bitcoin", "bitcoin:address[?amount=...&label=...]", "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=0.5", "A request to pay someone in bitcoins. A wallet asks before it pays."},
	{"browserext", 0, "", "none", "browserext://extension/path", "browserext://abcdef/index.html", "A file of a browser extension."},
	{"callto", 0, "", "Skype and others", "callto:name", "callto:joe", "A call to make in NetMeeting, and later in Skype. The tel scheme has taken its place."},
	{"chrome", 0, "", "none", "chrome://page", "chrome://settings/", "A page of the browser itself. A web page cannot link to it."},
	{"chrome-extension", 0, "", "none", "chrome-extension://extension/path", "chrome-extension://abcdef/index.html", "A file of an extension of Chrome and its relatives."},
	{"coap", 5683, "RFC 7252, section 6.1", "CoAP (RFC 7252)", "coap://host[:port]/path[?query]", "coap://sensor.example/temperature", "A resource of a small device, asked for in the Constrained Application Protocol over UDP."},
	{"coap+tcp", 5683, "", "CoAP (RFC 8323)", "coap+tcp://host[:port]/path[?query]", "coap+tcp://sensor.example/temperature", "A resource of a small device, asked for in the Constrained Application Protocol over TCP."},
	{"coaps", 5684, "RFC 7252, section 6.2", "CoAP (RFC 7252) in DTLS", "coaps://host[:port]/path[?query]", "coaps://sensor.example/temperature", "A resource of a small device, asked for in the Constrained Application Protocol inside DTLS."},
	{"content", 0, "Android's documentation", "none", "content://authority/path", "content://contacts/people/1", "Data that an Android app hands out to others."},
	{"crid", 0, "RFC 4078", "none", "crid://host/data", "crid://tv.example/film", "A television programme, whenever and wherever it is broadcast."},
	{"cvs", 2401, "", "CVS", "cvs://[method:]user@host:/path", "cvs://anonymous@cvs.example/garden", "A module in a CVS repository, from before Subversion and Git."},
	{"dav", 80, "", "WebDAV (RFC 4918)", "dav:name | dav://host/path", "dav://files.example/docs/", "Names of WebDAV's properties; in file managers also a folder on a WebDAV server."},
	{"davs", 443, "common practice", "WebDAV (RFC 4918) in TLS", "davs://host/path", "davs://files.example/docs/", "A folder on a WebDAV server in TLS, in the file managers of Unix desktops."},
	{"did", 0, "W3C Decentralized Identifiers, section 3.1", "as the method says", "did:method:identifier", "did:example:123456789abcdefghi", "A decentralized identifier: a name that its owner controls without any registry's leave."},
	{"dns", 53, "", "DNS (RFC 1035)", "dns:[//host[:port]/]name[?type=...&class=...]", "dns:www.example?type=AAAA", "Records of the Domain Name System, perhaps at one server of it."},
	{"doi", 0, "", "the Handle System, or HTTP at doi.org", "doi:prefix/suffix", "doi:10.1000/182", "A published work by its Digital Object Identifier, which outlives the publisher's web pages."},
	{"ed2k", 0, "", "eDonkey", "ed2k://|file|name|size|hash|/", "ed2k://%7Cfile%7Ctulips.txt%7C1024%7Cabc%7C/", "A file in the eDonkey network by its hash and size."},
	{"ethereum", 0, "ERC-681", "Ethereum", "ethereum:address[@chain][/function][?parameter=value]", "ethereum:0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359?value=1", "A request to pay or to call a contract on Ethereum. A wallet asks before it does."},
	{"example", 0, "RFC 7595, section 8", "none", "example:anything", "example:tulips", "A scheme for examples in documents, which will never mean anything."},
	{"facetime", 0, "", "FaceTime", "facetime:user", "facetime:joe@a.example", "A video call to make with Apple's FaceTime."},
	{"fax", 0, "RFC 2806", "the telephone", "fax:number", "fax:+12015550123", "A telephone number that a fax machine answers. RFC 3966 dropped the scheme; tel is used."},
	{"filesystem", 0, "", "the browser's storage", "filesystem:origin/type/path", "filesystem:https://a.example/temporary/x.txt", "A file in a browser's own store for one origin; a trial that is over."},
	{"fish", 22, "", "FISH on SSH", "fish://[user@]host/path", "fish://joe@host.example/srv/", "Files on a host that is only known by a Secure Shell login: shell commands stand in for a protocol."},
	{"git+ssh", 22, "git-fetch(1), Git URLs", "Git on SSH", "git+ssh://[user@]host[:port]/path", "git+ssh://git@git.example/garden.git", "An older spelling of ssh for a Git repository."},
	{"go", 0, "RFC 3368", "CNRP (RFC 3367)", "go:name", "go:tulips", "A thing by its common name. The resolution service it needs never came into use."},
	{"gs", 443, "common practice", "HTTP (RFC 9110)", "gs://bucket/key", "gs://garden/tulips.csv", "An object in a bucket of Google Cloud Storage, as tools write it."},
	{"h323", 1720, "RFC 3508", "H.323", "h323:user@host", "h323:joe@gateway.example", "Someone to call by H.323, the video telephony of the 1990s."},
	{"http+unix", 0, "common practice", "HTTP (RFC 9110) on a Unix socket", "http+unix://path%2Fof%2Fsocket/path", "http+unix://%2Frun%2Fdocker.sock/info", "A resource of an HTTP server that listens on a Unix socket, whose path stands encoded where a host would. It reaches services of this machine that no network can."},
	{"hxxp", 0, "draft-salgado-hxxp", "none", "hxxp://host/path", "hxxp://malware.example/x", "An http URL that was made unusable on purpose, so that nobody opens it by accident: how security people write down bad places."},
	{"hxxps", 0, "draft-salgado-hxxp", "none", "hxxps://host/path", "hxxps://malware.example/x", "An https URL that was made unusable on purpose, so that nobody opens it by accident."},
	{"iax", 4569, "", "IAX2 (RFC 5456)", "iax:[user@]host[:port][/extension]", "iax:pbx.example/joe", "Someone to call through an Asterisk telephone exchange."},
	{"icap", 1344, "", "ICAP (RFC 3507)", "icap://host[:port]/path", "icap://scanner.example/respmod", "A service that checks or changes what passes through a web proxy, such as a virus scanner."},
	{"im", 0, "", "any instant messaging", "im:user@host", "im:joe@a.example", "Someone to write an instant message to, by whatever service he is on."},
	{"imap", 143, "RFC 5092", "IMAP (RFC 9051)", "imap://[user@]host[:port]/mailbox[;UID=n[/;SECTION=part]]", "imap://joe@mail.example/INBOX;UID=20", "A mailbox on a mail server, a search in it, a message or a part of one."},
	{"imaps", 993, "RFC 8314 for the port; common practice", "IMAP (RFC 9051) in TLS", "imaps://[user@]host[:port]/mailbox[;UID=n]", "imaps://joe@mail.example/INBOX;UID=20", "What imap is, inside TLS from the first octet. RFC 5092 knows imap alone."},
	{"info", 0, "RFC 4452", "none", "info:namespace/identifier", "info:lccn/2002022641", "A thing by its identifier in a library's or publisher's namespace. The registry of namespaces is closed; urn is used."},
	{"ipfs", 0, "", "IPFS", "ipfs://cid/path", "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/readme", "A file by the hash of what is in it, from whoever has it on the InterPlanetary File System."},
	{"ipns", 0, "", "IPFS", "ipns://name/path", "ipns://docs.example/guide/", "A name on the InterPlanetary File System that its owner can point at new content."},
	{"ipp", 631, "", "IPP (RFC 8010)", "ipp://host[:port]/path", "ipp://printer.example/ipp/print", "A printer, or a job of one."},
	{"ipps", 631, "", "IPP (RFC 8010) in TLS", "ipps://host[:port]/path", "ipps://printer.example/ipp/print", "A printer, or a job of one, asked inside TLS."},
	{"itms", 0, "", "iTunes Store", "itms://host/path", "itms://itunes.example/album", "A page of Apple's music store."},
	{"jabber", 0, "", "XMPP", "jabber:user@host", "jabber:joe@a.example", "Namespaces of XMPP, and an older spelling of xmpp."},
	{"jdbc", 0, "java.sql.DriverManager", "the database's", "jdbc:subprotocol:rest", "jdbc:postgresql://db.example:5432/garden", "A database for a Java program: behind the second colon stands whatever that database's driver takes, often a URL of its own."},
	{"jms", 0, "RFC 6167", "Java Message Service", "jms:variant:destination[?parameter=value]", "jms:queue:orders", "A queue or a topic of the Java Message Service."},
	{"lbry", 0, "", "LBRY", "lbry://name", "lbry://tulips", "A publication on the LBRY network."},
	{"ldapi", 0, "common practice", "LDAP (RFC 4511) on a Unix socket", "ldapi://path%2Fof%2Fsocket/dn", "ldapi://%2Frun%2Fldapi/", "An LDAP directory that listens on a Unix socket, whose path stands encoded where a host would."},
	{"market", 0, "", "Google Play", "market://details?id=package", "market://details?id=org.example.garden", "An app in Android's store."},
	{"matrix", 0, "the Matrix specification, Matrix URIs", "Matrix", "matrix:u|r|roomid/name[/e/event]", "matrix:r/tulips:a.example", "A user, a room or an event on Matrix."},
	{"memcached", 11211, "common practice", "memcached", "memcached://host[:port]", "memcached://cache.example", "A memcached server, as libraries write it in their settings."},
	{"message", 0, "", "the reader's mailbox", "message:%3Cmessage-id%3E", "message:%3C960830.1639@a.example%3E", "A mail message by its Message-ID, as Apple Mail writes it; mid is the standard's way."},
	{"mms", 1755, "Microsoft Media Server protocol", "MMS or RTSP", "mms://host/path", "mms://media.example/film.wmv", "A stream of Microsoft's media server; given up for RTSP and HTTP."},
	{"modem", 0, "RFC 2806", "the telephone", "modem:number", "modem:+12015550123;type=v32b", "A telephone number that a modem answers. RFC 3966 dropped the scheme."},
	{"mongodb", 27017, "MongoDB's connection string specification", "MongoDB", "mongodb://[user:password@]host[:port][,...]/[database][?options]", "mongodb://db.example/garden", "A MongoDB database. More than one host may stand between the commas."},
	{"mqtt", 1883, "", "MQTT", "mqtt://[user[:password]@]host[:port][/topic]", "mqtt://broker.example/greenhouse/temperature", "A broker of MQTT, by which sensors publish what they measure."},
	{"mqtts", 8883, "", "MQTT in TLS", "mqtts://[user[:password]@]host[:port][/topic]", "mqtts://broker.example/greenhouse/temperature", "A broker of MQTT, reached in TLS."},
	{"ms-msdt", 0, "none; CVE-2022-30190", "none; it started a program", "ms-msdt:/id package ...", "ms-msdt:/id%20PCWDiagnostic", "Windows' diagnostic tool, which ran commands out of the URL in 2022. A link to it is an attack."},
	{"ms-settings", 0, "", "none", "ms-settings:page", "ms-settings:network", "A page of the settings of Windows."},
	{"msrp", 2855, "", "MSRP (RFC 4975)", "msrp://host[:port]/session;transport", "msrp://a.example:7777/iau39soe2843z;tcp", "A session of instant messages between two endpoints of SIP."},
	{"mumble", 64738, "", "Mumble", "mumble://[user[:password]@]host[:port]/channel", "mumble://voice.example/garden", "A voice chat server and a channel on it."},
	{"mysql", 3306, "common practice", "MySQL", "mysql://[user[:password]@]host[:port]/database", "mysql://db.example/garden", "A MySQL database, as programs write it in their settings."},
	{"netdoc", 0, "none; a class of older Java", "the operating system or FTP", "netdoc:path", "netdoc:/etc/motd", "A file, to older Java programs: a way around checks that know file alone."},
	{"ni", 0, "RFC 6920", "HTTP (RFC 9110) at the authority's .well-known/ni", "ni://[host]/algorithm;hash", "ni:///sha-256;UyaQV-Ev4rdLoHyJJWCi11OHfrYv9E1aGQAlMO2X_-Q", "A thing by the hash of what is in it, so that whoever has it can be sure that it is the right one."},
	{"nih", 0, "RFC 6920, section 7", "none", "nih:algorithm;hash[;check]", "nih:sha-256-32;53269057;b", "The hash of a thing in a form that people can read out."},
	{"nntps", 563, "common practice", "NNTP (RFC 3977) in TLS", "nntps://host[:port]/group", "nntps://news.example/comp.infosystems.www.misc", "What nntp is, inside TLS from the first octet. RFC 5538 has no such scheme."},
	{"nostr", 0, "NIP-21", "Nostr", "nostr:identifier", "nostr:npub1sn0wdenkukak0d9dfczzeacvhkrgz92ak56egt7vdgzn8pv2wfqqhrjdv9", "A user, a note or a relay of Nostr."},
	{"oid", 0, "draft-larmouth-oid-iri", "none", "oid:/arc/arc...", "oid:/ISO/Registration-Authority", "An object identifier of the tree that ISO and ITU-T keep."},
	{"opaquelocktoken", 0, "RFC 4918, section 6.5", "none", "opaquelocktoken:uuid", "opaquelocktoken:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "The token of a WebDAV lock. It names nothing else."},
	{"openpgp4fpr", 0, "", "key servers", "openpgp4fpr:fingerprint", "openpgp4fpr:51b4d4a6e24bbb9d3f3a09b0a5c1a1f7d4e5c6b7", "An OpenPGP key by its fingerprint, as it is put into a QR code."},
	{"otpauth", 0, "", "none", "otpauth://totp|hotp/label?secret=...", "otpauth://totp/A:joe?secret=JBSWY3DPEHPK3PXP", "The secret of a two-factor code, as it is put into a QR code. Whoever sees the URL has the secret."},
	{"pack", 0, "draft-shur-pack-uri-scheme", "that of the package's URL", "pack://authority/path", "pack://https%3A,,a.example,x/part", "A part of an Office Open XML package."},
	{"payto", 0, "RFC 8905", "as the type says", "payto://type/account[?amount=...]", "payto://iban/DE75512108001245126199?amount=EUR:200.0", "A payment to make to a bank account or the like. A program asks before it pays."},
	{"phar", 0, "PHP's documentation", "the operating system", "phar://path/entry", "phar://garden.phar/tulips.php", "A file in an archive of PHP's, whose mere opening made older PHP run what the archive held."},
	{"php", 0, "PHP's documentation", "none", "php://stream", "php://input", "A stream of the running PHP program: its input, its memory, or a filter over another URL. In a URL from elsewhere it is an attack."},
	{"pkcs11", 0, "RFC 7512", "PKCS #11", "pkcs11:attribute=value[;...][?module-path=...]", "pkcs11:token=garden;object=key", "A key or a certificate in a smart card or the like."},
	{"pkg", 0, "ECMA-427, Package-URL", "none", "pkg:type/[namespace/]name@version[?qualifiers][#subpath]", "pkg:golang/example.org/garden@v1.2.0", "A software package in some ecosystem, for bills of materials and advisories. It names a package and not a place."},
	{"pop", 110, "RFC 2384", "POP3 (RFC 1939)", "pop://[user[;auth=...]@]host[:port]", "pop://joe@mail.example", "A mailbox on a POP3 server."},
	{"pops", 995, "RFC 8314 for the port; common practice", "POP3 (RFC 1939) in TLS", "pops://[user@]host[:port]", "pops://joe@mail.example", "A mailbox on a POP3 server, reached in TLS. RFC 2384 knows pop alone."},
	{"postgresql", 5432, "PostgreSQL's documentation, Connection URIs", "PostgreSQL", "postgresql://[user[:password]@][host[:port]][/database][?parameter=value]", "postgresql://db.example/garden", "A PostgreSQL database."},
	{"pres", 0, "RFC 3859", "any presence service", "pres:user@host", "pres:joe@a.example", "Someone whose presence one may ask for, by whatever service he is on."},
	{"redis", 6379, "", "Redis", "redis://[[user]:password@]host[:port][/database]", "redis://cache.example/0", "A Redis database. The protocol is lines of text, which other protocols' clients can be made to speak."},
	{"rediss", 6379, "", "Redis in TLS", "rediss://[[user]:password@]host[:port][/database]", "rediss://cache.example/0", "A Redis database, reached in TLS."},
	{"res", 0, "", "none", "res://module/resource", "res://shell32.dll/1", "A resource in a Windows program file."},
	{"resource", 0, "", "none", "resource://host/path", "resource://gre/chrome/x.css", "A file of the browser Firefox itself."},
	{"rsync", 873, "RFC 5781", "rsync", "rsync://[user@]host[:port]/module/path", "rsync://mirror.example/pub/docs/", "Files to be brought up to date by the rsync algorithm, which sends only what differs."},
	{"rtmp", 1935, "Adobe's RTMP specification", "RTMP", "rtmp://host[:port]/app/stream", "rtmp://live.example/garden/camera1", "A stream of the Flash age, and still how live video is sent in."},
	{"rtsp", 554, "RFC 7826, section 4.2", "RTSP (RFC 7826)", "rtsp://host[:port]/path", "rtsp://camera.example/stream1", "A film or a camera to be played, stopped and wound."},
	{"rtsps", 322, "RFC 7826, section 4.2", "RTSP (RFC 7826) in TLS", "rtsps://host[:port]/path", "rtsps://camera.example/stream1", "A film or a camera to be played, stopped and wound, asked for in TLS."},
	{"s3", 443, "common practice", "HTTP (RFC 9110)", "s3://bucket/key", "s3://garden/tulips.csv", "An object in a bucket of Amazon's S3 or a service like it, as tools write it."},
	{"scp", 22, "common practice", "SCP on SSH", "scp://[user@]host[:port]/path", "scp://joe@host.example/srv/a.txt", "A file on a host, copied through a Secure Shell login."},
	{"search-ms", 0, "Microsoft's documentation", "none", "search-ms:parameter=value[&...]", "search-ms:query=tulips", "A search in Windows, whose results may come from somebody else's server and look like files of one's own."},
	{"secret-token", 0, "RFC 8959", "none", "secret-token:token", "secret-token:E92FB7EB-D882-47A4-A265-A0B6135DC842%20foo", "A secret that is marked as one, so that programs which look for leaked secrets find it."},
	{"service", 0, "RFC 2609", "SLP (RFC 2608)", "service:type://address", "service:printer:lpr://printer.example", "A service on the local network and its address, as the Service Location Protocol tells them."},
	{"shttp", 80, "RFC 2660", "S-HTTP (RFC 2660)", "shttp://host[:port]/path", "shttp://a.example/", "Secure HTTP of 1994, which encrypts each message by itself. https won; the registry marks it as obsolete."},
	{"sieve", 4190, "RFC 5804, section 3", "ManageSieve (RFC 5804)", "sieve://[user@]host[:port][/[owner/]script]", "sieve://joe@mail.example/vacation", "A mail filter's script on a mail server."},
	{"sip", 5060, "RFC 3261, section 19.1", "SIP (RFC 3261)", "sip:[user[:password]@]host[:port][;parameter=value][?header=value]", "sip:joe@a.example;transport=tcp", "Someone to call over the Internet."},
	{"sips", 5061, "RFC 3261, section 19.1", "SIP (RFC 3261) in TLS", "sips:[user[:password]@]host[:port][;parameter=value][?header=value]", "sips:joe@a.example", "Someone to call over the Internet, with TLS on all of the way."},
	{"skype", 0, "", "Skype", "skype:user[?action]", "skype:joe?call", "A contact or a call in Skype, which ended in 2025."},
	{"smb", 445, "", "SMB", "smb://[user@]host/share/path", "smb://files.example/docs/a.txt", "A file on a Windows file server. Opening one may send the user's name and a proof of the password to the server."},
	{"smtp", 25, "", "SMTP (RFC 5321)", "smtp://host[:port]", "smtp://mail.example:587", "A mail server, as programs write it in their settings."},
	{"smtps", 465, "RFC 8314 for the port; common practice", "SMTP (RFC 5321) in TLS", "smtps://[user@]host[:port]", "smtps://mail.example", "A mail server to hand in mail at, reached in TLS."},
	{"snmp", 161, "RFC 4088", "SNMP", "snmp://[user@]host[:port][/context][/oid]", "snmp://switch.example/bridge1/1.3.6.1.2.1.1.3.0", "A value that a device tells of itself by the network's management protocol."},
	{"socks5", 1080, "common practice", "SOCKS 5 (RFC 1928)", "socks5://[user:password@]host[:port]", "socks5://proxy.example:1080", "A proxy that hands connections on, as programs write it in their settings."},
	{"spotify", 0, "", "Spotify", "spotify:type:id", "spotify:track:2jpDioAB9tlYXMdXDK3BGl", "A song, an album or a list in Spotify."},
	{"steam", 0, "", "Steam", "steam://command/id", "steam://run/440", "A game to run, or a page, in Steam. Opening one may start a program."},
	{"stun", 3478, "RFC 7064", "STUN (RFC 8489)", "stun:host[:port]", "stun:stun.example", "A server that tells a client its own address as others see it."},
	{"stuns", 5349, "RFC 7064", "STUN (RFC 8489) in TLS", "stuns:host[:port]", "stuns:stun.example", "A server that tells a client its own address as others see it, asked in TLS."},
	{"tag", 0, "RFC 4151", "none", "tag:authority,date:specific", "tag:a.example,2026-11-30:tulips", "A name that whoever had a domain or a mail address on a date has made up, good for ever and leading nowhere."},
	{"teamspeak", 9987, "", "TeamSpeak", "teamspeak://host[?port=...]", "teamspeak://voice.example", "A voice chat server."},
	{"telnets", 992, "common practice", "Telnet (RFC 854) in TLS", "telnets://[user@]host[:port]/", "telnets://library.example/", "What telnet is, inside TLS from the first octet."},
	{"thismessage", 0, "RFC 2557, section 5", "none", "thismessage:/path", "thismessage:/images/a.png", "The base of relative references in a mail message that names no other."},
	{"tip", 3372, "RFC 2371, section 7", "TIP (RFC 2371)", "tip://host[:port]/path?transaction", "tip://tm.example/?tid1", "A transaction that several servers take part in."},
	{"turn", 3478, "RFC 7065", "TURN (RFC 8656)", "turn:host[:port][?transport=udp|tcp]", "turn:turn.example?transport=udp", "A server that relays a call where no direct way is."},
	{"turns", 5349, "RFC 7065", "TURN (RFC 8656) in TLS", "turns:host[:port][?transport=tcp]", "turns:turn.example", "A server that relays a call where no direct way is, reached in TLS."},
	{"tv", 0, "RFC 2838", "television", "tv:[broadcast]", "tv:bbc.co.uk", "What a television station broadcasts right now."},
	{"unix", 0, "common practice", "that of the program that asks", "unix:path", "unix:/run/garden.sock", "A socket on this machine, as programs write it in their settings."},
	{"url", 0, "RFC 1738, appendix", "that of the URL inside", "URL:url", "url:http://a.example/", "No scheme of its own: the mark that RFC 1738 puts before a URL in a text, so that readers know one when they see it."},
	{"vbscript", 0, "Microsoft's documentation", "none; it was run", "vbscript:program", "vbscript:MsgBox(1)", "A program in VBScript that Internet Explorer ran in the page where the URL was opened. A link to one is an attack."},
	{"vemmi", 575, "RFC 2122", "VEMMI", "vemmi://host[:port]/service", "vemmi://zeus.example/demo", "A service of the videotex successor VEMMI."},
	{"vnc", 5900, "RFC 7869", "RFB (RFC 6143)", "vnc://host[:port][?parameter=value]", "vnc://desk.example:5901", "A desktop to see and to use from afar."},
	{"vscode", 0, "", "Visual Studio Code", "vscode://command/argument", "vscode://file/srv/garden.go:12", "A file to open, or an extension's command, in Visual Studio Code."},
	{"webcal", 80, "", "HTTP (RFC 9110)", "webcal://host/path", "webcal://a.example/garden.ics", "A calendar to subscribe to; it is got by http or https from the same place."},
	{"wifi", 0, "", "none", "WIFI:T:WPA;S:name;P:password;;", "wifi:T:WPA;S:garden;P:tulips;;", "A wireless network and its password, as they are put into a QR code. Whoever sees it can join."},
	{"wyciwyg", 0, "", "none", "wyciwyg://n/URL", "wyciwyg://0/http://a.example/", "A page that a script has written, in the history of older Firefox: \"what you cache is what you get\"."},
	{"xmpp", 5222, "RFC 5122", "XMPP (RFC 6120)", "xmpp:[user@]host[/resource][?query]", "xmpp:joe@a.example?message", "Someone to write to, or a room to join, on XMPP."},
	{"ymsgr", 0, "", "Yahoo! Messenger", "ymsgr:action?user", "ymsgr:sendim?joe", "A contact or a chat in Yahoo! Messenger, which ended in 2018."},
}
