// Package schema checks a call's arguments against the JSON Schema (2020-12 or
// draft-07) that its tool declares.
package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"errand/host/tool"
)

// Checker compiles each tool's schema of arguments once, at its first call. The
// zero value is ready, and good for several goroutines.
type Checker struct {
	// Shown says where a person finds a tool's schema; "": `errand tools` has it.
	Shown string

	mu       sync.Mutex
	compiled map[string]compiled // by tool name
}

type compiled struct {
	source string
	schema *schema
	err    error
}

// schema is one schema of arguments, ready to check values.
type schema struct {
	resolved *jsonschema.Resolved
	doc      any // the same schema as JSON values, for the explainer
}

// Check checks args, which are plain JSON values, against the tool's schema.
func (c *Checker) Check(spec tool.Spec, args map[string]any) *tool.Error {
	s, err := c.schemaOf(spec)
	if err != nil {
		e := tool.Errorf(tool.ToolUnavailable, "bad_schema", "args_schema of %s can't be used: %v", spec.Name, err)
		e.Retriable = false
		return e
	}
	if args == nil {
		args = map[string]any{}
	}
	found := s.check(args)
	if found == nil {
		return nil
	}
	e := tool.Errorf(tool.ValidationError, "invalid_args", "arguments of %s: %s", spec.Name, strings.Join(found, "; "))
	shown := cmp.Or(c.Shown, "errand tools shows its schema")
	if params := spec.Params(); len(params) > 0 {
		return e.WithHint("%s takes %s; %s", spec.Name, strings.Join(params, ", "), shown)
	}
	return e.WithHint("%s takes no arguments that are listed; %s", spec.Name, shown)
}

func (c *Checker) schemaOf(spec tool.Spec) (*schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	made, ok := c.compiled[spec.Name]
	if source := string(spec.ArgsSchema); !ok || made.source != source {
		made.source = source
		made.schema, made.err = compile(spec.ArgsSchema)
		if c.compiled == nil {
			c.compiled = map[string]compiled{}
		}
		c.compiled[spec.Name] = made
	}
	return made.schema, made.err
}

// maxFaults bounds how many faults one message names; the rest is counted.
const maxFaults = 3

// check returns what is wrong with a value, a line for each fault, or nil where
// the schema accepts it. The library decides; it stops at the first fault and
// gives the place in the schema, so the explainer finds the words.
func (s *schema) check(value any) []string {
	value = withoutNumbers(value)
	err := s.resolved.Validate(value)
	if err == nil {
		return nil
	}
	var out []string
	for _, f := range newExplainer(s.doc).explain(s.doc, value) {
		out = append(out, f.String())
	}
	if out == nil {
		out = []string{err.Error()}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if more := len(out) - maxFaults; more > 0 {
		out = append(out[:maxFaults], fmt.Sprintf("and %d more", more))
	}
	return out
}

// withoutNumbers returns a JSON value with Go numbers in place of json.Number,
// which the library takes for a text.
func withoutNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, _ := v.Float64() // out of range: an infinity, which no bound accepts
		return n
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = withoutNumbers(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = withoutNumbers(e)
		}
		return out
	}
	return value
}

// base is the address that relative references resolve against. Nothing loads it.
const base = "args:///schema.json"

// drafts maps the drafts that a schema may name to the one that the library
// checks by. The drafts between differ in keywords of arrays that arguments of
// tools don't use.
var drafts = map[string]string{
	"": "",
	"https://json-schema.org/draft/2020-12/schema": "",
	"https://json-schema.org/draft/2019-09/schema": "",
	"http://json-schema.org/draft-07/schema":       "http://json-schema.org/draft-07/schema#",
	"http://json-schema.org/draft-06/schema":       "http://json-schema.org/draft-07/schema#",
}

// compile prepares a schema. References that leave the schema are an error: a
// plugin's schema must not make the program read files or fetch URLs.
func compile(source []byte) (*schema, error) {
	var doc any
	if err := json.Unmarshal(source, &doc); err != nil {
		return nil, err
	}
	if object, ok := doc.(map[string]any); ok {
		named, _ := object["$schema"].(string)
		draft, ok := drafts[strings.TrimSuffix(strings.Replace(named, "https://json-schema.org/draft-", "http://json-schema.org/draft-", 1), "#")]
		if !ok {
			return nil, elsewhere(named)
		}
		if delete(object, "$schema"); draft != "" {
			object["$schema"] = draft
		}
		closeObject(object)
	}
	if err := checkReferences(doc); err != nil {
		return nil, err
	}
	b, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	var parsed jsonschema.Schema
	if err := json.Unmarshal(b, &parsed); err != nil {
		return nil, err
	}
	resolved, err := parsed.Resolve(&jsonschema.ResolveOptions{
		BaseURI: base,
		Loader:  func(uri *url.URL) (*jsonschema.Schema, error) { return nil, elsewhere(uri.String()) },
	})
	if err != nil {
		return nil, err
	}
	return &schema{resolved, doc}, nil
}

func elsewhere(uri string) error {
	return fmt.Errorf("it refers to %s; only references within the schema are followed", uri)
}

// closeObject makes a schema that lists its properties refuse all others,
// unless it says what happens to them. A mistyped argument that is silently
// dropped would make a tool do something else than was approved.
func closeObject(schema map[string]any) {
	if schema["properties"] == nil {
		return
	}
	has := func(keyword string) bool { _, ok := schema[keyword]; return ok }
	if slices.ContainsFunc([]string{"additionalProperties", "unevaluatedProperties"}, has) {
		return
	}
	if slices.ContainsFunc([]string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"}, has) {
		schema["unevaluatedProperties"] = false // sees what the other keywords allow
		return
	}
	schema["additionalProperties"] = false
}
