//go:build uriparser

// Package uriparser reads URIs with the C library uriparser, so that rfc3986
// can be held against it. It needs Debian's liburiparser-dev and the build tag
// uriparser:
//
//	apt-get install liburiparser-dev
//	go test -tags uriparser ./uriparser
package uriparser

/*
#cgo LDFLAGS: -luriparser
#include <stdlib.h>
#include <string.h>
#include <uriparser/Uri.h>

// parts gives start and end of scheme, userinfo, host, port, query and
// fragment, or -1, and the kind of host: 0 none, 1 regname, 2 ipv4, 3 ipv6, 4
// ipvfuture. The path is written to path, which has room for n + 2 octets.
static int parts(const char *s, size_t n, long *out, char *path, size_t *pathLen) {
	UriUriA u;
	const char *bad;
	if (uriParseSingleUriExA(&u, s, s + n, &bad) != URI_SUCCESS)
		return 0;
	UriTextRangeA *r[] = {&u.scheme, &u.userInfo, &u.hostText, &u.portText, &u.query, &u.fragment};
	for (int i = 0; i < 6; i++) {
		out[2*i] = out[2*i+1] = -1;
		if (r[i]->first && r[i]->first >= s && r[i]->first <= s + n) {
			out[2*i] = r[i]->first - s;
			out[2*i+1] = r[i]->afterLast - s;
		} else if (r[i]->first) { // empty, and somewhere else
			out[2*i] = out[2*i+1] = 0;
		}
	}
	out[12] = u.hostData.ip4 ? 2 : u.hostData.ip6 ? 3 : u.hostData.ipFuture.first ? 4 : u.hostText.first ? 1 : 0;
	char *p = path;
	for (UriPathSegmentA *seg = u.pathHead; seg; seg = seg->next) {
		if (seg != u.pathHead || u.absolutePath || out[12])
			*p++ = '/';
		memcpy(p, seg->text.first, seg->text.afterLast - seg->text.first);
		p += seg->text.afterLast - seg->text.first;
	}
	if (!u.pathHead && u.absolutePath)
		*p++ = '/';
	*pathLen = p - path;
	uriFreeUriMembersA(&u);
	return 1;
}

// resolve gives a string to free, or NULL.
static char *resolve(const char *b, size_t bn, const char *r, size_t rn, int strict) {
	UriUriA base, ref, target;
	const char *bad;
	char *out = NULL;
	if (uriParseSingleUriExA(&base, b, b + bn, &bad) != URI_SUCCESS)
		return NULL;
	if (uriParseSingleUriExA(&ref, r, r + rn, &bad) == URI_SUCCESS) {
		if (uriAddBaseUriExA(&target, &ref, &base, strict ? URI_RESOLVE_STRICTLY : URI_RESOLVE_IDENTICAL_SCHEME_COMPAT) == URI_SUCCESS) {
			int n;
			if (uriToStringCharsRequiredA(&target, &n) == URI_SUCCESS && (out = malloc(n + 1)) != NULL)
				uriToStringA(out, &target, n + 1, NULL);
			uriFreeUriMembersA(&target);
		}
		uriFreeUriMembersA(&ref);
	}
	uriFreeUriMembersA(&base);
	return out;
}
*/
import "C"

import (
	"strings"
	"unsafe"
)

// A URI is what uriparser makes of a text. A part that is not there is "-".
type URI struct {
	Scheme, Userinfo, Host, HostKind, Port, Path, Query, Fragment string
}

// Parse reads a URI reference.
func Parse(s string) (URI, bool) {
	var out [13]C.long
	path := make([]byte, len(s)+2)
	var pathLen C.size_t
	text := []byte(s + "\x00")
	if C.parts((*C.char)(unsafe.Pointer(&text[0])), C.size_t(len(s)), &out[0], (*C.char)(unsafe.Pointer(&path[0])), &pathLen) == 0 {
		return URI{}, false
	}
	part := func(i int) string {
		if out[2*i] < 0 {
			return "-"
		}
		return s[out[2*i]:out[2*i+1]]
	}
	return URI{
		Scheme: part(0), Userinfo: part(1), Host: part(2), Port: part(3), Query: part(4), Fragment: part(5),
		HostKind: [...]string{"none", "regname", "ipv4", "ipv6", "ipvfuture"}[out[12]],
		Path:     string(path[:pathLen]),
	}, true
}

// Resolve gives the target of a reference; where strict is not set, a scheme
// that is the base's is read as none.
func Resolve(base, ref string, strict bool) (string, bool) {
	how := C.int(0)
	if strict {
		how = 1
	}
	b, r := []byte(base+"\x00"), []byte(ref+"\x00")
	out := C.resolve((*C.char)(unsafe.Pointer(&b[0])), C.size_t(len(base)), (*C.char)(unsafe.Pointer(&r[0])), C.size_t(len(ref)), how)
	if out == nil {
		return "", false
	}
	defer C.free(unsafe.Pointer(out))
	return strings.Clone(C.GoString(out)), true
}
