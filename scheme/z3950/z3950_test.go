package z3950

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("z39.50r://library.example/mags?elecworld.v30.n19"))
	fmt.Println(r.Addr(), r.Databases, r.DocID, err)
	// Output:
	// library.example:210 [mags] elecworld.v30.n19 <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"z39.50s://melvyl.ucop.edu/cat", `{"scheme":"z39.50s","host":"melvyl.ucop.edu","port":210,"databases":["cat"]}`}, // RFC 2056, section 5
		{"z39.50r://melvyl.ucop.edu/mags?elecworld.v30.n19", `{"scheme":"z39.50r","host":"melvyl.ucop.edu","port":210,"databases":["mags"],"docid":"elecworld.v30.n19","hasDocid":true}`},
		{"z39.50r://cnidr.org:2100/tmf?bkirch_rules__a1;esn=f;rs=marc", `{"scheme":"z39.50r","host":"cnidr.org","port":2100,"databases":["tmf"],"docid":"bkirch_rules__a1","hasDocid":true,"esn":"f","rs":["marc"]}`},
		{"z39.50s://h", `{"scheme":"z39.50s","host":"h","port":210}`},
		{"z39.50s://h/a+b%2Bc;rs=usmarc+sutrs", `{"scheme":"z39.50s","host":"h","port":210,"databases":["a","b+c"],"rs":["usmarc","sutrs"]}`},
		{"z39.50s://h/a;ESN=b", `{"scheme":"z39.50s","host":"h","port":210,"databases":["a"],"esn":"b"}`},
		{"z39.50r://h/a?b%3Bc", `{"scheme":"z39.50r","host":"h","port":210,"databases":["a"],"docid":"b;c","hasDocid":true}`},
		{"z39.50s://h/a%2Fb/c", `{"scheme":"z39.50s","host":"h","port":210,"databases":["a/b/c"]}`},
		{"z39.50://h/a", `{"scheme":"z39.50","host":"h","port":210,"databases":["a"]}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"z39.50r://h/cat", DocID.ID, ""},
		{"z39.50r://h/cat?;esn=f", DocID.ID, ";esn"},
		{"z39.50s://h/a;user=joe", Parameter.ID, "user=joe"},
		{"z39.50s://h/a;", Parameter.ID, ""},
		{"z39.50s://h/a;esn=", Parameter.ID, "esn="},
		{"z39.50s://h/a;rs=a;rs=b", Parameter.ID, "rs=b"},
		{"z39.50s://h/a%0A", scheme.Control.ID, "%0A"},
		{"z39.50s://u@h/a", scheme.NoUserinfo.ID, "u@h"},
		{"z39.50s:/a", scheme.HostMissing.ID, "/a"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "z39.50s://h:1/a+b?c;esn=d;rs=e+f", "z39.50r://h?x", "z39.50://h/.;rs=a", "z39.50s://h/+")
}
