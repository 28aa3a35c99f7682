package check_test

import (
	"context"
	"encoding/binary"
	"net"
	"strings"
	"testing"

	"anyurl/check"
	"anyurl/dial"
)

// names starts a name server on loopback that knows some MX records, and gives a
// resolver that asks it. A domain whose hosts are "." has a null MX.
func names(t *testing.T, mx map[string][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			conn.WriteTo(dnsAnswer(buf[:n], mx), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// dnsAnswer answers a query of one question (RFC 1035, section 4).
func dnsAnswer(query []byte, mx map[string][]string) []byte {
	end := 12
	var labels []string
	for query[end] != 0 {
		labels = append(labels, string(query[end+1:end+1+int(query[end])]))
		end += 1 + int(query[end])
	}
	kind := binary.BigEndian.Uint16(query[end+1:])
	hosts, known := mx[strings.ToLower(strings.Join(labels, "."))]
	answer := append([]byte{}, query[:end+5]...)
	answer[2], answer[3] = 0x81, 0x80
	if !known {
		answer[3] |= 3 // no such name
	}
	count := 0
	if kind == 15 {
		for i, host := range hosts {
			data := []byte{0, byte(10 * (i + 1))}
			for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
				if label != "" {
					data = append(append(data, byte(len(label))), label...)
				}
			}
			data = append(data, 0)
			answer = append(answer, 0xc0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, byte(len(data)))
			answer = append(answer, data...)
			count++
		}
	}
	binary.BigEndian.PutUint16(answer[6:], uint16(count))
	clear(answer[8:12]) // neither authority nor more
	return answer
}

func TestMail(t *testing.T) {
	resolver := names(t, map[string][]string{"a.example": {"mx1.a.example.", "mx2.a.example."}, "null.example": {"."}})
	d := &dial.Dialer{Resolver: resolver}
	c := &check.Checker{Client: &world{}, Mail: d.MX, Retries: -1, Pause: 1}
	got := map[string]check.Result{}
	c.Run(t.Context(), links("mailto:joe@a.example", "mailto:joe@a.example,ann@gone.example?subject=x", "mailto:joe@null.example", "mailto:joe", "mailto:?subject=x", "mailto:joe%40a.example"), func(r check.Result) { got[r.URL] = r })
	for _, tt := range []struct {
		url    string
		state  check.State
		reason string
	}{
		{"mailto:joe@a.example", check.Alive, ""},
		{"mailto:joe%40a.example", check.Alive, ""},
		{"mailto:joe@a.example,ann@gone.example?subject=x", check.Broken, "gone.example takes no mail: there is no such domain"},
		{"mailto:joe@null.example", check.Broken, "the domain takes no mail (null MX, RFC 7505)"}, // RFC 7505
		{"mailto:joe", check.Broken, "no mail address"},
		{"mailto:?subject=x", check.Alive, ""}, // RFC 6068: nobody is named
	} {
		if r := got[tt.url]; r.State != tt.state || r.Reason != tt.reason {
			t.Errorf("%s: %s, %q, want %s, %q; %q", tt.url, r.State, r.Reason, tt.state, tt.reason, r.Evidence)
		}
	}
	hosts, err := d.MX(t.Context(), "a.example")
	if err != nil || strings.Join(hosts, " ") != "mx1.a.example mx2.a.example" {
		t.Errorf("got %q, %v", hosts, err)
	}
}
