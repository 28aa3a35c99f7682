package anyurl

import (
	"strings"

	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
)

// segmentSet holds what is encoded in a path segment that is given as text, so
// that it stays one segment and stays what it is: the path percent-encode set,
// the separators, the escape itself, and "|", which would make a Windows drive
// letter of it.
var segmentSet = percent.Path.Or(abnf.Bytes(`/\%|`))

// Join gives u with the segments appended to its path. A segment is text that
// is not encoded yet, and becomes one segment whatever it holds: "/" in it is
// written "%2F". An empty last segment of the path, as in "/a/", is filled by
// the first one. Query and fragment stay.
//
// The result never climbs out of u's path: "." and ".." cannot be written as
// segments of a URL, encoded or not, and break [DotSegment]. A URL with an
// opaque path breaks [OpaquePathURL]. The offset is that of the segment in the
// segments joined by "/".
func (u URL) Join(segments ...string) (URL, error) {
	if len(segments) == 0 {
		return u, nil
	}
	input := func() string { return strings.Join(segments, "/") }
	if u.OpaquePath() {
		return u, &rule.Error{Input: input(), Offset: 0, Rule: OpaquePathURL}
	}
	r := u.record()
	path := []byte(strings.TrimSuffix(r.path, "/"))
	offset := 0
	for _, segment := range segments {
		if segment == "." || segment == ".." {
			return u, &rule.Error{Input: input(), Offset: offset, Rule: DotSegment}
		}
		path = append(path, '/')
		path = appendEncode(path, scalarValues(segment), &segmentSet)
		offset += len(segment) + 1
	}
	r.path = string(path)
	return u.finish(r, input())
}
