package locator

import (
	"strings"

	"errand/planner/message"
)

// Message describes the locator for people: button "Save", within form "Address".
func (l Locator) Message() message.Message {
	var m message.Message
	switch kind := l.Kind(); kind {
	case "":
		return message.New("browser.locator_empty")
	case "ref":
		m = message.Verbatim(l.Ref)
	case "role":
		m = Describe(l.Role, l.Name)
		if l.Level != 0 {
			m = message.New("browser.locator_level", "element", m, "level", l.Level)
		}
	default:
		m = message.New("browser.locator_key", "key", kind, "text", *l.text(kind))
	}
	if l.Exact {
		m = message.New("browser.locator_exact", "element", m)
	}
	if l.Nth != 0 {
		m = message.New("browser.locator_nth", "element", m, "nth", l.Nth)
	}
	if l.Within != nil {
		m = message.New("browser.locator_within", "element", m, "within", l.Within.Message())
	}
	if l.Frame != nil {
		m = message.New("browser.locator_frame", "element", m, "frame", l.Frame.Message())
	}
	return m
}

// Message describes the identity for people: button "Save" on example.com.
func (i Identity) Message() message.Message {
	m := Describe(i.Role, i.Name)
	if i.Host != "" {
		m = message.New("browser.element_on", "element", m, "host", i.Host)
	}
	return m
}

// Describe names an element for people by its role and name, both of which may be
// empty: button "Save".
func Describe(role, name string) message.Message {
	if role = strings.ToLower(role); role == "" {
		role = "element"
	}
	if name == "" {
		return message.New("browser.element_role", "role", role)
	}
	return message.New("browser.element", "role", role, "name", name)
}
