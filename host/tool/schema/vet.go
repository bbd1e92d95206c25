package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Flaw is why a schema can't be used.
type Flaw struct {
	Offset  int    // in the schema's text, in bytes: where to look
	Message string // what is wrong and what to do, on one line
}

// Vet says why a schema can't be used, or nil where arguments can be held against
// it. What [Checker] would find at a tool's first call is then found when the tool
// is read.
func Vet(source []byte) *Flaw {
	if flaw := notJSON(source); flaw != nil {
		return flaw
	}
	_, err := compile(source)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.SchemaValidationError
	var violation *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &violation) {
		deepest := innermost(violation)
		at := pointer(deepest.InstanceLocation)
		return &Flaw{find(source, at), strings.TrimPrefix(at+": ", ": ") + demand(deepest)}
	}
	for _, part := range strings.Split(err.Error(), `"`) { // the place, where the text has one
		if at := fragment(part); strings.HasPrefix(part, base) && at != "" {
			return &Flaw{find(source, at), plainly(err)}
		}
	}
	return &Flaw{0, plainly(err)}
}

// plainly leaves out the name that the schema goes by within the program.
func plainly(err error) string {
	text := strings.ReplaceAll(err.Error(), base, "")
	return strings.Join(strings.Fields(text), " ")
}

// demand is what the schema of schemas wants in a place.
func demand(e *jsonschema.ValidationError) string {
	format, ok := e.ErrorKind.(*kind.Format)
	if !ok || format.Want != "regex" {
		return expectation(e)
	}
	return fmt.Sprintf("the pattern %q can't be used: %s", format.Got, why(format.Err))
}

// why says what is wrong with a pattern; those of other languages are known by
// what Go's lack.
func why(err error) string {
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return err.Error()
	}
	if bad.Code == syntax.ErrInvalidPerlOp || bad.Code == syntax.ErrInvalidEscape {
		return fmt.Sprintf("%s is none of RE2's syntax, which has no lookaround and no back-references", bad.Expr)
	}
	return fmt.Sprintf("%s: %s", bad.Code, bad.Expr)
}

func notJSON(source []byte) *Flaw {
	d := json.NewDecoder(bytes.NewReader(source))
	var doc any
	err := d.Decode(&doc)
	var broken *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Flaw{len(bytes.TrimRight(source, " \t\r\n")), "it is not JSON: it ends too early; a bracket, a brace or a quote is not closed"}
	case errors.As(err, &broken):
		return &Flaw{max(0, int(broken.Offset)-1), "it is not JSON: " + broken.Error()}
	case err != nil:
		return &Flaw{0, "it is not JSON: " + err.Error()}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &Flaw{int(d.InputOffset()), "it is not JSON: there is more after its end"}
	}
	if object, ok := doc.(map[string]any); !ok || object["type"] != "object" {
		return &Flaw{0, `it must be the JSON Schema of an object ("type": "object")`}
	}
	return nil
}

func innermost(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return e
}

// fragment is the JSON pointer in a URL.
func fragment(url string) string {
	_, at, _ := strings.Cut(url, "#")
	return at
}

// find is the offset of what a JSON pointer names, or of the nearest thing around
// it.
func find(source []byte, at string) int {
	want := strings.Split(strings.TrimPrefix(at, "/"), "/")
	d := json.NewDecoder(bytes.NewReader(source))
	found := 0
	var into func(depth int) error
	skip := func() error { return d.Decode(new(json.RawMessage)) }
	into = func(depth int) error {
		if at == "" || depth == len(want) {
			return nil
		}
		token, err := d.Token()
		if err != nil {
			return err
		}
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(want[depth])
		for n := 0; d.More(); n++ {
			key := strconv.Itoa(n)
			if token == json.Delim('{') {
				t, err := d.Token()
				if err != nil {
					return err
				}
				key, _ = t.(string)
			}
			if key != name {
				if err := skip(); err != nil {
					return err
				}
				continue
			}
			found = int(d.InputOffset())
			return into(depth + 1)
		}
		return nil
	}
	_ = into(0) // what can't be read was said before
	return found
}
