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

// secrets checks that each parameter of type secret is in an argument for which its
// tool accepts secrets. Policy reads the other arguments, and they are shown.
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

// hide replaces values of fields with the name of a secret, such as a password, by
// references, if the recipe does not declare them as secrets: each parameter in the
// text, or the whole text if it has none.
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

// namesSecret reports whether the words by which the step finds its element name a
// secret.
func (s Step) namesSecret() bool {
	if s.Target != nil && redact.NamesSecret(s.Target.Name) {
		return true
	}
	l, _ := s.Args["locator"].(map[string]any)
	return slices.ContainsFunc([]string{"name", "label", "placeholder", "text", "test_id", "css", "control", "field"}, func(key string) bool {
		word, _ := l[key].(string)
		return redact.NamesSecret(word)
	})
}

// WithoutSecrets returns a recipe's values without the secret ones.
func WithoutSecrets(values map[string]string, secrets tool.Secrets) map[string]string {
	out := maps.Clone(values)
	maps.DeleteFunc(out, func(name, _ string) bool { _, secret := secrets[name]; return secret })
	return out
}
