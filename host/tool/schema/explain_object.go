package schema

import (
	"maps"
	"regexp"
	"slices"

	"errand/planner/message"
)

func (x explainer) object(place []string, rules map[string]any, value map[string]any) []mismatch {
	out := bounds(place, rules, "minProperties", "maxProperties", len(value))
	if missing := missingNames(value, texts(rules["required"])); missing != nil {
		out = append(out, mismatch{place, message.New("schema.missing_argument", "names", sortNames(missing)), missing})
	}
	needs, _ := rules["dependentRequired"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		if missing := missingNames(value, texts(needs[name])); missing != nil && value[name] != nil {
			out = append(out, oneFault(place, message.New("schema.needs", "name", name, "names", sortNames(missing)))...)
		}
	}
	properties, _ := rules["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if v, ok := value[name]; ok {
			out = append(out, x.explainAt(extendPath(place, name), properties[name], v)...)
		}
	}
	rest, closed := rules["additionalProperties"]
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(value)) {
		_, known := properties[name]
		for pattern, s := range object(rules["patternProperties"]) {
			if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
				known = true
				out = append(out, x.explainAt(extendPath(place, name), s, value[name])...)
			}
		}
		switch {
		case known || !closed:
		case rest == false:
			unknown = append(unknown, name)
		default:
			out = append(out, x.explainAt(extendPath(place, name), rest, value[name])...)
		}
	}
	if unknown != nil {
		out = append(out, oneFault(place, message.New("schema.unknown_argument", "names", unknown))...)
	}
	if rules["unevaluatedProperties"] == false {
		known := map[string]bool{}
		x.addNames(known, rules)
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if !known[name] {
				out = append(out, oneFault(extendPath(place, name), message.New("schema.unexpected_argument"))...)
			}
		}
	}
	return out
}

// addNames adds the properties that a schema and the schemas composed into it
// name.
func (x explainer) addNames(known map[string]bool, schema any) {
	rules := object(schema)
	if *x.remaining--; *x.remaining < 0 || rules == nil {
		return
	}
	for name := range object(rules["properties"]) {
		known[name] = true
	}
	if target, in, ok := x.target(rules); ok {
		in.addNames(known, target)
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, s := range list(rules[keyword]) {
			x.addNames(known, s)
		}
	}
	for _, keyword := range []string{"if", "then", "else"} {
		x.addNames(known, rules[keyword])
	}
	for _, s := range object(rules["dependentSchemas"]) {
		x.addNames(known, s)
	}
}
