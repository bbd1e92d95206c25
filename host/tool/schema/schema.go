// Package schema holds a call's arguments against what its tool takes, a JSON
// Schema of the 2020-12 draft.
package schema

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

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
	schema *jsonschema.Schema
	err    error
}

// Check holds args, which are plain JSON values, against the tool's schema.
func (c *Checker) Check(spec tool.Spec, args map[string]any) *tool.Error {
	schema, err := c.of(spec)
	if err != nil {
		e := tool.Errorf(tool.ToolUnavailable, "bad_schema", "args_schema of %s can't be used: %v", spec.Name, err)
		e.Retriable = false
		return e
	}
	err = schema.Validate(args)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return tool.Errorf(tool.ValidationError, "invalid_args", "arguments of %s: %v", spec.Name, err)
	}
	e := tool.Errorf(tool.ValidationError, "invalid_args", "arguments of %s: %s", spec.Name, strings.Join(faults(invalid), "; "))
	shown := cmp.Or(c.Shown, "errand tools shows its schema")
	if params := spec.Params(); len(params) > 0 {
		return e.WithHint("%s takes %s; %s", spec.Name, strings.Join(params, ", "), shown)
	}
	return e.WithHint("%s takes no arguments that are listed; %s", spec.Name, shown)
}

func (c *Checker) of(spec tool.Spec) (*jsonschema.Schema, error) {
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

// nothing is the loader of documents that a schema refers to: there are none.
// A schema from a plugin must not make the program read files or fetch URLs.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s; only references within the schema are followed", url)
}

// base is what relative references resolve against, and nothing loads.
const base = "args:///schema.json"

func compile(source []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		return nil, err
	}
	closeObject(doc)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nothing{})
	if err := c.AddResource(base, doc); err != nil {
		return nil, err
	}
	return c.Compile(base)
}

// closeObject makes a schema that lists its properties refuse all others,
// unless it says what shall become of them. A mistyped argument that is
// silently dropped would make a tool do something else than was approved.
func closeObject(doc any) {
	schema, ok := doc.(map[string]any)
	if !ok || schema["properties"] == nil {
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

// maxFaults bounds what one message tells; the rest is counted.
const maxFaults = 3

var english = message.NewPrinter(language.English)

// faults says for each innermost error where it is, as a JSON pointer, and what
// was expected there, in the order of the pointers.
func faults(e *jsonschema.ValidationError) []string {
	var out []string
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if names := alternatives(e); names != nil {
			out = append(out, located(e.InstanceLocation)+"it needs one of "+quoted(names))
			return
		}
		if len(e.Causes) == 0 {
			out = append(out, located(e.InstanceLocation)+expectation(e))
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(e)
	slices.Sort(out)
	out = slices.Compact(out)
	if more := len(out) - maxFaults; more > 0 {
		out = append(out[:maxFaults], fmt.Sprintf("and %d more", more))
	}
	return out
}

// located names a place in the arguments, and nothing where that is all of them.
func located(tokens []string) string {
	if len(tokens) == 0 {
		return ""
	}
	return fmt.Sprintf("at %q: ", pointer(tokens))
}

// alternatives are the arguments of which there is none and should be one: where
// each of the forms that exclude one another misses but its own.
func alternatives(e *jsonschema.ValidationError) (names []string) {
	if _, ok := e.ErrorKind.(*kind.OneOf); !ok {
		return nil
	}
	for _, c := range e.Causes {
		k, ok := c.ErrorKind.(*kind.Required)
		if !ok || len(c.Causes) > 0 || len(c.InstanceLocation) != len(e.InstanceLocation) {
			return nil
		}
		names = append(names, k.Missing...)
	}
	return names
}

func expectation(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf:
		return "it has several arguments that exclude one another"
	case *kind.AdditionalProperties:
		return "unknown argument " + quoted(k.Properties)
	case *kind.FalseSchema:
		return "unknown argument"
	case *kind.Required:
		return "missing argument " + quoted(k.Missing)
	}
	return e.ErrorKind.LocalizedString(english)
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	slices.Sort(q)
	return strings.Join(q, ", ")
}

// pointer is the JSON pointer (RFC 6901) of a place in the arguments.
func pointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(t))
	}
	return b.String()
}
