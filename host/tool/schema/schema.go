// Package schema validates the arguments of a call against the JSON Schema (2020-12 or
// draft-07) of its tool.
package schema

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"errand/host/tool"
	"errand/planner/message"
)

// Checker compiles each tool's argument schema once, at its first call. The zero value is
// ready to use and safe for concurrent use.
type Checker struct {
	// Display says what prints a tool's schema; the zero Message means `errand tools`.
	Display message.Message

	mu       sync.Mutex
	compiled map[string]compiled // by tool name
}

type compiled struct {
	source string
	schema *schema
	err    error
}

// schema is a compiled schema of arguments.
type schema struct {
	resolved *jsonschema.Resolved
	doc      any // the same schema as JSON values, for the explainer
}

// Check validates args, which are plain JSON values, against the tool's schema.
func (c *Checker) Check(spec tool.Spec, args map[string]any) *tool.Error {
	s, err := c.schemaOf(spec)
	if err != nil {
		return tool.UnavailableError("bad_schema", message.New("schema.bad_schema", "name", spec.Name, "cause", err))
	}
	if args == nil {
		args = map[string]any{}
	}
	found := s.check(args)
	if found == nil {
		return nil
	}
	e := tool.NewError(tool.ValidationError, "invalid_args", message.New("schema.invalid_args", "name", spec.Name, "faults", joinFaults(found)))
	see := c.Display
	if see.IsZero() {
		see = message.New("schema.see_tools")
	}
	if params := spec.Params(); len(params) > 0 {
		return e.WithHint(message.New("schema.takes", "name", spec.Name, "names", params, "see", see))
	}
	return e.WithHint(message.New("schema.takes_none", "name", spec.Name, "see", see))
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

// maxFaults is the maximum number of errors in one message. The rest is counted.
const maxFaults = 3

// check returns a line for each error in a value, or nil if the schema accepts it. The
// library decides. It stops at the first error and only gives a place in the schema, so
// the explainer provides the text.
func (s *schema) check(value any) []message.Message {
	value = withoutNumbers(value)
	err := s.resolved.Validate(value)
	if err == nil {
		return nil
	}
	faults := newExplainer(s.doc).explain(s.doc, value)
	if faults == nil {
		return []message.Message{message.FromError(err)}
	}
	slices.SortFunc(faults, compareFaults)
	var out []message.Message
	for _, f := range faults {
		if m := f.message(); len(out) == 0 || !m.Equal(out[len(out)-1]) {
			out = append(out, m)
		}
	}
	if more := len(out) - maxFaults; more > 0 {
		out = append(out[:maxFaults], message.New("schema.and_more", "count", more))
	}
	return out
}

// joinFaults makes one message of several.
func joinFaults(faults []message.Message) message.Message {
	joined := faults[len(faults)-1]
	for _, m := range slices.Backward(faults[:len(faults)-1]) {
		joined = message.New("schema.several_faults", "fault", m, "rest", joined)
	}
	return joined
}

// withoutNumbers returns a JSON value with Go numbers instead of json.Number, which the
// library treats as a string.
func withoutNumbers(value any) any {
	return tool.MapLeaves(value, func(leaf any) any {
		v, ok := leaf.(json.Number)
		if !ok {
			return leaf
		}
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, _ := v.Float64() // out of range: infinity, which exceeds every limit
		return n
	})
}

// base is the address for resolving relative references. It is never loaded.
const base = "args:///schema.json"

// drafts maps the drafts that a schema may name to the draft that the library uses. The
// drafts in between differ only in array keywords that argument schemas don't use.
var drafts = map[string]string{
	"": "",
	"https://json-schema.org/draft/2020-12/schema": "",
	"https://json-schema.org/draft/2019-09/schema": "",
	"http://json-schema.org/draft-07/schema":       "http://json-schema.org/draft-07/schema#",
	"http://json-schema.org/draft-06/schema":       "http://json-schema.org/draft-07/schema#",
}

// compile compiles a schema. References to other documents are an error: a plugin's schema
// must not make the program read files or fetch URLs.
func compile(source []byte) (*schema, error) {
	var doc any
	if err := json.Unmarshal(source, &doc); err != nil {
		return nil, err
	}
	if object, ok := doc.(map[string]any); ok {
		named, _ := object["$schema"].(string)
		draft, ok := drafts[strings.TrimSuffix(strings.Replace(named, "https://json-schema.org/draft-", "http://json-schema.org/draft-", 1), "#")]
		if !ok {
			return nil, externalRefError(named)
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
		Loader:  func(uri *url.URL) (*jsonschema.Schema, error) { return nil, externalRefError(uri.String()) },
	})
	if err != nil {
		return nil, err
	}
	return &schema{resolved, doc}, nil
}

func externalRefError(uri string) error {
	return message.Error("schema.foreign_reference", "uri", uri)
}

// closeObject makes an object schema reject properties that it doesn't list, unless it
// specifies how to treat them. Ignoring a mistyped argument could make a tool do something
// other than what was approved.
func closeObject(schema map[string]any) {
	if schema["properties"] == nil {
		return
	}
	has := func(keyword string) bool { _, ok := schema[keyword]; return ok }
	if slices.ContainsFunc([]string{"additionalProperties", "unevaluatedProperties"}, has) {
		return
	}
	if slices.ContainsFunc([]string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"}, has) {
		schema["unevaluatedProperties"] = false // takes the other keywords into account
		return
	}
	schema["additionalProperties"] = false
}
