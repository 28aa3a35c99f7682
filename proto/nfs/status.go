package nfs

import (
	"errors"

	"anyurl/fetch"
)

// A Status is a server's word for how an operation went: nfsstat4 of RFC 7530,
// section 13, of which nfsstat3 of RFC 1813, section 2.6, and mountstat3 of its
// section 5.1.5 are part.
type Status uint32

// The statuses that decide what is done next.
const (
	ok              Status = 0
	errPermission   Status = 1
	errNoEntry      Status = 2
	errIO           Status = 5
	errAccess       Status = 13
	errNotDir       Status = 20
	errIsDir        Status = 21
	errInvalid      Status = 22
	errNameTooLong  Status = 63
	errStale        Status = 70
	errBadHandle    Status = 10001
	errBadCookie    Status = 10003
	errNotSupported Status = 10004
	errServerFault  Status = 10006
	errDelay        Status = 10008 // JUKEBOX in version 3
	errGrace        Status = 10013
	errWrongSec     Status = 10016
	errMinorVersion Status = 10021
	errSymlink      Status = 10029
	errBadChar      Status = 10040
	errBadName      Status = 10041
)

// names are the statuses' own, without "NFS4ERR_" or "NFS3ERR_" in front.
var names = map[uint32]string{
	1: "PERM", 2: "NOENT", 5: "IO", 6: "NXIO", 13: "ACCES", 17: "EXIST", 18: "XDEV", 19: "NODEV", 20: "NOTDIR", 21: "ISDIR", 22: "INVAL", 27: "FBIG", 28: "NOSPC",
	30: "ROFS", 31: "MLINK", 63: "NAMETOOLONG", 66: "NOTEMPTY", 69: "DQUOT", 70: "STALE", 71: "REMOTE",
	10001: "BADHANDLE", 10002: "NOT_SYNC", 10003: "BAD_COOKIE", 10004: "NOTSUPP", 10005: "TOOSMALL", 10006: "SERVERFAULT", 10007: "BADTYPE", 10008: "DELAY",
	10009: "SAME", 10010: "DENIED", 10011: "EXPIRED", 10012: "LOCKED", 10013: "GRACE", 10014: "FHEXPIRED", 10015: "SHARE_DENIED", 10016: "WRONGSEC", 10017: "CLID_INUSE",
	10018: "RESOURCE", 10019: "MOVED", 10020: "NOFILEHANDLE", 10021: "MINOR_VERS_MISMATCH", 10022: "STALE_CLIENTID", 10023: "STALE_STATEID", 10024: "OLD_STATEID",
	10025: "BAD_STATEID", 10026: "BAD_SEQID", 10027: "NOT_SAME", 10028: "LOCK_RANGE", 10029: "SYMLINK", 10030: "RESTOREFH", 10031: "LEASE_MOVED", 10032: "ATTRNOTSUPP",
	10033: "NO_GRACE", 10034: "RECLAIM_BAD", 10035: "RECLAIM_CONFLICT", 10036: "BADXDR", 10037: "LOCKS_HELD", 10038: "OPENMODE", 10039: "BADOWNER", 10040: "BADCHAR",
	10041: "BADNAME", 10042: "BAD_RANGE", 10043: "LOCK_NOTSUPP", 10044: "OP_ILLEGAL", 10045: "DEADLOCK", 10046: "FILE_OPEN", 10047: "ADMIN_REVOKED", 10048: "CB_PATH_DOWN",
}

// String is the status' name, "NOENT".
func (s Status) String() string { return named(names, uint32(s), "status") }

// Error says that the server answered so.
func (s Status) Error() string { return "the server answers " + s.String() }

// fault gives a status in fetch's words.
func (s Status) fault() *fetch.Error {
	e := &fetch.Error{Step: fetch.Status, Status: int(s), Err: s}
	switch s {
	case errNoEntry, errNotDir, errBadChar, errBadName, errNameTooLong, errStale:
		e.Kind = fetch.ErrNotFound
	case errPermission, errAccess:
		e.Kind = fetch.ErrDenied
		e.Hint = "everybody may not read it; some servers also want a client's port below 1024, or list the machines that may ask"
	case errWrongSec:
		e.Kind = fetch.ErrDenied
		e.Hint = "the export wants Kerberos, which is not spoken here"
	case errDelay, errGrace:
		e.Kind = fetch.ErrBusy
	case errNotSupported, errMinorVersion:
		e.Kind = fetch.ErrUnsupported
	}
	return e
}

// is reports whether err is one of the statuses.
func is(err error, list ...Status) bool {
	var s Status
	if !errors.As(err, &s) {
		return false
	}
	for _, one := range list {
		if s == one {
			return true
		}
	}
	return false
}
