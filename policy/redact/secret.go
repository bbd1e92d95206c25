package redact

import (
	"fmt"
	"io"
	"log/slog"

	"errand/policy/redact/find"
)

// Secret is a string that does not print itself: formatted, logged or
// marshalled it is a mark. Reading config fills it by UnmarshalText; only
// Reveal gives the text away. The zero Secret is empty and prints as "".
//
// Compare secrets by what Reveal answers: == compares where they are held.
type Secret struct {
	// A pointer, because %p of fmt asks no Formatter and prints fields.
	text *string
}

// NewSecret wraps a secret.
func NewSecret(text string) Secret { return Secret{&text} }

// Reveal is the secret itself. Call it where it is used, never where it is
// shown.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// String is a mark. It carries no tag: the key of the tags is not known here.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return find.MarkOpen + "secret:0000]"
}

// GoString keeps %#v from showing the fields.
func (s Secret) GoString() string { return fmt.Sprintf("redact.Secret(%q)", s.String()) }

// Format keeps every other verb, %x among them, from showing the bytes.
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

// MarshalText writes the mark: a config with a secret in it can be shown.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the secret.
func (s *Secret) UnmarshalText(b []byte) error {
	*s = NewSecret(string(b))
	return nil
}

// LogValue is the mark.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
