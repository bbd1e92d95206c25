package recipe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/redact"
)

// secrets checks that each parameter of type secret stands where a secret may:
// in an argument that its tool takes secrets in. Anything else is looked at by
// policy, or shown.
func (f *problemList) secrets(r *Recipe, path string, s Step, spec tool.Spec) {
	for _, key := range slices.Sorted(maps.Keys(s.Args)) {
		walk(path+".args."+key, s.Args[key], func(at, text string) {
			all := parts(text)
			for _, p := range all {
				i := slices.IndexFunc(r.Params, func(q Param) bool { return q.Name == p.param })
				switch {
				case p.param == "" || i < 0 || r.Params[i].Type != Secret:
				case !spec.TakesSecret(key):
					f.addAt(at, message.New("recipes.secret_not_allowed", "tool", spec.Name, "argument", key, "parameter", p.param))
				case len(all) > 1 && isAddress(text):
					f.addAt(at, message.New("recipes.secret_in_address", "tool", spec.Name, "parameter", p.param))
				}
			}
		})
	}
}

// hide puts a reference in place of what goes into a field that is called a
// password, or the like, where the recipe does not say itself that it is secret:
// for each parameter in the text, or for all of a text that has none.
func (s Step) hide(spec tool.Spec, args, values map[string]any, secrets tool.Secrets) {
	if !s.namesSecret() {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(args)) {
		text, ok := args[key].(string)
		template, _ := s.Args[key].(string)
		if !ok || text == "" || !spec.TakesSecret(key) || len(tool.SecretRefs(text)) > 0 {
			continue
		}
		var b strings.Builder
		for _, p := range parts(template) {
			if p.param == "" {
				b.WriteString(p.text)
				continue
			}
			secrets[p.param] = fmt.Sprint(values[p.param])
			b.WriteString(tool.SecretRef(p.param))
		}
		if args[key] = b.String(); b.String() == text { // no parameter in it
			name := s.ID + "-" + key
			secrets[name], args[key] = text, tool.SecretRef(name)
		}
	}
}

// namesSecret reports whether the words by which the step finds its element say
// that what goes into it is a secret.
func (s Step) namesSecret() bool {
	if s.Target != nil && redact.NamesSecret(s.Target.Name) {
		return true
	}
	l, _ := s.Args["locator"].(map[string]any)
	return slices.ContainsFunc([]string{"name", "label", "placeholder", "text", "test_id", "css"}, func(key string) bool {
		word, _ := l[key].(string)
		return redact.NamesSecret(word)
	})
}

// WithoutSecrets are a recipe's values without those that are secrets.
func WithoutSecrets(values map[string]string, secrets tool.Secrets) map[string]string {
	out := maps.Clone(values)
	maps.DeleteFunc(out, func(name, _ string) bool { _, secret := secrets[name]; return secret })
	return out
}
