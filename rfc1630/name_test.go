package rfc1630_test

import (
	"testing"

	"anyurl/rfc1630"
)

// TestNames holds that the names are in step with their values, and that a value
// out of range is no panic.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{rfc1630.Production(0).String(), ""},
		{rfc1630.GopherAddress.String(), "gopheraddress"},
		{(rfc1630.GopherAddress + 1).String(), "unknown"},
		{rfc1630.FragmentID.String(), "fragmentid"},
		{(rfc1630.FragmentID + 1).String(), "unknown"},
		{rfc1630.Part(255).String(), "unknown"},
		{rfc1630.Hostnumber.String(), "hostnumber"},
		{(rfc1630.Hostnumber + 1).String(), "unknown"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
