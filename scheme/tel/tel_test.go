package tel

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("tel:+1-201-555-0123"))
	fmt.Println(r.Digits, r.Global, err)
	// Output:
	// +12015550123 true <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"tel:+1-201-555-0123", `{"digits":"+12015550123","global":true}`},                       // RFC 3966, section 6
		{"tel:7042;phone-context=example.com", `{"digits":"7042","context":"example.com"}`},      // ibid.
		{"tel:863-1234;phone-context=+1-914-555", `{"digits":"8631234","context":"+1-914-555"}`}, // ibid.
		{"tel:+1(201)555.0123;EXT=1-02;isub=a%3Bb;x=y;z", `{"digits":"+12015550123","global":true,"ext":"102","isub":"a;b","params":[{"name":"x","value":"y"},{"name":"z"}]}`},
		{"tel:112", `{"digits":"112"}`},
		{"tel:*31%23a", `{"digits":"*31#A"}`},
		{"tel:+49%2030%20901820", `{"digits":"+4930901820","global":true}`}, // met in the wild
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"tel:call-me", BadNumber.ID, "call-me"},
		{"tel:", BadNumber.ID, ""},
		{"tel:+", BadNumber.ID, "+"},
		{"tel:+12a", BadNumber.ID, "+12a"},
		{"tel:1%0D%0A2", BadNumber.ID, "1%0D"},
		{"tel:+1;ext=x", BadParam.ID, "ext=x"},
		{"tel:+1;ext=1;ext=2", BadParam.ID, "ext=2"},
		{"tel:+1;phone-context=x", BadParam.ID, "phone-context"}, // for local numbers alone
		{"tel:+1;a_b=c", BadParam.ID, "a_b"},
		{"tel:+1;", BadParam.ID, ""},
		{"tel:+1?x", scheme.NoQuery.ID, "?x"},
		{"tel://1", scheme.NoAuthority.ID, "//1"},
		{"sms:+1", scheme.OtherScheme.ID, "sms"},
	})
}

func TestReadSMS(t *testing.T) {
	schemetest.Reads(t, ReadSMS, []schemetest.Row{
		{"sms:+15105550101", `{"numbers":[{"digits":"+15105550101","global":true}]}`}, // RFC 5724, section 2.5
		{"sms:+15105550101,+15105550102?body=hello%20there", `{"numbers":[{"digits":"+15105550101","global":true},{"digits":"+15105550102","global":true}],"body":"hello there","hasBody":true}`},
		{"sms:1;x=y?Body=&foo=b%26r", `{"numbers":[{"digits":"1","params":[{"name":"x","value":"y"}]}],"hasBody":true,"fields":[{"name":"foo","value":"b\u0026r"}]}`},
		{"sms:1?", `{"numbers":[{"digits":"1"}]}`},
	})
	schemetest.Refuses(t, ReadSMS, []schemetest.Fault{
		{"sms:", BadNumber.ID, ""},
		{"sms:+1,", BadNumber.ID, ""},
		{"sms:+1?body=%00", Control.ID, "%00"},
		{"sms://+1", scheme.NoAuthority.ID, "//+1"},
		{"tel:+1", scheme.OtherScheme.ID, "tel"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "tel:+1;ext=2;isub=%25;x=", "tel:A;phone-context=b", "tel:(1)")
}

func FuzzReadSMS(f *testing.F) {
	schemetest.Fuzz(f, ReadSMS, "sms:1,+2;x=y?body=a&b=c&&=", "sms:%31%2C2?body=1&body=2", "sms:1?b%3Dc")
}
