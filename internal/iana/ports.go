package iana

import "slices"

// BadPort reports whether the Fetch Standard (section "port blocking", as of
// 2026-07) bars http and https from the port because another protocol's
// server listens there. Port 0 is no port to connect to at all and counts too.
func BadPort(port uint16) bool {
	if port == 0 {
		return true
	}
	_, ok := slices.BinarySearch(badPorts[:], port)
	return ok
}

var badPorts = [...]uint16{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79,
	87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137,
	139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
	540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
	2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
	6679, 6697, 10080,
}

// A Server is what usually listens on a port.
type Server struct {
	Port uint16
	// Name is the service's name in IANA's registry of service names and port
	// numbers, or the name the program goes by where it is not registered there.
	Name string
	// Lines is set where the protocol is made of text lines, so that a request
	// for another protocol may be taken for commands.
	Lines bool
}

// Service tells what usually listens on a TCP port, for the services that a
// URL has been, or could be, turned against.
func Service(port uint16) (Server, bool) {
	i, ok := slices.BinarySearchFunc(servers[:], port, func(s Server, p uint16) int {
		return int(s.Port) - int(p)
	})
	if !ok {
		return Server{}, false
	}
	return servers[i], true
}

// servers follows IANA's Service Name and Transport Protocol Port Number
// Registry; what is not registered there, or registered for something nobody
// runs, is the program's own default and says so.
var servers = [...]Server{
	{7, "echo", true},
	{9, "discard", true},
	{11, "systat", true},
	{13, "daytime", true},
	{17, "qotd", true},
	{19, "chargen", true},
	{20, "ftp-data", false},
	{21, "ftp", true},
	{22, "ssh", false},
	{23, "telnet", true},
	{25, "smtp", true},
	{37, "time", false},
	{42, "nameserver", false},
	{43, "nicname", true},
	{49, "tacacs", false},
	{53, "domain", false},
	{70, "gopher", true},
	{79, "finger", true},
	{80, "http", true},
	{88, "kerberos", false},
	{98, "linuxconf", true}, // Linuxconf's own
	{102, "iso-tsap", false},
	{105, "csnet-ns", true},
	{109, "pop2", true},
	{110, "pop3", true},
	{111, "sunrpc", false},
	{113, "auth", true},
	{119, "nntp", true},
	{135, "epmap", false},
	{139, "netbios-ssn", false},
	{143, "imap", true},
	{179, "bgp", false},
	{194, "irc", true},
	{210, "z39.50", false},
	{220, "imap3", true},
	{389, "ldap", false},
	{427, "svrloc", false},
	{443, "https", false},
	{445, "microsoft-ds", false},
	{465, "submissions", false},
	{502, "mbap", false},
	{512, "exec", false},
	{513, "login", false},
	{514, "shell", false},
	{515, "printer", true},
	{530, "courier", false},
	{540, "uucp", true},
	{543, "klogin", false},
	{544, "kshell", false},
	{548, "afpovertcp", false},
	{554, "rtsp", true},
	{563, "nntps", false},
	{587, "submission", true},
	{601, "syslog-conn", true},
	{623, "oob-ws-http", true},
	{631, "ipp", true},
	{636, "ldaps", false},
	{783, "spamassassin", true}, // SpamAssassin's own
	{853, "domain-s", false},
	{873, "rsync", true},
	{989, "ftps-data", false},
	{990, "ftps", false},
	{992, "telnets", false},
	{993, "imaps", false},
	{995, "pop3s", false},
	{1080, "socks", false},
	{1099, "rmiregistry", false},
	{1344, "icap", true},
	{1433, "ms-sql-s", false},
	{1521, "oracle", false}, // Oracle's own
	{1525, "prospero-np", false},
	{1719, "h323gatestat", false},
	{1720, "h323hostcall", false},
	{1723, "pptp", false},
	{1883, "mqtt", false},
	{1965, "gemini", true}, // the Gemini protocol's own
	{2000, "cisco-sccp", true},
	{2003, "graphite", true}, // Graphite's own
	{2049, "nfs", false},
	{2181, "zookeeper", true},
	{2375, "docker", true},
	{2376, "docker-s", false},
	{2379, "etcd-client", true},
	{2628, "dict", true},
	{3128, "squid", true}, // Squid's own
	{3260, "iscsi-target", false},
	{3306, "mysql", false},
	{3389, "ms-wbt-server", false},
	{3632, "distcc", true},
	{3659, "apple-sasl", false},
	{3690, "svn", true},
	{4045, "npp", false},
	{4190, "sieve", true},
	{4369, "epmd", false},
	{4444, "metasploit", true}, // Metasploit's own
	{4730, "gearman", true},
	{5060, "sip", true},
	{5061, "sips", false},
	{5222, "xmpp-client", true},
	{5269, "xmpp-server", true},
	{5432, "postgresql", false},
	{5555, "adb", false}, // Android debug bridge's own
	{5672, "amqp", false},
	{5900, "rfb", false},
	{5984, "couchdb", true},
	{6000, "x11", false},
	{6379, "redis", true},
	{6443, "sun-sr-https", false},
	{6566, "sane-port", false},
	{6665, "ircu", true},
	{6666, "ircu", true},
	{6667, "ircu", true},
	{6668, "ircu", true},
	{6669, "ircu", true},
	{6697, "ircs-u", false},
	{8009, "ajp13", false}, // Apache Tomcat's own
	{8086, "influxdb", true},
	{8500, "consul", true},
	{9000, "fastcgi", false}, // PHP-FPM's own
	{9042, "cassandra", false},
	{9050, "tor-socks", false},
	{9092, "kafka", false},
	{9100, "pdl-datastream", true},
	{9200, "elasticsearch", true},
	{9418, "git", false},
	{10050, "zabbix-agent", true},
	{10051, "zabbix-trapper", true},
	{10250, "kubelet", false},
	{11211, "memcached", true},
	{11300, "beanstalkd", true}, // beanstalkd's own
	{15672, "rabbitmq", true},
	{25565, "minecraft", false},
	{27017, "mongodb", false},
	{50000, "sap-gateway", false},
	{50070, "hdfs-namenode", true},
}
