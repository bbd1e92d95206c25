// Package locator describes elements of a page: how to find one, and how to narrow the
// search. It has no side effects; the browser packages find the element.
package locator

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/planner/message"
)

// Locator identifies one element of a page by exactly one of Ref, Role, Label,
// Placeholder, Text, TestID, CSS, Control and Field. Text matches case-insensitively as a substring, with
// white space collapsed, unless Exact is set. The zero Locator matches nothing.
type Locator struct {
	Ref string `json:"ref,omitempty"` // from a snapshot: "s1e4"

	Role  string `json:"role,omitempty"`  // ARIA role
	Name  string `json:"name,omitempty"`  // accessible name; only with Role
	Level int    `json:"level,omitempty"` // of a heading, 1 to 6; only with Role

	Label       string `json:"label,omitempty"` // of a form control
	Placeholder string `json:"placeholder,omitempty"`
	Text        string `json:"text,omitempty"` // of the smallest element that contains it
	TestID      string `json:"test_id,omitempty"`
	CSS         string `json:"css,omitempty"`

	// Control and Field are what a person calls something visible to click, or a text field: by
	// its words, label, placeholder or title. Whole names win over parts of one.
	Control string `json:"control,omitempty"`
	Field   string `json:"field,omitempty"` // "@search" is the field that searches the site

	Exact bool `json:"exact,omitempty"` // match the whole text and its case; not with Ref, TestID and CSS
	// Frame is the iframe to search; nil means the page with all its frames.
	Frame *Locator `json:"frame,omitempty"`
	// Within is the element to search.
	Within *Locator `json:"within,omitempty"`
	// Nth selects one of several matches in page order, starting at 1. 0 requires a single
	// match.
	Nth int `json:"nth,omitempty"`
	// Is is the expected identity of the element; nil accepts any.
	Is *Identity `json:"is,omitempty"`
}

// Identity describes an element as users see it. Empty fields are not compared.
type Identity struct {
	Role string `json:"role,omitempty"` // ARIA role
	Name string `json:"name,omitempty"` // accessible name with white space collapsed
	Host string `json:"host,omitempty"` // the document's host, with the port if the URL has one
}

// String describes the identity for logs: `button "Save" on example.com`. [Identity.Message]
// is for people.
func (i Identity) String() string {
	role := i.Role
	if role == "" {
		role = "element"
	}
	if i.Name != "" {
		role += " " + strconv.Quote(i.Name)
	}
	if i.Host != "" {
		role += " on " + i.Host
	}
	return role
}

// Matches reports whether an element with the other identity matches this one.
func (i Identity) Matches(other Identity) bool {
	return (i.Role == "" || strings.EqualFold(i.Role, other.Role)) && (i.Name == "" || collapse(i.Name) == collapse(other.Name)) &&
		(i.Host == "" || strings.EqualFold(i.Host, other.Host))
}

// Limits of a locator.
const (
	MaxText  = 1024 // bytes of each string
	MaxDepth = 4    // nesting of locators
	MaxNth   = 10_000
)

// Error is an error in a locator.
type Error struct {
	At      string // a JSON pointer from the locator, such as "/within"
	Problem message.Message
}

// Error is for logs and tests.
func (e *Error) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *Error) AsMessage() message.Message {
	return message.New("browser.bad_locator", "key", "locator", "at", e.At, "problem", e.Problem)
}

// Parse reads a locator from plain JSON values. Errors are of type *Error.
func Parse(v any) (Locator, error) { return parse(v, "", 1) }

func parse(v any, at string, depth int) (Locator, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return Locator{}, &Error{at, message.New("browser.locator_not_object")}
	}
	if depth > MaxDepth {
		return Locator{}, &Error{at, message.New("browser.locator_too_deep", "limit", MaxDepth)}
	}
	var l Locator
	var err error
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch key {
		case "frame", "within":
			var inner Locator
			if inner, err = parse(m[key], at+"/"+key, depth+1); err != nil {
				return Locator{}, err
			}
			if key == "frame" {
				l.Frame = &inner
			} else {
				l.Within = &inner
			}
		case "is":
			if l.Is, err = identity(m[key]); err != nil {
				return Locator{}, &Error{at + "/is", message.FromError(err)}
			}
		case "exact":
			if l.Exact, ok = m[key].(bool); !ok {
				return Locator{}, &Error{at, message.New("browser.locator_exact_not_bool")}
			}
		case "level":
			l.Level, err = parseInt(key, m[key], 1, 6)
		case "nth":
			l.Nth, err = parseInt(key, m[key], 1, MaxNth)
		default:
			field := l.text(key)
			if field == nil {
				return Locator{}, &Error{at, message.New("browser.locator_unknown_key", "key", key, "keys", Keys)}
			}
			if *field, ok = m[key].(string); !ok {
				return Locator{}, &Error{at, message.New("browser.locator_not_text", "key", key)}
			}
			if *field == "" && key != "name" {
				return Locator{}, &Error{at, message.New("browser.locator_empty_text", "key", key)}
			}
		}
		if err != nil {
			return Locator{}, &Error{at, message.FromError(err)}
		}
	}
	if problem := l.problem(); !problem.IsZero() {
		return Locator{}, &Error{at, problem}
	}
	return l, nil
}

func identity(v any) (*Identity, error) {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return nil, message.Error("browser.identity_object")
	}
	var i Identity
	for _, key := range slices.Sorted(maps.Keys(m)) {
		field := map[string]*string{"role": &i.Role, "name": &i.Name, "host": &i.Host}[key]
		if field == nil {
			return nil, message.Error("browser.unknown_identity_key", "key", key)
		}
		if *field, ok = m[key].(string); !ok || *field == "" || len(*field) > MaxText || !utf8.ValidString(*field) {
			return nil, message.Error("browser.bad_identity_text", "key", key, "limit", MaxText)
		}
	}
	return &i, nil
}

// Ways are the keys of which a locator has exactly one. Keys are all keys.
var (
	Kinds = []string{"ref", "role", "label", "placeholder", "text", "test_id", "css", "control", "field"}
	Keys  = append(Kinds[:len(Kinds):len(Kinds)], "name", "level", "exact", "frame", "within", "nth", "is")
)

func (l *Locator) text(key string) *string {
	switch key {
	case "ref":
		return &l.Ref
	case "role":
		return &l.Role
	case "name":
		return &l.Name
	case "label":
		return &l.Label
	case "placeholder":
		return &l.Placeholder
	case "text":
		return &l.Text
	case "test_id":
		return &l.TestID
	case "css":
		return &l.CSS
	case "control":
		return &l.Control
	case "field":
		return &l.Field
	}
	return nil
}

// Kind returns the key that identifies the element, or "" for the zero Locator.
func (l Locator) Kind() string {
	for _, w := range Kinds {
		if *l.text(w) != "" {
			return w
		}
	}
	return ""
}

// problem says why the keys can't be combined. It is zero if they can.
func (l Locator) problem() message.Message {
	var has []string
	for _, w := range Kinds {
		if *l.text(w) != "" {
			has = append(has, w)
		}
	}
	for _, k := range append(Kinds[:len(Kinds):len(Kinds)], "name") {
		if s := *l.text(k); len(s) > MaxText {
			return message.New("browser.locator_text_too_long", "key", k, "limit", MaxText)
		} else if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return message.New("browser.locator_bad_text", "key", k)
		} else if s != "" && collapse(s) == "" {
			return message.New("browser.locator_blank_text", "key", k)
		}
	}
	switch {
	case len(has) == 0:
		return message.New("browser.locator_no_way", "keys", Kinds)
	case len(has) > 1:
		return message.New("browser.locator_two_ways", "keys", has)
	case l.Name != "" && l.Role == "":
		return message.New("browser.locator_needs_role", "key", "name")
	case l.Level != 0 && l.Role == "":
		return message.New("browser.locator_needs_role", "key", "level")
	case l.Exact && slices.Contains([]string{"ref", "test_id", "css"}, has[0]):
		return message.New("browser.locator_exact_already", "key", has[0])
	case l.Exact && has[0] == "role" && l.Name == "":
		return message.New("browser.locator_exact_needs_name")
	case has[0] == "ref" && (l.Frame != nil || l.Within != nil || l.Nth != 0):
		return message.New("browser.locator_ref_alone")
	case has[0] == "ref" && !IsRef(l.Ref):
		return message.New("browser.locator_bad_ref", "ref", Clip(l.Ref, 40))
	}
	return message.Message{}
}

// MatchesText reports whether text matches the wanted text.
func (l Locator) MatchesText(text, wanted string) bool {
	text, wanted = collapse(text), collapse(wanted)
	if l.Exact {
		return text == wanted
	}
	return strings.Contains(strings.ToLower(text), strings.ToLower(wanted))
}

// Collapse trims white space and replaces each run of it by one space, for comparison.
func Collapse(s string) string { return collapse(s) }

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// JSON returns the locator as tool arguments.
func (l Locator) JSON() map[string]any {
	b, err := json.Marshal(l)
	var m map[string]any
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil { // it consists of strings and numbers
		panic(err)
	}
	return m
}

func parseInt(key string, v any, least, most int) (int, error) {
	n, ok := v.(float64)
	if i, isInt := v.(int); isInt {
		n, ok = float64(i), true
	}
	if !ok || n != float64(int(n)) || int(n) < least || int(n) > most {
		return 0, message.Error("browser.not_whole_number", "key", key, "least", least, "most", most)
	}
	return int(n), nil
}

// Clip shortens s to at most limit bytes and marks the cut with "…". It cuts between
// characters.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
