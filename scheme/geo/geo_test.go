package geo

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("geo:48.2010,16.3695,183"))
	fmt.Println(r.Lat, r.Lon, r.Alt, err)
	// Output:
	// 48.201 16.3695 183 <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"geo:13.4125,103.8667", `{"lat":13.4125,"lon":103.8667,"crs":"wgs84"}`}, // RFC 5870, section 1
		{"geo:48.2010,16.3695,183;crs=wgs84;u=10", `{"lat":48.201,"lon":16.3695,"alt":183,"hasAlt":true,"crs":"wgs84","u":10,"hasU":true}`},
		{"geo:-90,-180,0;CRS=WGS84;U=0;Foo=b%3Br;x", `{"lat":-90,"lon":-180,"hasAlt":true,"crs":"wgs84","hasU":true,"params":[{"name":"foo","value":"b;r"},{"name":"x"}]}`},
		{"geo:300000,5000000;crs=epsg32618", `{"lat":300000,"lon":5000000,"crs":"epsg32618"}`},
		{"geo:-0,0.50", `{"lat":0,"lon":0.5,"crs":"wgs84"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"geo:48N,16E", Coordinates.ID, "48N"},
		{"geo:1", Coordinates.ID, "1"},
		{"geo:1,2,3,4", Coordinates.ID, "1,2"},
		{"geo:1.,2", Coordinates.ID, "1."},
		{"geo:+1,2", Coordinates.ID, "+1"},
		{"geo:1e1,2", Coordinates.ID, "1e1"},
		{"geo:148.2,16.3", Range.ID, "148.2"},
		{"geo:16.3,181", Range.ID, "181"},
		{"geo:1,2;u=near", BadParam.ID, "u=near"},
		{"geo:1,2;u=1;u=2", BadParam.ID, "u=2"},
		{"geo:1,2;u=1;crs=wgs84", BadParam.ID, "crs"}, // crs comes first
		{"geo:1,2;", BadParam.ID, ""},
		{"geo:1,2?q=x", scheme.NoQuery.ID, "?q"},
		{"geo://1,2", scheme.NoAuthority.ID, "//1"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "geo:1.5,-2,3;crs=x;u=4;y=%25", "geo:-0,0;u=0", "geo:123456789012345678901234567890,1;crs=x")
}
