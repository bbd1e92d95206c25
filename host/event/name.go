package event

import (
	"strings"

	"errand/planner/message"
)

// Name identifies a resource by its place in the tree of resources (Universal
// Resource Identifier of the agent services). It is "cld:" followed by the path
// from the root. Each element of the path is a type and an id joined by a dot:
//
//	cld:errand.Run.01kjmma2g0dq4v7x8m2c5n9p3r/errand.Step.a1
//
// A type consists of words of ASCII letters, digits and "_", joined by dots. An id
// consists of ASCII letters, digits, "_", "-", ":" and "~". It can't contain a
// separator or a parent folder, and has only one spelling. [ID] makes one of any
// text.
type Name string

// Limits of a name.
const (
	MaxName  = 2048 // bytes
	MaxDepth = 64   // elements of the path
)

const scheme = "cld:"

// ParseName validates s and returns it as a name.
func ParseName(s string) (Name, error) {
	n := Name(s)
	return n, n.Validate()
}

// Child returns the name of a resource below n.
func (n Name) Child(kind, id string) (Name, error) {
	if err := n.Validate(); err != nil {
		return "", err
	}
	c, err := ParseName(string(n) + "/" + kind + "." + id)
	if err == nil && strings.Count(string(c), "/") != strings.Count(string(n), "/")+1 {
		return "", invalid(message.New("event.bad_name_element", "element", kind+"."+id))
	}
	return c, err
}

// Parent returns the name of n's parent, or "" for a root.
func (n Name) Parent() Name {
	return n[:max(strings.LastIndexByte(string(n), '/'), 0)]
}

// Kind returns the last element's type.
func (n Name) Kind() string { kind, _ := n.lastSegment(); return kind }

// ID returns the last element's id.
func (n Name) ID() string { _, id := n.lastSegment(); return id }

func (n Name) lastSegment() (kind, id string) {
	e := strings.TrimPrefix(string(n), scheme)
	e = e[strings.LastIndexByte(e, '/')+1:]
	i := strings.LastIndexByte(e, '.')
	if i < 0 {
		return "", ""
	}
	return e[:i], e[i+1:]
}

// Validate checks the syntax and the limits of n.
func (n Name) Validate() error {
	path, ok := strings.CutPrefix(string(n), scheme)
	switch {
	case len(n) > MaxName:
		return invalid(message.New("event.name_too_long", "count", len(n), "limit", MaxName))
	case !ok:
		return invalid(message.New("event.name_without_scheme", "name", string(n), "scheme", scheme))
	case strings.Count(path, "/") >= MaxDepth:
		return invalid(message.New("event.name_too_deep", "count", strings.Count(path, "/")+1, "limit", MaxDepth))
	}
	for e := range strings.SplitSeq(path, "/") {
		i := strings.LastIndexByte(e, '.')
		if i < 0 || !isKind(e[:i]) || !isID(e[i+1:]) {
			return invalid(message.New("event.element_without_id", "name", string(n), "element", e))
		}
	}
	return nil
}

func isKind(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || !allBytes(word, func(c byte) bool { return isAlphanumeric(c) || c == '_' }) {
			return false
		}
	}
	return true
}

func isID(s string) bool {
	return s != "" && allBytes(s, func(c byte) bool { return isPlain(c) || c == '~' })
}

func isPlain(c byte) bool { return isAlphanumeric(c) || c == '_' || c == '-' || c == ':' }

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func allBytes(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

// ID converts any text into an id. Different texts give different ids. It writes
// "~" and each byte that an id can't contain as "~" and two hex digits. The empty
// text becomes "~".
func ID(text string) string {
	if text == "" {
		return "~"
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; isPlain(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'~', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// Prefix selects a part of the tree. A name selects itself and everything below
// it; a name with "/" selects only what is below it. The empty prefix and "cld:"
// select everything. A prefix matches whole elements: cld:a.B.1 does not select
// cld:a.B.10.
type Prefix string

// Validate checks the syntax of p.
func (p Prefix) Validate() error {
	if p.selectsAll() {
		return nil
	}
	return Name(strings.TrimSuffix(string(p), "/")).Validate()
}

// Matches reports whether p selects n.
func (p Prefix) Matches(n Name) bool {
	if p.selectsAll() {
		return true
	}
	rest, ok := strings.CutPrefix(string(n), strings.TrimSuffix(string(p), "/"))
	return ok && (rest == "" && !strings.HasSuffix(string(p), "/") || len(rest) > 1 && rest[0] == '/')
}

// Bounds returns p as ranges for an index of names in byte order. p selects self
// and every name with from <= name < to. self is empty if p selects only what is
// below it; to is empty if p selects everything.
func (p Prefix) Bounds() (self Name, from, to string) {
	if p.selectsAll() {
		return "", "", ""
	}
	base := strings.TrimSuffix(string(p), "/")
	if base == string(p) {
		self = Name(base)
	}
	return self, base + "/", base + "0" // "0" is the byte after "/"
}

func (p Prefix) selectsAll() bool { return p == "" || p == scheme }
