package schema

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"errand/planner/message"
)

// SchemaError is a reason why a schema can't be used.
type SchemaError struct {
	Offset  int             // byte offset in the schema's text
	Message message.Message // the problem and its solution, on one line
}

// Vet returns a flaw if arguments can't be validated against the schema, and nil
// otherwise. It finds the errors of [Checker] when a tool is loaded instead of at its
// first call.
func Vet(source []byte) *SchemaError {
	if problem := notJSON(source); problem != nil {
		return problem
	}
	var doc any
	if err := json.Unmarshal(source, &doc); err != nil {
		return &SchemaError{0, message.New("schema.bad_json", "cause", err.Error())}
	}
	if faults := metaExplainer().explain(metaSchema()["schema"], doc); faults != nil {
		at := pointer(faults[0].place)
		return &SchemaError{find(source, at), atKeyword(at, faults[0].text)}
	}
	if at, err := badPattern(doc, nil); err != nil {
		place := pointer(at)
		return &SchemaError{find(source, place), atKeyword(place, message.FromError(err))}
	}
	if _, err := compile(source); err != nil {
		return &SchemaError{0, compileFault(err)}
	}
	return nil
}

// atKeyword says what is wrong with a keyword of a schema. at is its pointer, empty for
// the whole schema.
func atKeyword(at string, fault message.Message) message.Message {
	if at == "" {
		return fault
	}
	return message.New("schema.at_keyword", "place", at, "fault", fault)
}

// compileFault says why [compile] failed. An error of the library becomes one line
// without the address of the schema.
func compileFault(err error) message.Message {
	if known, ok := errors.AsType[message.Messenger](err); ok {
		return known.AsMessage()
	}
	return message.Verbatim(strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), base, "")), " "))
}

// meta has the meta-schema of JSON Schema 2020-12 and its vocabularies, as published by
// json-schema.org (BSD 3-clause).
//
//go:embed meta/*.json
var meta embed.FS

// metaSchema reads the meta-schema at its first use. It returns the documents by the names
// that references use.
var metaSchema = sync.OnceValue(func() map[string]any {
	out := map[string]any{}
	for _, name := range []string{"schema", "core", "applicator", "unevaluated", "validation"} {
		b, err := meta.ReadFile("meta/" + name + ".json")
		if err != nil {
			panic(err) // the embedded data is valid
		}
		var doc any
		if err := json.Unmarshal(b, &doc); err != nil {
			panic(err)
		}
		if name != "schema" {
			name = "meta/" + name
		}
		out[name] = doc
	}
	return out
})

func metaExplainer() explainer {
	documents := metaSchema()
	x := newExplainer(documents["schema"])
	x.documents, x.dynamic = documents, documents["schema"]
	return x
}

// badPattern finds a regular expression that Go doesn't support.
func badPattern(schema any, place []string) (at []string, err error) {
	switch v := schema.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			here := extendPath(place, key)
			if pattern, ok := v[key].(string); ok && key == "pattern" && !inNames(place) {
				if _, err := regexp.Compile(pattern); err != nil {
					return here, patternError(pattern, err)
				}
			}
			if key == "patternProperties" {
				for pattern := range object(v[key]) {
					if _, err := regexp.Compile(pattern); err != nil {
						return here, patternError(pattern, err)
					}
				}
			}
			if key == "enum" || key == "const" || key == "default" || key == "examples" { // values, not schemas
				continue
			}
			if at, err := badPattern(v[key], here); err != nil {
				return at, err
			}
		}
	case []any:
		for i, e := range v {
			if at, err := badPattern(e, extendPath(place, strconv.Itoa(i))); err != nil {
				return at, err
			}
		}
	}
	return nil, nil
}

// inNames reports whether the keys at a place are names of properties.
func inNames(place []string) bool {
	return len(place) > 0 && (place[len(place)-1] == "properties" || place[len(place)-1] == "$defs")
}

func patternError(pattern string, err error) error {
	return message.Error("schema.bad_pattern", "pattern", pattern, "cause", explainPattern(err))
}

// explainPattern explains why a pattern is invalid. It recognises features of other languages that Go
// lacks.
func explainPattern(err error) message.Message {
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return message.FromError(err)
	}
	if bad.Code == syntax.ErrInvalidPerlOp || bad.Code == syntax.ErrInvalidEscape {
		return message.New("schema.not_re2", "expression", bad.Expr)
	}
	return message.Verbatim(fmt.Sprintf("%s: %s", bad.Code, bad.Expr)) // in the words of regexp/syntax
}

func notJSON(source []byte) *SchemaError {
	d := json.NewDecoder(bytes.NewReader(source))
	var doc any
	err := d.Decode(&doc)
	var broken *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &SchemaError{len(bytes.TrimRight(source, " \t\r\n")), message.New("schema.truncated_json")}
	case errors.As(err, &broken):
		return &SchemaError{max(0, int(broken.Offset)-1), message.New("schema.bad_json", "cause", broken.Error())}
	case err != nil:
		return &SchemaError{0, message.New("schema.bad_json", "cause", err.Error())}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &SchemaError{int(d.InputOffset()), message.New("schema.trailing_json")}
	}
	if object, ok := doc.(map[string]any); !ok || object["type"] != "object" {
		return &SchemaError{0, message.New("schema.not_an_object_schema")}
	}
	return nil
}

// find returns the offset of the value that a JSON pointer names, or of the nearest
// enclosing one.
func find(source []byte, at string) int {
	d := jsontext.NewDecoder(bytes.NewReader(source), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	found, deepest := 0, jsontext.Pointer("")
	for {
		if _, err := d.ReadToken(); err != nil { // the end, or a syntax error, which is reported elsewhere
			return found
		}
		if here := d.StackPointer(); len(here) > len(deepest) && here.Contains(jsontext.Pointer(at)) {
			found, deepest = int(d.InputOffset()), here
		}
	}
}
