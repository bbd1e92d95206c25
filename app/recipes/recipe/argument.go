package recipe

import (
	"strings"

	"errand/host/tool"
	"errand/policy/redact"
)

// argument returns an argument for another run: unchanged, but with parameters instead
// of secrets.
func (r *Recipe) argument(refs map[string]string, texts Texts, d DoneStep, arg string, v any) any {
	return tool.MapLeaves(v, func(leaf any) any {
		switch v := leaf.(type) {
		case string:
			if redact.HasMark(v) {
				return "{" + r.addWithheldParam(d, arg, texts.NotRecorded) + "}"
			}
			text := escapePlaceholders(v)
			for _, ref := range tool.SecretRefs(v) {
				if refs[ref] == "" {
					name := ref
					if !paramForm().MatchString(ref) {
						name = d.field(arg)
					}
					refs[ref] = r.addParam(name, Secret, "")
				}
				text = strings.ReplaceAll(text, tool.SecretRef(ref), "{"+refs[ref]+"}")
			}
			return text
		case int:
			return float64(v)
		}
		return v
	})
}

// field returns the name by which a user of the page knows a step's argument.
func (d DoneStep) field(arg string) string {
	l, _ := d.Args["locator"].(map[string]any)
	label, _ := l["label"].(string)
	for _, name := range []string{d.Name, label} {
		if name = identifier(name); paramForm().MatchString(name) {
			return name
		}
	}
	return arg
}

// addWithheldParam adds a parameter for a value that the record does not store: a
// secret if the argument accepts one.
func (r *Recipe) addWithheldParam(d DoneStep, arg, description string) string {
	if d.Spec.TakesSecret(arg) {
		return r.addParam(d.field(arg), Secret, "")
	}
	return r.addParam(arg, String, description)
}

func (r *Recipe) addParam(name string, kind Kind, description string) string {
	name = r.unique(name)
	r.Params = append(r.Params, Param{Name: name, Type: kind, Description: description})
	return name
}
