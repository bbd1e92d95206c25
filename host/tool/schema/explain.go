package schema

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/planner/message"
)

// mismatch is one error in a value.
type mismatch struct {
	place []string // keys and indexes from the root of the value
	text  message.Message
	// properties that a "required" misses; nil for other errors
	missing []string
}

func (f mismatch) message() message.Message {
	if len(f.place) == 0 {
		return f.text
	}
	return message.New("schema.at", "place", pointer(f.place), "fault", f.text)
}

// compareFaults orders faults by their places. Those of the whole value come last.
func compareFaults(a, b mismatch) int {
	at, bt := pointer(a.place), pointer(b.place)
	switch {
	case at == bt:
		return strings.Compare(a.text.String(), b.text.String())
	case at == "":
		return 1
	case bt == "":
		return -1
	}
	return strings.Compare(at, bt)
}

// explainer finds the violations of a schema in a value and describes them with their
// place. It knows the keywords that argument schemas use. For other violations the message
// of the library is used.
type explainer struct {
	root any // the target of "#"
	// documents are further schemas, by the names that references use.
	documents map[string]any
	// dynamic is the target of "#meta", or nil.
	dynamic   any
	remaining *int // number of schemas that may still be visited
}

// maxSchemas limits the work, because references may be cyclic or grow exponentially.
const maxSchemas = 20_000

func newExplainer(root any) explainer {
	budget := maxSchemas
	return explainer{root: root, remaining: &budget}
}

// explain returns the errors in a value, or nil if it finds none.
func (x explainer) explain(schema, value any) []mismatch { return x.explainAt(nil, schema, value) }

func (x explainer) explainAt(place []string, schema, value any) []mismatch {
	if *x.remaining--; *x.remaining < 0 {
		return nil
	}
	rules, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return []mismatch{{place: place, text: message.New("schema.unexpected_argument")}}
		}
		return nil
	}
	if want, ok := rules["type"]; ok && !hasType(value, want) {
		return oneFault(place, wrongType(typeOf(value), texts(want)))
	}
	out := slices.Concat(checkListed(place, rules, value), x.explainComposed(place, rules, value))
	switch v := value.(type) {
	case string:
		return append(out, checkText(place, rules, v)...)
	case []any:
		return append(out, x.list(place, rules, v)...)
	case map[string]any:
		return append(out, x.object(place, rules, v)...)
	}
	return append(out, checkNumber(place, rules, value)...)
}

func wrongType(actual string, want []string) message.Message {
	if len(want) == 1 {
		return message.New("schema.wrong_type", "actual", actual, "want", want[0])
	}
	return message.New("schema.wrong_types", "actual", actual, "want", want)
}

func oneFault(place []string, m message.Message) []mismatch {
	return []mismatch{{place: place, text: m}}
}

// checkListed checks "enum" and "const".
func checkListed(place []string, rules map[string]any, value any) []mismatch {
	if want, ok := rules["const"]; ok && !equal(want, value) {
		return oneFault(place, message.New("schema.other_constant", "want", printValue(want)))
	}
	listed, ok := rules["enum"].([]any)
	if !ok || slices.ContainsFunc(listed, func(want any) bool { return equal(want, value) }) {
		return nil
	}
	var names []string
	for _, want := range listed {
		names = append(names, printValue(want))
	}
	if len(names) == 1 {
		return oneFault(place, message.New("schema.other_constant", "want", names[0]))
	}
	return oneFault(place, message.New("schema.not_listed", "names", names))
}

// explainComposed checks the keywords that apply whole schemas to the same value.
func (x explainer) explainComposed(place []string, rules map[string]any, value any) []mismatch {
	var out []mismatch
	if target, in, ok := x.target(rules); ok {
		out = append(out, in.explainAt(place, target, value)...)
	}
	for _, s := range list(rules["allOf"]) {
		out = append(out, x.explainAt(place, s, value)...)
	}
	if forms := list(rules["anyOf"]); forms != nil {
		if found := x.failingForms(place, forms, value); len(found) == len(forms) {
			out = append(out, slices.Concat(found...)...)
		}
	}
	if forms := list(rules["oneOf"]); forms != nil {
		out = append(out, x.exclusive(place, forms, value)...)
	}
	if condition, ok := rules["if"]; ok {
		branch := rules["else"]
		if x.explainAt(place, condition, value) == nil {
			branch = rules["then"]
		}
		out = append(out, x.explainAt(place, branch, value)...)
	}
	return out
}

// failingForms returns the errors of each form that the value doesn't match.
func (x explainer) failingForms(place []string, forms []any, value any) (out [][]mismatch) {
	for _, s := range forms {
		if found := x.explainAt(place, s, value); found != nil {
			out = append(out, found)
		}
	}
	return out
}

// exclusive checks "oneOf". If each form only misses one argument, those arguments are the
// alternatives.
func (x explainer) exclusive(place []string, forms []any, value any) []mismatch {
	found := x.failingForms(place, forms, value)
	switch {
	case len(found) == len(forms)-1:
		return nil
	case len(found) < len(forms)-1:
		return oneFault(place, message.New("schema.exclusive_arguments"))
	}
	var names []string
	for _, faults := range found {
		if len(faults) != 1 || faults[0].missing == nil || len(faults[0].place) != len(place) {
			return slices.Concat(found...)
		}
		names = append(names, faults[0].missing...)
	}
	return oneFault(place, message.New("schema.needs_one_of", "names", sortNames(names)))
}

// target returns the schema that "$ref" or "$dynamicRef" names, and an explainer for its
// document.
func (x explainer) target(rules map[string]any) (schema any, in explainer, ok bool) {
	in = x
	if rules["$dynamicRef"] == "#meta" && x.dynamic != nil {
		in.root = x.dynamic
		return in.root, in, true
	}
	ref, _ := rules["$ref"].(string)
	name, at, _ := strings.Cut(ref, "#")
	if name != "" {
		if in.root, ok = x.documents[name]; !ok {
			return nil, in, false
		}
	}
	if ref == "" {
		return nil, in, false
	}
	schema, ok = lookUp(in.root, "#"+at)
	return schema, in, ok
}

func (x explainer) list(place []string, rules map[string]any, value []any) []mismatch {
	out := bounds(place, rules, "minItems", "maxItems", len(value))
	first := list(rules["prefixItems"])
	for i, v := range value {
		s := rules["items"]
		if i < len(first) {
			s = first[i]
		}
		out = append(out, x.explainAt(extendPath(place, fmt.Sprint(i)), s, v)...)
	}
	for i, v := range value {
		if j := slices.IndexFunc(value[:i], func(w any) bool { return equal(v, w) }); rules["uniqueItems"] == true && j >= 0 {
			return append(out, oneFault(place, message.New("schema.equal_items", "first", j, "second", i))...)
		}
	}
	return out
}

func checkText(place []string, rules map[string]any, value string) []mismatch {
	out := bounds(place, rules, "minLength", "maxLength", utf8.RuneCountInString(value))
	if pattern, ok := rules["pattern"].(string); ok {
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(value) {
			out = append(out, oneFault(place, message.New("schema.pattern_mismatch", "actual", printValue(value), "pattern", pattern))...)
		}
	}
	return out
}

func checkNumber(place []string, rules map[string]any, value any) []mismatch {
	n, ok := number(value)
	if !ok {
		return nil
	}
	for _, bound := range []struct {
		keyword string
		broken  func(limit float64) bool
	}{
		{"minimum", func(limit float64) bool { return n < limit }},
		{"maximum", func(limit float64) bool { return n > limit }},
		{"exclusiveMinimum", func(limit float64) bool { return n <= limit }},
		{"exclusiveMaximum", func(limit float64) bool { return n >= limit }},
	} {
		if limit, ok := number(rules[bound.keyword]); ok && bound.broken(limit) {
			return oneFault(place, message.New("schema.out_of_bounds", "keyword", bound.keyword, "actual", printValue(value), "limit", printValue(rules[bound.keyword])))
		}
	}
	if step, ok := number(rules["multipleOf"]); ok && step != 0 && math.Mod(n, step) != 0 {
		return oneFault(place, message.New("schema.out_of_bounds", "keyword", "multipleOf", "actual", printValue(value), "limit", printValue(rules["multipleOf"])))
	}
	return nil
}

func bounds(place []string, rules map[string]any, least, most string, n int) []mismatch {
	if limit, ok := number(rules[least]); ok && float64(n) < limit {
		return oneFault(place, message.New("schema.out_of_bounds", "keyword", least, "actual", n, "limit", printValue(rules[least])))
	}
	if limit, ok := number(rules[most]); ok && float64(n) > limit {
		return oneFault(place, message.New("schema.out_of_bounds", "keyword", most, "actual", n, "limit", printValue(rules[most])))
	}
	return nil
}
