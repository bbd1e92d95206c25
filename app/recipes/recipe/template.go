package recipe

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"errand/host/tool"
	"errand/planner/catalogue"
	"errand/planner/message"
)

// part is a piece of a text: literal text, or a parameter.
type part struct {
	text  string
	param string // "": text
}

// parts splits a text at its placeholders: {name}. Braces around anything else are
// text, and {{name}} is the text {name}.
func parts(s string) []part {
	var out []part
	var text strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '{' {
			text.WriteByte(s[i])
			i++
			continue
		}
		if strings.HasPrefix(s[i:], "{{") {
			if end := strings.Index(s[i:], "}}"); end > 0 && paramForm().MatchString(s[i+2:i+end]) {
				text.WriteString("{" + s[i+2:i+end] + "}")
				i += end + 2
				continue
			}
		}
		end := strings.IndexByte(s[i:], '}')
		if end < 0 || !paramForm().MatchString(s[i+1:i+end]) {
			text.WriteByte(s[i])
			i++
			continue
		}
		if text.Len() > 0 {
			out = append(out, part{text: text.String()})
			text.Reset()
		}
		out = append(out, part{param: s[i+1 : i+end]})
		i += end + 1
	}
	if text.Len() > 0 || len(out) == 0 {
		out = append(out, part{text: text.String()})
	}
	return out
}

// escapePlaceholders escapes a text so that it contains no placeholders.
func escapePlaceholders(s string) string { return placeholder().ReplaceAllString(s, "{${0}}") }

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[a-z][a-z0-9_]{0,31}\}`) })

// walk calls f for the texts in arguments, in the order of their keys.
func walk(path string, v any, f func(path, text string)) {
	switch v := v.(type) {
	case string:
		f(path, v)
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			walk(path+"."+k, v[k], f)
		}
	case []any:
		for i, e := range v {
			walk(fmt.Sprintf("%s[%d]", path, i), e, f)
		}
	}
}

// placeholders checks that each placeholder names a parameter, and that each parameter
// is used.
func (f *problemList) placeholders(r *Recipe) {
	names := make([]string, len(r.Params))
	used := map[string]bool{}
	for i, p := range r.Params {
		names[i] = p.Name
	}
	for i, s := range r.Steps {
		walk(fmt.Sprintf("step[%d].args", i), s.Args, func(path, text string) {
			for _, name := range tool.SecretRefs(text) {
				f.addAt(path, message.New("recipes.secret_ref", "reference", tool.SecretRef(name), "name", name))
			}
			for _, p := range parts(text) {
				switch {
				case p.param == "":
				case slices.Contains(names, p.param):
					used[p.param] = true
				default:
					m := message.New("recipes.undeclared_parameter", "name", p.param)
					if near := message.Nearest(p.param, names); near != "" {
						m = message.New("recipes.undeclared_parameter_near", "name", p.param, "near", near)
					}
					f.addAt(path, m)
				}
			}
		})
	}
	for _, name := range names {
		if !used[name] {
			f.addAt("params."+name, message.New("recipes.unused_parameter", "name", name))
		}
	}
}

// fillIn puts values into arguments. A text that consists of one placeholder becomes
// the value itself, also a number or boolean. In an address, values are
// percent-encoded.
func fillIn(v any, values map[string]any) any {
	return tool.MapLeaves(v, func(leaf any) any {
		v, ok := leaf.(string)
		if !ok {
			return leaf
		}
		all := parts(v)
		if len(all) == 1 && all[0].param != "" {
			value := values[all[0].param]
			if n, ok := value.(int); ok {
				return float64(n)
			}
			return value
		}
		encode := isAddress(v)
		var b strings.Builder
		for _, p := range all {
			switch {
			case p.param == "":
				b.WriteString(p.text)
			case encode:
				b.WriteString(catalogue.Escape(fmt.Sprint(values[p.param])))
			default:
				fmt.Fprint(&b, values[p.param])
			}
		}
		return b.String()
	})
}
