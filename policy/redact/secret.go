package redact

import (
	"fmt"
	"io"
	"log/slog"

	"errand/policy/redact/find"
)

// Secret is a string that never prints itself: if it is formatted, logged or
// marshalled, a mark appears. Only Reveal returns the text. UnmarshalText reads it from
// the configuration. The zero Secret is empty and prints as "".
//
// Compare the results of Reveal: == compares pointers.
type Secret struct {
	// A pointer, because the verb %p of fmt prints fields without calling Format.
	text *string
}

// NewSecret wraps a secret.
func NewSecret(text string) Secret { return Secret{&text} }

// Reveal returns the secret itself. Call it only where the secret is used.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// String returns a mark without a tag, because the key of tags is not known here.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return find.MarkOpen + "secret:0000]"
}

// GoString implements [fmt.GoStringer].
func (s Secret) GoString() string { return fmt.Sprintf("redact.Secret(%q)", s.String()) }

// Format writes a mark for every verb, including %x.
func (s Secret) Format(f fmt.State, verb rune) {
	out := s.String()
	switch {
	case verb == 'q':
		out = fmt.Sprintf("%q", out)
	case verb == 'v' && f.Flag('#'):
		out = s.GoString()
	}
	_, _ = io.WriteString(f, out)
}

// MarshalText returns the mark.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the secret.
func (s *Secret) UnmarshalText(b []byte) error {
	*s = NewSecret(string(b))
	return nil
}

// LogValue returns the mark.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
