package ldap

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("ldap://ldap1.example.net/c=GB?objectClass?one"))
	fmt.Println(r.Addr(), r.DN, r.Attributes, r.Scope, err)
	// Output:
	// ldap1.example.net:389 c=GB [objectClass] one <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{ // RFC 4516, section 4
		{"ldap:///o=University%20of%20Michigan,c=US", `{"host":"","dn":"o=University of Michigan,c=US","scope":"base","filter":"(objectClass=*)"}`},
		{"ldap://ldap1.example.net/o=University%20of%20Michigan,c=US?postalAddress", `{"host":"ldap1.example.net","port":389,"dn":"o=University of Michigan,c=US","attributes":["postalAddress"],"scope":"base","filter":"(objectClass=*)"}`},
		{"ldap://ldap1.example.net:6666/o=U,c=US??sub?(cn=Babs%20Jensen)", `{"host":"ldap1.example.net","port":6666,"dn":"o=U,c=US","scope":"sub","filter":"(cn=Babs Jensen)"}`},
		{"LDAP://ldap1.example.com/c=GB?objectClass?ONE", `{"host":"ldap1.example.com","port":389,"dn":"c=GB","attributes":["objectClass"],"scope":"one","filter":"(objectClass=*)"}`},
		{"ldap://ldap2.example.com/o=Question%3f,c=US?mail", `{"host":"ldap2.example.com","port":389,"dn":"o=Question?,c=US","attributes":["mail"],"scope":"base","filter":"(objectClass=*)"}`},
		{"ldap://ldap3.example.com/o=Babsco,c=US???(four-octet=%5c00%5c00%5c00%5c04)", `{"host":"ldap3.example.com","port":389,"dn":"o=Babsco,c=US","scope":"base","filter":"(four-octet=\\00\\00\\00\\04)"}`},
		{"ldap:///??sub??e-bindname=cn=Manager%2cdc=example%2cdc=com", `{"host":"","dn":"","scope":"sub","filter":"(objectClass=*)","extensions":["e-bindname=cn=Manager,dc=example,dc=com"]}`},
		{"ldaps://h", `{"tls":true,"host":"h","port":636,"dn":"","scope":"base","filter":"(objectClass=*)"}`},
		{"ldap://h/a%2Fb/c?x,y", `{"host":"h","port":389,"dn":"a/b/c","attributes":["x","y"],"scope":"base","filter":"(objectClass=*)"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"ldap://h/o=x??all", Scope.ID, "all"},
		{"ldap://h/o=x?????y", Fields.ID, "y"},
		{"ldap://h/o=%00", ControlOctet.ID, "%00"},
		{"ldap://u@h/", scheme.NoUserinfo.ID, "u@h"},
		{"ldap:o=x", scheme.HostMissing.ID, "o=x"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "ldap://h:1/a?b,c?sub?(d=e)?!f=g,h", "ldaps:///?%2C", "ldap://h?x", "ldap://h/..%2f")
}
