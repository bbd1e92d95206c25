package tool

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"sync"

	"errand/planner/message"
)

// SecretRef returns the placeholder for the secret of a name, which consists of letters,
// digits, _ and -. Plans, approvals and records contain the placeholder. Only the tool's
// own copy of the arguments has the value.
func SecretRef(name string) string { return "{{secret:" + name + "}}" }

var secretRef = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{secret:([A-Za-z0-9_-]+)\}\}`) })

// SecretRefs returns the sorted names of the secrets that a JSON value refers to.
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

// Secrets maps the names of secrets to their values.
type Secrets map[string]string

// Reveal returns args with the values of secrets in place of their placeholders, for the
// tool of spec. It replaces placeholders only where [Spec.TakesSecret] allows it, because
// policy must see the other arguments as they are. A missing value is a *Error.
func (s Secrets) Reveal(spec Spec, args map[string]any) (map[string]any, *Error) {
	out := maps.Clone(args)
	for key, v := range args {
		names := SecretRefs(v)
		if len(names) == 0 || !spec.TakesSecret(key) {
			continue
		}
		for _, name := range names {
			if _, ok := s[name]; !ok {
				return nil, NewError(ValidationError, CodeSecretGone, message.New("call.secret_gone", "tool", spec.Name, "name", name)).
					WithHint(message.New("call.give_secret_again", "name", name))
			}
		}
		out[key] = s.revealIn(v)
	}
	return out, nil
}

// CodeSecretGone is the code of an error about a secret whose value is not available.
const CodeSecretGone = "secret_gone"

func (s Secrets) revealIn(v any) any {
	return MapLeaves(v, func(leaf any) any {
		text, ok := leaf.(string)
		if !ok {
			return leaf
		}
		return secretRef().ReplaceAllStringFunc(text, func(ref string) string { return s[secretRef().FindStringSubmatch(ref)[1]] })
	})
}

// TakesSecret reports whether a top-level argument may contain a secret: the tool is part
// of the program, and the argument's schema has "writeOnly", the JSON Schema annotation for
// values that are never returned. Arguments that policy and prechecks inspect can't,
// whatever their schema says.
func (s Spec) TakesSecret(arg string) bool {
	if s.FromPlugin() || arg == "url" || arg == "path" || slices.Contains(s.Opens, arg) {
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
