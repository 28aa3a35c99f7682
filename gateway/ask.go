package gateway

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"anyurl"
	"anyurl/audit"
)

// A seal makes the links that say "open it all the same": each is good for one
// URL, one client and ten minutes, so that no page elsewhere can have one ready.
type seal struct{ key [32]byte }

func newSeal() (s seal) {
	rand.Read(s.key[:])
	return s
}

// sure is the view of a confirmed URL: what comes behind it is the token.
const sure = "sure-"

const sureFor = 10 * time.Minute

func (s seal) token(u anyurl.URL, client netip.Addr, until int64) string {
	mac := hmac.New(sha256.New, s.key[:])
	for _, part := range []string{u.WithoutFragment().String(), client.String(), strconv.FormatInt(until, 36)} {
		mac.Write([]byte(part))
		mac.Write([]byte{0})
	}
	return strconv.FormatInt(until, 36) + "-" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:15])
}

// link is the address that opens u although it looks dangerous.
func (s seal) link(u anyurl.URL, client netip.Addr, now time.Time) string {
	return address(sure+s.token(u, client, now.Add(sureFor).Unix()), u)
}

// holds reports whether the view of a request says, truly, that its client has
// seen what there is to say about u.
func (s seal) holds(view string, u anyurl.URL, client netip.Addr, now time.Time) bool {
	got, ok := strings.CutPrefix(view, sure)
	if !ok {
		return false
	}
	text, _, _ := strings.Cut(got, "-")
	until, err := strconv.ParseInt(text, 36, 64)
	if err != nil || now.Unix() > until {
		return false
	}
	return hmac.Equal([]byte(got), []byte(s.token(u, client, until)))
}

// dubious gives the findings that have to be seen before u is opened: the
// dangers, but for those that whoever runs the gateway has allowed by its gate.
func (g *Gateway) dubious(u anyurl.URL, findings []audit.Finding) (list []audit.Finding) {
	passes := g.o.Gate(u) == nil
	for _, f := range findings {
		if f.Severity == audit.Danger && !(f.Blocks && passes) {
			list = append(list, f)
		}
	}
	return list
}
