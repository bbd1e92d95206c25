package config

import (
	"reflect"
	"slices"
	"strings"
)

// Kind says what a value that a person can set here is.
type Kind string

// Kinds of values.
const (
	Text   Kind = "text"
	Choice Kind = "choice" // a text of a closed set
	Flag   Kind = "flag"
	Number Kind = "number"
	List   Kind = "list" // of texts
)

// Settable is a value that can be changed by [Change].
type Settable struct {
	Key     string
	Kind    Kind
	Value   any // string, bool, int or []string
	Choices []string
	Source  string // as [Loaded.Source] says it
	Locked  bool   // the environment sets it: what the file says would not count
}

// choices are the texts that [Loaded.check] lets through, of the keys that have a
// closed set.
var choices = map[string][]string{
	"policy.subresources": {"public", "listed"},
	"browser.mode":        {"managed", "external"},
	"ui.language":         {"", "en", "ru"},
	"ui.theme":            {"system", "light", "dark", "contrast"},
}

// KindOf is the kind of a key's value; "" for a key that is none, and for one that
// holds tables, which are written by hand.
func KindOf(key string) Kind {
	t := typeOf(key)
	switch {
	case t == nil || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.String:
		return ""
	case choices[key] != nil:
		return Choice
	case t.Kind() == reflect.String:
		return Text
	case t.Kind() == reflect.Bool:
		return Flag
	case t.Kind() == reflect.Int:
		return Number
	case t.Kind() == reflect.Slice:
		return List
	}
	return ""
}

// Editable lists what can be changed by [Change], in the order of the contract.
func Editable(l *Loaded) []Settable {
	var out []Settable
	for _, key := range Keys() {
		kind := KindOf(key)
		if kind == "" {
			continue
		}
		s := Settable{Key: key, Kind: kind, Value: valueOf(l.Config, key), Choices: choices[key], Source: l.Source(key)}
		if key == "search.default_platform" && l.Catalogue != nil {
			s.Kind = Choice
			for _, site := range l.Catalogue.Sites() {
				if site.Search != "" {
					s.Choices = append(s.Choices, site.ID)
				}
			}
		}
		s.Locked = strings.HasPrefix(s.Source, "ERRAND_")
		out = append(out, s)
	}
	return slices.Clip(out)
}
