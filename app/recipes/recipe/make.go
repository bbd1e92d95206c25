package recipe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/catalogue"
	"errand/planner/message"
	"errand/policy/redact"
)

// Slot is a value from the words of a goal that another run of the recipe may change.
type Slot struct {
	Name    string
	Type    Kind
	Value   any  // string or int
	IsParam bool // it is a parameter of the run's recipe
}

// DoneStep is a step of a finished run.
type DoneStep struct {
	ID, Tool  string
	Args      map[string]any
	DependsOn []string
	Preview   string
	Role      string // of the element that it acted on; empty: none
	Name      string
	Host      string
	Spec      tool.Spec // of its tool; zero: unknown
}

// Texts are the descriptions in a recipe that is made from a run, in the user's
// language.
type Texts struct {
	Recipe      string // what the recipe does
	NotRecorded string // of a parameter whose value the record lacks
}

// FromRun makes a recipe from a finished run. Each slot whose value is in the steps
// becomes a parameter with that value as its default. Values that the record withholds,
// and secrets of the plan, become required parameters. A ref of a snapshot is replaced
// by the element's role and name, because it is not valid in another run. If the run
// executed a recipe, from is that recipe, and unchanged steps are taken from it.
func FromRun(name string, texts Texts, slots []Slot, steps []DoneStep, from *Source) (*Recipe, error) {
	r := &Recipe{Name: name, Description: texts.Recipe, file: name + Ext}
	if !ValidName(name) {
		return nil, message.Error("recipes.bad_recipe_name", "name", name)
	}
	included := from.keep(r, steps)
	refs := map[string]string{} // the parameters of secrets, by their references in the plan
	for i, d := range steps {
		if included[i] {
			continue
		}
		s := &r.Steps[i]
		*s = Step{ID: d.ID, Tool: d.Tool, Description: d.Preview, DependsOn: s.DependsOn, Args: map[string]any{}}
		if redact.HasMark(d.Preview) || len(tool.SecretRefs(d.Preview)) > 0 {
			s.Description = ""
		}
		for _, k := range slices.Sorted(maps.Keys(d.Args)) {
			s.Args[k] = r.argument(refs, texts, d, k, d.Args[k])
		}
		if l, ok := s.Args["locator"].(map[string]any); ok {
			if _, byRef := l["ref"]; byRef {
				if d.Role == "" || d.Name == "" {
					return nil, message.Error("recipes.unnamed_element", "step", d.ID, "ref", l["ref"])
				}
				s.Args["locator"] = map[string]any{"role": d.Role, "name": escapePlaceholders(d.Name), "exact": true}
			}
			delete(l, "is")
			if d.Role != "" {
				s.Target = &Target{Role: d.Role, Name: d.Name, Host: d.Host}
			}
		}
	}
	for _, slot := range slots {
		r.parametrise(slot, included)
	}
	for i := range r.Steps { // a description that contains a value would be wrong with another value
		for _, p := range r.Params {
			if text, ok := p.Default.(string); ok && !included[i] && strings.Contains(r.Steps[i].Description, text) {
				r.Steps[i].Description = ""
			}
		}
	}
	return r, nil
}

// unique returns a parameter name that is not taken.
func (r *Recipe) unique(name string) string {
	if name = identifier(name); !paramForm().MatchString(name) {
		name = "value"
	}
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s_%d", name, n)
		}
		if !slices.ContainsFunc(r.Params, func(p Param) bool { return p.Name == try }) {
			return try
		}
	}
}

// identifier turns a text into a parameter name, as far as it has suitable letters.
func identifier(name string) string {
	return strings.Trim(strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' {
			return c
		}
		return '_'
	}, strings.ToLower(name)), "_0123456789")
}

// parametrise replaces a slot's value by a placeholder: as a whole text, as a number,
// or percent-encoded in an address. A parameter of the source stays the same parameter.
// Steps taken from the source are unchanged.
func (r *Recipe) parametrise(slot Slot, included []bool) {
	own := slot.IsParam && slices.ContainsFunc(r.Params, func(p Param) bool { return p.Name == slot.Name })
	name := slot.Name
	if !own {
		name = r.unique(name)
	}
	used := false
	for i := range r.Steps {
		if included[i] {
			continue
		}
		args, _ := replaceValue(r.Steps[i].Args, slot.Value, "{"+name+"}", &used).(map[string]any)
		r.Steps[i].Args = args
	}
	if used && !own {
		r.Params = append(r.Params, Param{Name: name, Type: slot.Type, Default: slot.Value})
	}
}

// counts are the arguments that a number in a goal can set.
var counts = []string{"max", "limit", "count"}

func replaceValue(v, value any, by string, used *bool) any {
	switch v := v.(type) {
	case string:
		want, ok := value.(string)
		if !ok || want == "" {
			return v
		}
		if v == escapePlaceholders(want) {
			*used = true
			return by
		}
		if encoded := catalogue.Escape(want); strings.HasPrefix(v, "http") && strings.Contains(v, encoded) && isWholePart(v, encoded) {
			*used = true
			i := strings.LastIndex(v, encoded)
			return v[:i] + by + v[i+len(encoded):]
		}
		return v
	case float64:
		if n, ok := value.(int); ok && float64(n) == v {
			*used = true
			return by
		}
		return v
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			if _, number := e.(float64); number && !slices.Contains(counts, k) {
				out[k] = e // an equal number with another meaning
				continue
			}
			out[k] = replaceValue(e, value, by, used)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = replaceValue(e, value, by, used)
		}
		return out
	}
	return v
}

// isWholePart reports whether the last occurrence of a value in an address is all of a
// query's value or of a segment of the path.
func isWholePart(address, value string) bool {
	i := strings.LastIndex(address, value)
	end := i + len(value)
	return i > 0 && strings.ContainsRune("=/", rune(address[i-1])) && (end == len(address) || strings.ContainsRune("&#/?", rune(address[end]))) &&
		i > len("https://") && strings.Contains(address[len("https://"):i], "/")
}
