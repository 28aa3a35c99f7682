package fetch

import (
	"fmt"

	"anyurl"
	"anyurl/internal/iana"
)

// ownPorts are the ports at which each scheme's servers are at home. For the
// special schemes the URL Standard says it; the rest is the scheme's own
// registration or, where that names none, what its servers use.
var ownPorts = map[string][]uint16{
	"ftp":        {21},
	"ftps":       {990, 21}, // implicit TLS, and explicit on the plain port
	"gopher":     {70},
	"gophers":    {70}, // TLS and clear share the port in practice
	"nntp":       {119},
	"news":       {119},
	"nntps":      {563},
	"snews":      {563},
	"telnet":     {23},
	"telnets":    {992},
	"tn3270":     {23, 992},
	"rlogin":     {513},
	"wais":       {210},
	"z39.50":     {210},
	"z39.50r":    {210},
	"z39.50s":    {210},
	"prospero":   {1525, 191},
	"nfs":        {2049, 111},
	"afs":        {},
	"imap":       {143},
	"imaps":      {993},
	"mid":        {143, 993, 119, 563},
	"cid":        {143, 993, 119, 563},
	"mailto":     {25, 465, 587},
	"finger":     {79},
	"whois":      {43},
	"gemini":     {1965},
	"titan":      {1965},
	"spartan":    {300},
	"dict":       {2628},
	"ldap":       {389},
	"ldaps":      {636},
	"sftp":       {22},
	"ssh":        {22},
	"tftp":       {69},
	"rsync":      {873},
	"irc":        {194, 6667},
	"ircs":       {6697},
	"mailserver": {25, 465, 587},
}

// Port is the rule for where a scheme may connect: http and https, and ws and
// wss, keep off the ports that the Fetch Standard bars; every other scheme
// keeps off other protocols' well-known ports (0 to 1023, and the services
// above them that a request could be turned against). A URL is how a stranger
// has us speak, and a line for one protocol can be a command in another. The
// error is an *[Error] with Kind ErrRefused.
func Port(u anyurl.URL) error {
	port := u.EffectivePort()
	if !u.HasPort() {
		return nil // the scheme's own
	}
	scheme := u.Scheme()
	var why string
	switch scheme {
	case "http", "https", "ws", "wss":
		if iana.BadPort(port) {
			return &Error{Step: Gate, URL: u, Kind: ErrRefused, Code: "bad-port",
				Err: fmt.Errorf("port %d is %sbarred for %s by the Fetch Standard", port, belongs(port), scheme)}
		}
		return nil
	default:
		for _, own := range ownPorts[scheme] {
			if port == own {
				return nil
			}
		}
		if why = belongs(port); why == "" && port > 1023 {
			return nil
		}
	}
	if why == "" {
		why = "a well-known port, "
	}
	return &Error{Step: Gate, URL: u, Kind: ErrRefused, Code: "port-crosses-protocol",
		Err: fmt.Errorf("port %d is %sand not one of %s", port, why, scheme), Hint: "allow the port if that is really what listens there"}
}

// belongs says whose port it is, with a comma after.
func belongs(port uint16) string {
	if s, ok := iana.Service(port); ok {
		return s.Name + "'s, "
	}
	return ""
}
