package schema

import (
	"fmt"
	"strings"

	"errand/planner/message"
)

// maxExpansion limits the number of schemas that one value is checked against. References
// could otherwise cause exponentially many checks.
const maxExpansion = 10_000

// references resolves the references of one document.
type references struct {
	root    any
	anchors map[string]any // by "#name"
	cost    map[string]int // by pointer of a referenced schema; -1: in progress
}

// checkReferences rejects a schema with cyclic references, or with too many schemas for
// one value; both would make the library overflow the stack or take very long. It supports
// only references within the document.
func checkReferences(doc any) error {
	r := references{root: doc, anchors: map[string]any{}, cost: map[string]int{}}
	r.addAnchors(doc)
	return r.checkAll(doc)
}

func (r references) addAnchors(schema any) {
	rules := object(schema)
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name, ok := rules[keyword].(string); ok {
			r.anchors["#"+name] = schema
		}
	}
	for _, v := range rules {
		r.addAnchors(v)
	}
	for _, v := range list(schema) {
		r.addAnchors(v)
	}
}

// checkAll checks the schema and all schemas within it.
func (r references) checkAll(schema any) error {
	if _, err := r.expansion(schema); err != nil {
		return err
	}
	for key, v := range object(schema) {
		if key == "enum" || key == "const" || key == "default" || key == "examples" { // values, not schemas
			continue
		}
		if err := r.checkAll(v); err != nil {
			return err
		}
	}
	for _, v := range list(schema) {
		if err := r.checkAll(v); err != nil {
			return err
		}
	}
	return nil
}

// expansion returns the number of schemas that a value is checked against at one place.
func (r references) expansion(schema any) (int, error) {
	rules := object(schema)
	n := 1
	add := func(s any) error {
		m, err := r.expansion(s)
		if n += m; err == nil && n > maxExpansion {
			err = message.Error("schema.too_many_references")
		}
		return err
	}
	for _, keyword := range []string{"$ref", "$dynamicRef"} {
		ref, ok := rules[keyword].(string)
		if !ok {
			continue
		}
		m, err := r.follow(ref)
		if err != nil {
			return 0, err
		}
		n += m
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, s := range list(rules[keyword]) {
			if err := add(s); err != nil {
				return 0, err
			}
		}
	}
	for _, keyword := range []string{"not", "if", "then", "else"} {
		if s, ok := rules[keyword]; ok {
			if err := add(s); err != nil {
				return 0, err
			}
		}
	}
	for _, s := range object(rules["dependentSchemas"]) {
		if err := add(s); err != nil {
			return 0, err
		}
	}
	return n, nil
}

func (r references) follow(ref string) (int, error) {
	cost, known := r.cost[ref]
	switch {
	case cost < 0:
		return 0, message.Error("schema.reference_loop", "ref", ref)
	case known:
		return cost, nil
	}
	target, ok := r.anchors[ref]
	if !ok {
		if target, ok = lookUp(r.root, ref); !ok {
			return 0, missingRefError(ref)
		}
	}
	r.cost[ref] = -1
	cost, err := r.expansion(target)
	r.cost[ref] = cost
	return cost, err
}

func missingRefError(ref string) error {
	if strings.HasPrefix(ref, "#") {
		return message.Error("schema.unknown_reference", "ref", ref)
	}
	return externalRefError(ref)
}

// lookUp resolves "#" followed by a JSON pointer in a document.
func lookUp(doc any, ref string) (any, bool) {
	at, ok := strings.CutPrefix(ref, "#")
	if !ok || at != "" && at[0] != '/' {
		return nil, false
	}
	for _, key := range strings.Split(at, "/")[1:] {
		key = unescape.Replace(key)
		switch v := doc.(type) {
		case map[string]any:
			if doc, ok = v[key]; !ok {
				return nil, false
			}
		case []any:
			var i int
			if _, err := fmt.Sscanf(key, "%d", &i); err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			doc = v[i]
		default:
			return nil, false
		}
	}
	return doc, true
}
