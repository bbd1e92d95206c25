package config

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"errand/app/i18n"
)

// Kind is the type of a value that the user can set.
type Kind string

// Kinds of values.
const (
	Text   Kind = "text"
	Choice Kind = "choice" // one of a fixed set of strings
	Flag   Kind = "flag"
	Number Kind = "number"
	List   Kind = "list" // a list of strings
)

// Settable is a value that [Change] can set.
type Settable struct {
	Key     string
	Kind    Kind
	Value   any // string, bool, int or []string
	Choices []string
	Source  string // as returned by [Loaded.Source]
	Locked  bool   // an environment variable overrides the file
}

// choices lists the values of keys that have a fixed set, as accepted by [Loaded.check].
var choices = map[string][]string{
	"policy.subresources": {"public", "listed"},
	"browser.mode":        {"managed", "external"},
	"browser.show":        {ShowAuto, ShowAlways, ShowNever},
	"ui.theme":            {"system", "light", "dark", "contrast"},

	"agent.internal.on_denied": {OnDeniedStop, OnDeniedContinue},
}

// choicesOf lists the values of a key that has a fixed set.
func choicesOf(key string) []string {
	if key == "ui.language" {
		return append([]string{""}, i18n.Tags()...)
	}
	return choices[key]
}

var pluginID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`) })

// PluginSwitch returns the key that enables or disables a plugin.
func PluginSwitch(id string) string { return "plugins." + id + ".enabled" }

// PluginOfSwitch returns the plugin that a key enables or disables; ok is false for other
// keys.
func PluginOfSwitch(key string) (id string, ok bool) {
	id, plugin := strings.CutPrefix(key, "plugins.")
	id, enabled := strings.CutSuffix(id, ".enabled")
	return id, plugin && enabled && pluginID().MatchString(id) && !slices.Contains(names(pluginsType), id)
}

// KindOf returns the kind of a key's value. It returns "" for unknown keys and for keys
// that hold tables, which users edit by hand.
func KindOf(key string) Kind {
	if _, ok := PluginOfSwitch(key); ok {
		return Flag
	}
	t := typeOf(key)
	switch {
	case t == nil || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.String:
		return ""
	case choicesOf(key) != nil:
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

// Editable lists the values that [Change] can set, in the documented order.
func Editable(l *Loaded) []Settable {
	var out []Settable
	for _, key := range Keys() {
		kind := KindOf(key)
		if kind == "" {
			continue
		}
		s := Settable{Key: key, Kind: kind, Value: valueOf(l.Config, key), Choices: choicesOf(key), Source: l.Source(key)}
		if strings.HasPrefix(key, "search.") && l.Catalogue != nil {
			s.Kind = Choice
			if key != "search.default_platform" {
				s.Choices = []string{""} // the default platform
			}
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
