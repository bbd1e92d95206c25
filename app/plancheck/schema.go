package plancheck

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"errand/app/config"
	"errand/planner/message"
	"errand/planner/plan"
)

// rule says what a value of a case file has to be. It stands apart from the
// types that hold the values: a decoder tells one fault, in its own words, and
// not where it stands.
type rule struct {
	kind   kind
	fields map[string]rule // of a table, and of each table of a list
	words  []string        // the only texts
	needs  []string        // fields that can't be left out
}

type kind string

const (
	aText    kind = "a text"
	aCount   kind = "a whole number, 0 or more"
	aFlag    kind = "true or false"
	aTable   kind = "a table"
	texts    kind = "a list of texts"
	tables   kind = "a list of tables"
	pairs    kind = "a list of pairs [needed tool, tool]"
	toolList kind = `"default", the name of a JSON file, or a list of tables`
	anything kind = "a value"
)

var (
	goalRules = map[string]rule{
		"goal_type": {kind: aText, words: spelled(plan.GoalTypes())},
		"platform":  {kind: aText}, "query": {kind: aText}, "target": {kind: aText}, "goal_id": {kind: aText},
		"action":      {kind: aText, words: append([]string{"create", "delete"}, pageWords(0)...)},
		"object_type": {kind: aText, words: append([]string{"file", "folder"}, pageWords(1)...)},
		"limit":       {kind: aCount}, "save_to": {kind: aText},
	}
	caseRule = rule{kind: aTable, needs: []string{"name"}, fields: map[string]rule{
		"name": {kind: aText}, "text": {kind: aText},
		"goals": {kind: tables, fields: goalRules, needs: []string{"goal_type"}},
		"problem": {kind: aTable, needs: []string{"goal"}, fields: map[string]rule{
			"world": {kind: texts}, "goal": {kind: texts},
		}},
		"call": {kind: aTable, needs: []string{"tool"}, fields: map[string]rule{
			"tool": {kind: aText}, "args": {kind: aTable}, "origin": {kind: aText, words: spelled(plan.Origins())}, "after_reading": {kind: aFlag},
		}},
		"url": {kind: aText},
		"world": {kind: aTable, fields: map[string]rule{
			"browser_running": {kind: aFlag}, "browser_last_url": {kind: aText}, "active_window": {kind: aText},
			"running_apps": {kind: texts}, "recent_facts": {kind: texts},
		}},
		"capabilities": {kind: toolList},
		"expect": {kind: aTable, fields: map[string]rule{
			"interpretation": {kind: aText, words: []string{"ok", "ambiguous", "unsupported"}},
			"goals":          {kind: tables, fields: goalRules},
			"status":         {kind: aText, words: []string{"success", "partial", "already_satisfied", "blocked", "no_capability"}},
			"actions":        {kind: aCount},
			"tools":          {kind: texts},
			"args":           {kind: tables},
			"depends_on":     {kind: pairs},
			"unmet":          {kind: texts},
			"verdict":        {kind: aText, words: []string{"allow", "ask", "deny"}},
			"rule":           {kind: aText},
		}},
	}}
	toolsRule = rule{kind: tables, needs: []string{"name"}, fields: map[string]rule{
		"name": {kind: aText}, "can_achieve": {kind: texts}, "requires": {kind: texts}, "effects": {kind: texts},
		"params": {kind: texts}, "read_only": {kind: aFlag},
		"risk_level": {kind: aText, words: []string{"LOW", "MEDIUM", "HIGH"}},
	}}
	fileRule = rule{kind: aTable, fields: map[string]rule{"case": {kind: tables}}}
)

// pageWords are the actions on a page, or what they are about.
func pageWords(part int) []string {
	var out []string
	for _, key := range plan.PageActions() {
		action, object, _ := strings.Cut(key, "_")
		word := [...]string{action, object}[part]
		if word != "file" && !slices.Contains(out, word) { // an object of the other actions too
			out = append(out, word)
		}
	}
	return out
}

func spelled[T ~string](all []T) []string {
	var out []string
	for _, v := range all {
		out = append(out, string(v))
	}
	return out
}

// fault is one mistake. path is where it stands: "case[3].expect.status".
type fault struct{ path, message string }

// check holds a value against a rule and adds what is wrong with it. field is
// the path as a person knows it: within its case.
func (r rule) check(v any, path, field string, faults []fault) []fault {
	fail := func(m message.Message) []fault {
		message := fmt.Sprintf(format, args...)
		if field != "" {
			message = field + ": " + message
		}
		return append(faults, fault{path, message})
	}
	switch v := v.(type) {
	case string:
		switch {
		case r.kind == anything || r.kind == toolList:
			return faults
		case r.kind != aText:
			return fail(message.New("plan_check.is_text_it_must", "value", v, "kind", r.kind))
		case r.words == nil || slices.Contains(r.words, v):
			return faults
		}
		return fail(message.New("plan_check.is_none", "value", v, "value2", strings.Join(r.words, ", "), "words", didYouMean(v, r.words)))
	case bool:
		if r.kind == aFlag || r.kind == anything {
			return faults
		}
		return fail(message.New("plan_check.is_it_must_be", "value", v, "kind", r.kind))
	case float64:
		if r.kind == aCount && v >= 0 && v == math.Trunc(v) && v < 1<<31 || r.kind == anything {
			return faults
		}
		return fail(message.New("plan_check.is_number_it_must", "value", v, "kind", r.kind))
	case map[string]any:
		switch {
		case r.kind == anything:
			return faults
		case r.kind == tables:
			return fail(message.New("plan_check.is_one_table_it", "field", field))
		case r.kind != aTable:
			return fail(message.New("plan_check.is_table_it_must", "kind", r.kind))
		}
		return r.checkTable(v, path, field, faults)
	case []any:
		return r.checkList(v, path, field, faults)
	}
	if r.kind == anything {
		return faults
	}
	return fail(message.New("plan_check.is_nothing_it_must", "kind", r.kind))
}

func (r rule) checkTable(v map[string]any, path, field string, faults []fault) []fault {
	if r.fields == nil {
		return faults
	}
	known := slices.Sorted(maps.Keys(r.fields))
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at, said := join(path, name), join(field, name)
		if of, ok := r.fields[name]; ok {
			faults = of.check(v[name], at, said, faults)
			continue
		}
		hint := didYouMean(name, known)
		if hint == "" {
			hint = "; known ones are " + strings.Join(known, ", ")
		}
		if _, ofCase := caseRule.fields[name]; ofCase && path == "" {
			hint = "; it belongs to a case: " + caseHeading(name)
		} else if ofCase && field == "expect" {
			hint = "; it belongs to the case: put it above [case.expect]"
		}
		faults = append(faults, fault{at, said + ": unknown field" + hint})
	}
	for _, name := range r.needs {
		if v[name] == nil {
			faults = append(faults, fault{path, join(field, name) + ": missing"})
		}
	}
	return faults
}

func (r rule) checkList(v []any, path, field string, faults []fault) []fault {
	var of rule
	switch r.kind {
	case texts:
		of = rule{kind: aText}
	case tables:
		of = rule{kind: aTable, fields: r.fields, needs: r.needs}
	case toolList:
		of = rule{kind: aTable, fields: toolsRule.fields, needs: toolsRule.needs}
	case pairs:
		of = rule{kind: texts}
	case anything:
		return faults
	default:
		return append(faults, fault{path, fmt.Sprintf("%s: this is a list; it must be %s", field, r.kind)})
	}
	for i, element := range v {
		at, said := fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%s[%d]", field, i)
		if list, isList := element.([]any); r.kind == pairs && isList && len(list) != 2 {
			faults = append(faults, fault{at, fmt.Sprintf("%s: %d texts, it must be a pair [needed tool, tool]", said, len(list))})
			continue
		}
		faults = of.check(element, at, said, faults)
	}
	return faults
}

// caseHeading is the heading under which a field of a case stands.
func caseHeading(name string) string {
	if caseRule.fields[name].kind == aTable {
		return "[case." + name + "] below [[case]]"
	}
	return "put it below [[case]]"
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func didYouMean(word string, known []string) string {
	if near := config.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
