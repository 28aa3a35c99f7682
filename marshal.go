package anyurl

import (
	"database/sql/driver"
	"fmt"
	"log/slog"
)

// AppendTo appends the serialisation to dst.
func (u URL) AppendTo(dst []byte) []byte { return append(dst, u.href...) }

// AppendText implements [encoding.TextAppender]; see [URL.MarshalText].
func (u URL) AppendText(dst []byte) ([]byte, error) { return u.AppendTo(dst), nil }

// MarshalText implements [encoding.TextMarshaler]: it gives the serialisation,
// which is empty for the zero URL.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.href), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] by [Parse]. An empty
// text gives the zero URL.
func (u *URL) UnmarshalText(text []byte) error { return u.set(string(text)) }

// AppendBinary implements [encoding.BinaryAppender]; the form is that of the text.
func (u URL) AppendBinary(dst []byte) ([]byte, error) { return u.AppendTo(dst), nil }

// MarshalBinary implements [encoding.BinaryMarshaler]; the form is that of the text.
func (u URL) MarshalBinary() ([]byte, error) { return []byte(u.href), nil }

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]; see [URL.UnmarshalText].
func (u *URL) UnmarshalBinary(data []byte) error { return u.set(string(data)) }

// Scan implements [database/sql.Scanner] for strings, []byte and NULL, which
// gives the zero URL.
func (u *URL) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*u = URL{}
		return nil
	case string:
		return u.set(src)
	case []byte:
		return u.set(string(src))
	}
	return fmt.Errorf("scanning a URL: a %T is no text", src)
}

// Value implements [driver.Valuer]: the serialisation, or NULL for the zero URL.
func (u URL) Value() (driver.Value, error) {
	if u.IsZero() {
		return nil, nil
	}
	return u.href, nil
}

// LogValue implements [slog.LogValuer]: a log sees [URL.Redacted].
func (u URL) LogValue() slog.Value { return slog.StringValue(u.Redacted()) }

// set parses s into u, which stays as it is when s is no URL.
func (u *URL) set(s string) error {
	if s == "" {
		*u = URL{}
		return nil
	}
	v, err := Parse(s)
	if err != nil {
		return err
	}
	*u = v
	return nil
}
