package recipe

import (
	"fmt"
	"slices"
	"strings"
)

// Slot is a value that the words of a goal gave, and that another run of the
// recipe may want otherwise.
type Slot struct {
	Name  string
	Type  Kind
	Value any // string or int
}

// Done is a step of a finished run.
type Done struct {
	ID, Tool  string
	Args      map[string]any
	DependsOn []string
	Preview   string
	Role      string // of the element that it acted on; empty: none
	Name      string
	Host      string
	Withheld  []string // names of arguments at the top that the record does not keep
}

// Made makes a recipe of a finished run. Each slot whose value stands in the
// steps becomes a parameter with that value as its default; what the record
// withholds becomes one that has to be given. A ref of a snapshot means nothing
// in another run: the element is named by its role and name instead.
func Made(name, description string, slots []Slot, steps []Done) (*Recipe, error) {
	r := &Recipe{Name: name, Description: description, file: name + Ext}
	if !ValidName(name) {
		return nil, fmt.Errorf("%q is no name of a recipe: lower-case letters, digits, _ and -, at most 64", name)
	}
	for _, d := range steps {
		s := Step{ID: d.ID, Tool: d.Tool, Description: d.Preview, DependsOn: slices.Clone(d.DependsOn), Args: map[string]any{}}
		if s.DependsOn == nil {
			s.DependsOn = []string{}
		}
		for k, v := range d.Args {
			s.Args[k] = literal(v)
		}
		for _, arg := range d.Withheld {
			p := r.withheld(arg)
			s.Args[arg] = "{" + p + "}"
		}
		if l, ok := s.Args["locator"].(map[string]any); ok {
			if _, byRef := l["ref"]; byRef {
				if d.Role == "" || d.Name == "" {
					return nil, fmt.Errorf("step %s acts on %v, which means nothing in another run, and the element has no name", d.ID, l["ref"])
				}
				s.Args["locator"] = map[string]any{"role": d.Role, "name": escaped(d.Name), "exact": true}
			}
			delete(l, "is")
			if d.Role != "" {
				s.Target = &Target{Role: d.Role, Name: d.Name, Host: d.Host}
			}
		}
		r.Steps = append(r.Steps, s)
	}
	for _, slot := range slots {
		r.parametrise(slot)
	}
	for i := range r.Steps { // what was said with a value in it would be wrong with another
		for _, p := range r.Params {
			if text, ok := p.Default.(string); ok && strings.Contains(r.Steps[i].Description, text) {
				r.Steps[i].Description = ""
			}
		}
	}
	return r, nil
}

// literal are arguments as they stand: no brace in them is a placeholder.
func literal(v any) any {
	switch v := v.(type) {
	case string:
		return escaped(v)
	case int:
		return float64(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = literal(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = literal(e)
		}
		return out
	}
	return v
}

// unique is a parameter's name that is not taken.
func (r *Recipe) unique(name string) string {
	name = strings.Trim(strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' {
			return c
		}
		return '_'
	}, strings.ToLower(name)), "_0123456789")
	if !paramForm.MatchString(name) {
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

func (r *Recipe) withheld(arg string) string {
	name := r.unique(arg)
	r.Params = append(r.Params, Param{Name: name, Type: String, Description: "not kept in the record"})
	return name
}

// parametrise puts a placeholder where a slot's value stands: as the whole of a
// text, as a number, or percent-encoded within an address.
func (r *Recipe) parametrise(slot Slot) {
	name := r.unique(slot.Name)
	used := false
	for i := range r.Steps {
		args, _ := placed(r.Steps[i].Args, slot.Value, "{"+name+"}", &used).(map[string]any)
		r.Steps[i].Args = args
	}
	if used {
		r.Params = append(r.Params, Param{Name: name, Type: slot.Type, Default: slot.Value})
	}
}

// counts are the arguments that a number in a goal may have become.
var counts = []string{"max", "limit", "count"}

func placed(v, value any, by string, used *bool) any {
	switch v := v.(type) {
	case string:
		want, ok := value.(string)
		if !ok || want == "" {
			return v
		}
		if v == escaped(want) {
			*used = true
			return by
		}
		if encoded := percent(want); strings.HasPrefix(v, "http") && strings.Contains(v, encoded) && at(v, encoded) {
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
				out[k] = e // an equal number that counts something else
				continue
			}
			out[k] = placed(e, value, by, used)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = placed(e, value, by, used)
		}
		return out
	}
	return v
}

// at reports whether the last occurrence of a value in an address is all of a
// query's value or of a segment of the path.
func at(address, value string) bool {
	i := strings.LastIndex(address, value)
	end := i + len(value)
	return i > 0 && strings.ContainsRune("=/", rune(address[i-1])) && (end == len(address) || strings.ContainsRune("&#/?", rune(address[end]))) &&
		i > len("https://") && strings.Contains(address[len("https://"):i], "/")
}
