package recipe

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"errand/host/tool"
	"errand/policy/redact"
)

// Source is the recipe of a run and its parameters, as recorded: without secrets. A nil
// Source means that the run had no recipe.
type Source struct {
	Recipe *Recipe
	Values map[string]string
	Path   func(string) string // as in a [Binding]
}

// keep gives r the steps that are still as the source's would be, with the
// parameters in them, and room for the others. It reports which are kept.
func (s *Source) keep(r *Recipe, steps []DoneStep) []bool {
	included := make([]bool, len(steps))
	r.Steps = make([]Step, len(steps))
	for i, d := range steps {
		r.Steps[i].DependsOn = append([]string{}, d.DependsOn...)
	}
	if s == nil {
		return included
	}
	r.Description = s.Recipe.Description
	values := s.values()
	for i, d := range steps {
		at := slices.IndexFunc(s.Recipe.Steps, func(t Step) bool { return t.ID == d.ID && t.Tool == d.Tool })
		if at < 0 {
			continue
		}
		was := s.Recipe.Steps[at]
		args := was.bindArgs(values)
		if path, ok := args["path"].(string); ok && s.Path != nil {
			args["path"] = s.Path(path)
		}
		if included[i] = sameJSON(args, d.Args) && !holdsMark(was); !included[i] {
			continue
		}
		was.DependsOn = r.Steps[i].DependsOn
		r.Steps[i] = was
	}
	for _, p := range s.Recipe.Params {
		if used, typed := p.places(r.Steps, included, steps); used {
			if s.secret(p) && typed {
				p.Type, p.Default = Secret, nil
			}
			r.Params = append(r.Params, p)
		}
	}
	return included
}

// values returns the values that the steps were filled with. A secret is a reference, as in
// the plan, or the mark of the record.
func (s *Source) values() map[string]any {
	values := map[string]any{}
	for _, p := range s.Recipe.Params {
		value, ok := s.Values[p.Name]
		switch {
		case ok && redact.HasMark(value):
			values[p.Name] = value
		case ok:
			values[p.Name], _ = p.parse(value)
		case p.Default != nil && !redact.HasMark(text(p.Default)):
			values[p.Name] = p.Default
		default:
			values[p.Name] = tool.SecretRef(p.Name)
		}
		if path, isText := values[p.Name].(string); isText && p.Type == Path && s.Path != nil {
			values[p.Name] = s.Path(path)
		}
	}
	return values
}

// secret reports whether a parameter turned out to hold one.
func (s *Source) secret(p Param) bool {
	value, ok := s.Values[p.Name]
	return p.Type == Secret || ok && redact.HasMark(value) || !ok && (p.Default == nil || redact.HasMark(text(p.Default)))
}

// places reports whether a parameter stands in a step that is kept, and whether
// it stands only where a secret may.
func (p Param) places(in []Step, included []bool, done []DoneStep) (used, typed bool) {
	typed = true
	for i, s := range in {
		for _, key := range slices.Sorted(maps.Keys(s.Args)) {
			walk("", s.Args[key], func(_, text string) {
				if included[i] && slices.ContainsFunc(parts(text), func(q part) bool { return q.param == p.Name }) {
					used, typed = true, typed && done[i].Spec.TakesSecret(key)
				}
			})
		}
	}
	return used, typed
}

func text(v any) string { s, _ := v.(string); return s }

// holdsMark reports whether the record lacks something of a step.
func holdsMark(s Step) bool {
	found := redact.HasMark(s.Description)
	walk("", s.Args, func(_, text string) { found = found || redact.HasMark(text) })
	return found
}

func sameJSON(a, b any) bool {
	var trees [2]any
	for i, v := range []any{a, b} {
		written, err := json.Marshal(v)
		if err != nil || json.Unmarshal(written, &trees[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(trees[0], trees[1])
}

// DecodeRecorded is a recipe out of a record, in which numbers are those of JSON.
func DecodeRecorded(b []byte) (*Recipe, error) {
	r := &Recipe{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, err
	}
	for i := range r.Params {
		if n, ok := r.Params[i].Default.(float64); ok {
			r.Params[i].Default = int(n)
		}
	}
	return r, nil
}
