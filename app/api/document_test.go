package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"errand/app/api"
	"errand/build/must"
)

// document holds answers against openapi.json, and notes what of it they have shown.
type document struct {
	paths    map[string]map[string]operation // by path and method
	schemas  map[string]schema
	compiler *jsonschema.Compiler

	mu     sync.Mutex
	seen   map[string]bool // "GET /api/jobs 200"
	fields map[string]bool // "Job.answer"
}

type operation struct {
	Responses map[string]struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

type schema struct {
	Ref        string            `json:"$ref"`
	Type       string            `json:"type"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
}

// inputs are schemas of requests alone.
var inputs = []string{"Wraith", "NewJob", "InputData"}

func readDocument(t *testing.T) *document {
	t.Helper()
	var doc struct {
		Paths      map[string]map[string]operation
		Components struct{ Schemas map[string]schema }
	}
	must.Succeed(t, json.Unmarshal(api.Document, &doc))
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(api.Document))
	must.Succeed(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	must.Succeed(t, c.AddResource("openapi.json", raw))
	return &document{paths: doc.Paths, schemas: doc.Components.Schemas, compiler: c, seen: map[string]bool{}, fields: map[string]bool{}}
}

var pathID = regexp.MustCompile(`^(/api/(?:jobs|sessions)/)[^/]+(.*)$`)

// pathOf returns the path of the document for that of a request.
func (d *document) pathOf(path string) string {
	if d.paths[path] != nil {
		return path
	}
	return pathID.ReplaceAllString(path, "${1}{id}$2")
}

// check holds one answer against the document.
func (d *document) check(t *testing.T, method, path string, response *http.Response, body []byte) {
	t.Helper()
	path = d.pathOf(path)
	status := strconv.Itoa(response.StatusCode)
	name := method + " " + path + " " + status
	content := d.paths[path][strings.ToLower(method)].Responses[status].Content
	kind := response.Header.Get("Content-Type")
	want, ok := content[kind]
	if !ok {
		t.Errorf("openapi.json has no %s with %s: %s", name, kind, body)
		return
	}
	d.mu.Lock()
	d.seen[name] = true
	d.mu.Unlock()
	if kind != "application/json" {
		return
	}
	place := fmt.Sprintf("openapi.json#/paths/%s/%s/responses/%s/content/application~1json/schema", strings.ReplaceAll(path, "/", "~1"), strings.ToLower(method), status)
	place = strings.NewReplacer("{", "%7B", "}", "%7D").Replace(place)
	d.validate(t, name, place, want.Schema, body)
}

// checkEvent holds the data of an event against the schema of a name.
func (d *document) checkEvent(t *testing.T, schemaName string, body []byte) {
	t.Helper()
	d.validate(t, "an event", "openapi.json#/components/schemas/"+schemaName, schema{Ref: "#/components/schemas/" + schemaName}, body)
}

func (d *document) validate(t *testing.T, name, place string, s schema, body []byte) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	compiled, err := d.compiler.Compile(place)
	must.Succeed(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	must.Succeed(t, err)
	if err := compiled.Validate(value); err != nil {
		t.Errorf("%s: %v\n%s", name, err, body)
	}
	d.note(s, value)
}

// note notes the fields of a value.
func (d *document) note(s schema, value any) {
	name := ""
	if s.Ref != "" {
		name = s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		s = d.schemas[name]
	}
	switch v := value.(type) {
	case map[string]any:
		for key, part := range v {
			if name != "" {
				d.fields[name+"."+key] = true
			}
			d.note(s.Properties[key], part)
		}
	case []any:
		for _, part := range v {
			if s.Items != nil {
				d.note(*s.Items, part)
			}
		}
	}
}

// complete checks that every answer and every field of the document was seen, and that every route
// is in it.
func (d *document) complete(t *testing.T) {
	t.Helper()
	var routes, documented []string
	for _, r := range (&api.API{}).Routes() {
		routes = append(routes, r.Pattern)
	}
	for path, methods := range d.paths {
		for method, o := range methods {
			documented = append(documented, strings.ToUpper(method)+" "+path)
			for status := range o.Responses {
				if name := strings.ToUpper(method) + " " + path + " " + status; !d.seen[name] {
					t.Errorf("no test shows %s", name)
				}
			}
		}
	}
	slices.Sort(routes)
	slices.Sort(documented)
	if !slices.Equal(routes, documented) {
		t.Errorf("routes %q, documented %q", routes, documented)
	}
	for _, name := range slices.Sorted(maps.Keys(d.schemas)) {
		if slices.Contains(inputs, name) {
			continue
		}
		for field := range d.schemas[name].Properties {
			if !d.fields[name+"."+field] {
				t.Errorf("no test shows %s.%s", name, field)
			}
		}
	}
}
