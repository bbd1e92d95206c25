package tool

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"sync"
)

// SecretRef is what stands in the arguments of a call, and in all that is planned,
// judged, approved and written down, for a secret of this name: letters, digits,
// _ and -. The value takes its place in the tool's own copy of the arguments.
func SecretRef(name string) string { return "{{secret:" + name + "}}" }

var secretRef = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{secret:([A-Za-z0-9_-]+)\}\}`) })

// SecretRefs names the secrets that a JSON value refers to, sorted.
func SecretRefs(v any) []string {
	found := map[string]bool{}
	collectRefs(v, found)
	return slices.Sorted(maps.Keys(found))
}

func collectRefs(v any, found map[string]bool) {
	switch v := v.(type) {
	case string:
		for _, match := range secretRef().FindAllStringSubmatch(v, -1) {
			found[match[1]] = true
		}
	case map[string]any:
		for _, e := range v {
			collectRefs(e, found)
		}
	case []any:
		for _, e := range v {
			collectRefs(e, found)
		}
	}
}

// Secrets are values by the names under which arguments refer to them.
type Secrets map[string]string

// Reveal is args with the values in place of the references, as the tool of spec
// gets them. Only where [Spec.TakesSecret] says so a reference is one: whatever
// policy judges by is what it is. A value that is missing is a *Error.
func (s Secrets) Reveal(spec Spec, args map[string]any) (map[string]any, *Error) {
	out := maps.Clone(args)
	for key, v := range args {
		names := SecretRefs(v)
		if len(names) == 0 || !spec.TakesSecret(key) {
			continue
		}
		for _, name := range names {
			if _, ok := s[name]; !ok {
				return nil, Errorf(ValidationError, CodeSecretGone, "%s was not called: the secret %s is not known any more, as secrets are not kept", spec.Name, name).
					WithHint("run it again and give %s again", name)
			}
		}
		out[key] = s.revealed(v)
	}
	return out, nil
}

// CodeSecretGone is on a call that needs a secret which nobody gave this program.
const CodeSecretGone = "secret_gone"

func (s Secrets) revealed(v any) any {
	switch v := v.(type) {
	case string:
		return secretRef().ReplaceAllStringFunc(v, func(ref string) string { return s[secretRef().FindStringSubmatch(ref)[1]] })
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = s.revealed(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = s.revealed(e)
		}
		return out
	}
	return v
}

// TakesSecret reports whether an argument at the top may hold a secret: its
// schema says "writeOnly", the annotation of JSON Schema for what is sent and
// never told. What policy and prechecks judge a call by holds none, whatever its
// schema says.
func (s Spec) TakesSecret(arg string) bool {
	if arg == "url" || arg == "path" || slices.Contains(s.Opens, arg) {
		return false
	}
	var doc struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var property struct {
		WriteOnly bool `json:"writeOnly"`
	}
	return json.Unmarshal(s.ArgsSchema, &doc) == nil && json.Unmarshal(doc.Properties[arg], &property) == nil && property.WriteOnly
}
