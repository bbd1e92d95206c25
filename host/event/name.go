package event

import (
	"strings"
)

// Name identifies a resource by its place in the tree of resources (Universal
// Resource Identifier of the agent services): "cld:" and the path from the root
// to it. Each element of the path is a type and an id joined by a dot:
//
//	cld:errand.Run.01kjmma2g0dq4v7x8m2c5n9p3r/errand.Step.a1
//
// A type is words of ASCII letters, digits and "_" joined by dots. An id is ASCII
// letters, digits, "_", "-", ":" and "~", so that it holds no separator, names no
// folder above, and is spelt in one way only; [ID] makes one of any text.
type Name string

// Bounds of a name.
const (
	MaxName  = 2048 // bytes
	MaxDepth = 64   // elements of its path
)

const scheme = "cld:"

// ParseName is s as a name, if it is one.
func ParseName(s string) (Name, error) {
	n := Name(s)
	return n, n.Validate()
}

// Root names a resource that has no parent.
func Root(kind, id string) (Name, error) { return ParseName(scheme + kind + "." + id) }

// Child names a resource of n.
func (n Name) Child(kind, id string) (Name, error) {
	if err := n.Validate(); err != nil {
		return "", err
	}
	c, err := ParseName(string(n) + "/" + kind + "." + id)
	if err == nil && strings.Count(string(c), "/") != strings.Count(string(n), "/")+1 {
		return "", invalid("%q is more than one element of a resource name", kind+"."+id)
	}
	return c, err
}

// Parent is the name of what n is a resource of; empty for a root.
func (n Name) Parent() Name {
	return n[:max(strings.LastIndexByte(string(n), '/'), 0)]
}

// Kind and ID are the last element's type and id.
func (n Name) Kind() string { kind, _ := n.last(); return kind }

// ID is the last element's id.
func (n Name) ID() string { _, id := n.last(); return id }

func (n Name) last() (kind, id string) {
	e := strings.TrimPrefix(string(n), scheme)
	e = e[strings.LastIndexByte(e, '/')+1:]
	i := strings.LastIndexByte(e, '.')
	if i < 0 {
		return "", ""
	}
	return e[:i], e[i+1:]
}

// Validate refuses what is not a name.
func (n Name) Validate() error {
	path, ok := strings.CutPrefix(string(n), scheme)
	switch {
	case len(n) > MaxName:
		return invalid("a resource name of %d bytes, at most %d", len(n), MaxName)
	case !ok:
		return invalid("%q is not a resource name: it does not begin with %s", string(n), scheme)
	case strings.Count(path, "/") >= MaxDepth:
		return invalid("a resource name of %d elements, at most %d", strings.Count(path, "/")+1, MaxDepth)
	}
	for e := range strings.SplitSeq(path, "/") {
		i := strings.LastIndexByte(e, '.')
		if i < 0 || !isKind(e[:i]) || !isID(e[i+1:]) {
			return invalid("%q is not a resource name: %q is not a type and an id joined by a dot", string(n), e)
		}
	}
	return nil
}

func isKind(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || !all(word, func(c byte) bool { return isAlphanumeric(c) || c == '_' }) {
			return false
		}
	}
	return true
}

func isID(s string) bool { return s != "" && all(s, func(c byte) bool { return plain(c) || c == '~' }) }

func plain(c byte) bool { return isAlphanumeric(c) || c == '_' || c == '-' || c == ':' }

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func all(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

// ID makes an id of any text, different texts different ids: what can't stand in
// one, and "~" itself, becomes "~" and two hex digits a byte. An empty text is "~".
func ID(text string) string {
	if text == "" {
		return "~"
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; plain(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'~', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// Prefix selects a part of the tree. A name selects itself and everything below
// it; a name and "/" only what is below it. The empty prefix, or "cld:", selects
// all. It ends at a boundary always: cld:a.B.1 does not select cld:a.B.10.
type Prefix string

// Validate refuses what is not a prefix.
func (p Prefix) Validate() error {
	if p.all() {
		return nil
	}
	return Name(strings.TrimSuffix(string(p), "/")).Validate()
}

// Matches reports whether p selects n.
func (p Prefix) Matches(n Name) bool {
	if p.all() {
		return true
	}
	rest, ok := strings.CutPrefix(string(n), strings.TrimSuffix(string(p), "/"))
	return ok && (rest == "" && !strings.HasSuffix(string(p), "/") || len(rest) > 1 && rest[0] == '/')
}

// Bounds are for an index of names in the order of their bytes: p selects self
// and every name with from <= name < to. self is empty where p selects only what
// is below it; to is empty where p selects all.
func (p Prefix) Bounds() (self Name, from, to string) {
	if p.all() {
		return "", "", ""
	}
	base := strings.TrimSuffix(string(p), "/")
	if base == string(p) {
		self = Name(base)
	}
	return self, base + "/", base + "0" // "0" is the byte after "/"
}

func (p Prefix) all() bool { return p == "" || p == scheme }
