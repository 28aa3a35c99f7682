package anyurl

import "golang.org/x/net/idna"

// toASCII is the standard's "domain parser ToASCII".
func toASCII(name string, beStrict bool) (string, error) {
	return idna.New(
		idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(),
		idna.CheckJoiners(true), idna.CheckHyphens(beStrict),
		idna.StrictDomainName(beStrict), idna.VerifyDNSLength(beStrict),
	).ToASCII(name)
}

// toUnicode is the standard's "domain to Unicode".
func toUnicode(name string) string {
	s, err := idna.New(
		idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(),
		idna.CheckJoiners(true), idna.CheckHyphens(false), idna.StrictDomainName(false),
	).ToUnicode(name)
	if err != nil {
		return name
	}
	return s
}
