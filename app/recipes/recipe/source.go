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

// keep sets the steps of r that are unchanged from the source to those of the source,
// with their parameters, and makes room for the others. It reports which steps these
// are.
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
		if included[i] = sameJSON(args, d.Args) && !hasMark(was); !included[i] {
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

// values returns the values that the steps were filled with. A secret is a reference,
// as in the plan, or the mark of the record.
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

// secret reports whether the value of a parameter is a secret.
func (s *Source) secret(p Param) bool {
	value, ok := s.Values[p.Name]
	return p.Type == Secret || ok && redact.HasMark(value) || !ok && (p.Default == nil || redact.HasMark(text(p.Default)))
}

// places reports whether a parameter is in a kept step, and whether it is only where a
// secret is allowed.
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

// hasMark reports whether the record lacks a part of a step.
func hasMark(s Step) bool {
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

// DecodeRecorded decodes a recipe from a record, which has JSON numbers.
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
