package rfc1738_test

import (
	"testing"

	"anyurl/rfc1738"
)

// TestNames holds that the names are in step with their values, and that a value
// out of range is no panic.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{rfc1738.Production(0).String(), ""},
		{rfc1738.GenericURL.String(), "genericurl"},
		{(rfc1738.GenericURL + 1).String(), "unknown"},
		{rfc1738.FieldSpecs.String(), "fieldspec"},
		{(rfc1738.FieldSpecs + 1).String(), "unknown"},
		{rfc1738.Part(255).String(), "unknown"},
		{rfc1738.Hostnumber.String(), "hostnumber"},
		{(rfc1738.Hostnumber + 1).String(), "unknown"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
