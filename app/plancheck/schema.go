package plancheck

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"errand/planner/interpret/lexicon"
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
	list   func() []string // the same, read when it is needed
	needs  []string        // fields that can't be left out
}

// kind is what a value has to be, by the code of its message.
type kind string

const (
	aText    kind = "plan_check.kind_text"
	aCount   kind = "plan_check.kind_count"
	aFlag    kind = "plan_check.kind_flag"
	aTable   kind = "plan_check.kind_table"
	texts    kind = "plan_check.kind_texts"
	tables   kind = "plan_check.kind_tables"
	pairs    kind = "plan_check.kind_pairs"
	toolList kind = "plan_check.kind_tools"
	anyKind  kind = "plan_check.kind_any"
)

func (k kind) message() message.Message { return message.New(string(k)) }

var goalRules = sync.OnceValue(func() map[string]rule {
	return map[string]rule{
		"goal_type": {kind: aText, words: toStrings(plan.GoalTypes())},
		"platform":  {kind: aText}, "query": {kind: aText}, "target": {kind: aText}, "goal_id": {kind: aText},
		"action":      {kind: aText, list: func() []string { return slices.Concat([]string{"create", "delete"}, plan.FileActions(), pageWords(0)) }},
		"object_type": {kind: aText, list: func() []string { return append([]string{"file", "folder"}, pageWords(1)...) }},
		"limit":       {kind: aCount}, "save_to": {kind: aText},
		"destination": {kind: aText}, "value": {kind: aText},
	}
})

var caseRule = sync.OnceValue(func() rule {
	return rule{kind: aTable, needs: []string{"name"}, fields: map[string]rule{
		"name": {kind: aText}, "text": {kind: aText},
		"goals": {kind: tables, fields: goalRules(), needs: []string{"goal_type"}},
		"problem": {kind: aTable, needs: []string{"goal"}, fields: map[string]rule{
			"world": {kind: texts}, "goal": {kind: texts},
		}},
		"call": {kind: aTable, needs: []string{"tool"}, fields: map[string]rule{
			"tool": {kind: aText}, "args": {kind: aTable}, "origin": {kind: aText, words: toStrings(plan.Origins())}, "after_reading": {kind: aFlag},
		}},
		"url": {kind: aText},
		"world": {kind: aTable, fields: map[string]rule{
			"browser_running": {kind: aFlag}, "browser_last_url": {kind: aText}, "active_window": {kind: aText},
			"running_apps": {kind: texts}, "recent_facts": {kind: texts},
		}},
		"capabilities": {kind: toolList},
		"expect": {kind: aTable, fields: map[string]rule{
			"interpretation": {kind: aText, words: []string{"ok", "ambiguous", "unsupported"}},
			"goals":          {kind: tables, fields: goalRules()},
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
})

var toolsRule = sync.OnceValue(func() rule {
	return rule{kind: tables, needs: []string{"name"}, fields: map[string]rule{
		"name": {kind: aText}, "can_achieve": {kind: texts}, "requires": {kind: texts}, "effects": {kind: texts},
		"params": {kind: texts}, "read_only": {kind: aFlag},
		"risk_level": {kind: aText, words: []string{"LOW", "MEDIUM", "HIGH"}},
	}}
})

var fileRule = rule{kind: aTable, fields: map[string]rule{"case": {kind: tables}}}

// pageWords are the actions on a page, or what they are about.
func pageWords(part int) []string {
	var out []string
	for _, key := range lexicon.PageActions() {
		action, object, _ := strings.Cut(key, "_")
		word := [...]string{action, object}[part]
		if word != "file" && !slices.Contains(out, word) { // an object of the other actions too
			out = append(out, word)
		}
	}
	return out
}

func toStrings[T ~string](all []T) []string {
	var out []string
	for _, v := range all {
		out = append(out, string(v))
	}
	return out
}

// problem is one mistake. path is where it stands: "case[3].expect.status".
type problem struct {
	path    string
	message message.Message
}

// inField returns the fault with its path inside the case.
func (f problem) inField(field string) problem {
	if field != "" {
		f.message = message.New("plan_check.in_field", "field", field, "fault", f.message)
	}
	return f
}

// check holds a value against a rule and adds what is wrong with it. field is
// the path as a person knows it: within its case.
func (r rule) check(v any, path, field string, faults []problem) []problem {
	fail := func(m message.Message) []problem { return append(faults, problem{path, m}.inField(field)) }
	switch v := v.(type) {
	case string:
		if r.list != nil {
			r.words = r.list()
		}
		switch {
		case r.kind == anyKind || r.kind == toolList:
			return faults
		case r.kind != aText:
			return fail(message.New("plan_check.not_text", "text", v, "kind", r.kind.message()))
		case r.words == nil || slices.Contains(r.words, v):
			return faults
		}
		if near := message.Nearest(v, r.words); near != "" {
			return fail(message.New("plan_check.unknown_word_near", "word", v, "known", r.words, "near", near))
		}
		return fail(message.New("plan_check.unknown_word", "word", v, "known", r.words))
	case bool:
		if r.kind == aFlag || r.kind == anyKind {
			return faults
		}
		return fail(message.New("plan_check.not_flag", "value", v, "kind", r.kind.message()))
	case float64:
		if r.kind == aCount && v >= 0 && v == math.Trunc(v) && v < 1<<31 || r.kind == anyKind {
			return faults
		}
		return fail(message.New("plan_check.not_number", "number", v, "kind", r.kind.message()))
	case map[string]any:
		switch {
		case r.kind == anyKind:
			return faults
		case r.kind == tables:
			return fail(message.New("plan_check.one_table", "field", field))
		case r.kind != aTable:
			return fail(message.New("plan_check.not_table", "kind", r.kind.message()))
		}
		return r.checkTable(v, path, field, faults)
	case []any:
		return r.checkList(v, path, field, faults)
	}
	if r.kind == anyKind {
		return faults
	}
	return fail(message.New("plan_check.not_null", "kind", r.kind.message()))
}

func (r rule) checkTable(v map[string]any, path, field string, faults []problem) []problem {
	if r.fields == nil {
		return faults
	}
	known := slices.Sorted(maps.Keys(r.fields))
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at, label := join(path, name), join(field, name)
		if of, ok := r.fields[name]; ok {
			faults = of.check(v[name], at, label, faults)
			continue
		}
		faults = append(faults, problem{at, unknownField(name, known, path, field)}.inField(label))
	}
	for _, name := range r.needs {
		if v[name] == nil {
			faults = append(faults, problem{path, message.New("plan_check.missing")}.inField(join(field, name)))
		}
	}
	return faults
}

func (r rule) checkList(v []any, path, field string, faults []problem) []problem {
	var of rule
	switch r.kind {
	case texts:
		of = rule{kind: aText}
	case tables:
		of = rule{kind: aTable, fields: r.fields, needs: r.needs}
	case toolList:
		of = rule{kind: aTable, fields: toolsRule().fields, needs: toolsRule().needs}
	case pairs:
		of = rule{kind: texts}
	case anyKind:
		return faults
	default:
		return append(faults, problem{path, message.New("plan_check.not_list", "kind", r.kind.message())}.inField(field))
	}
	for i, element := range v {
		at, label := fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%s[%d]", field, i)
		if list, isList := element.([]any); r.kind == pairs && isList && len(list) != 2 {
			faults = append(faults, problem{at, message.New("plan_check.not_pair", "count", len(list))}.inField(label))
			continue
		}
		faults = of.check(element, at, label, faults)
	}
	return faults
}

// unknownField says that a table has no such field, and where it belongs or what it may
// have been meant to be.
func unknownField(name string, known []string, path, field string) message.Message {
	of, ofCase := caseRule().fields[name]
	near := message.Nearest(name, known)
	switch {
	case ofCase && path == "" && of.kind == aTable:
		return message.New("plan_check.table_of_case", "field", name)
	case ofCase && path == "":
		return message.New("plan_check.field_of_case")
	case ofCase && field == "expect":
		return message.New("plan_check.field_above_expect")
	case near != "":
		return message.New("plan_check.unknown_field_near", "near", near)
	}
	return message.New("plan_check.unknown_field", "known", known)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
