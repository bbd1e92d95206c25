package llm

import (
	"bytes"
	"encoding/json"
	"strings"

	"errand/host/tool/jsonstrict"
)

// maxMalformed is how much of malformed arguments is kept, in bytes.
const maxMalformed = 2 << 10

// ParseArgs reads the arguments of a call: a JSON object, or JSON text that holds one. No
// arguments are an empty object. Other values, objects that have a key twice, and text that Go
// can't hold are malformed: their text is returned, at most 2 KiB of it.
func ParseArgs(raw []byte) (args map[string]any, malformed string) {
	text := bytes.TrimSpace(raw)
	if len(text) > 0 && text[0] == '"' {
		var inner string
		if jsonstrict.CheckText(text) == nil && json.Unmarshal(text, &inner) == nil {
			text = []byte(strings.TrimSpace(inner))
		}
	}
	if len(text) == 0 || string(text) == "null" {
		return map[string]any{}, ""
	}
	if jsonstrict.CheckText(text) == nil {
		if v, err := jsonstrict.Decode(text); err == nil {
			_, twice := jsonstrict.FindDuplicate(text)
			if args, ok := v.(map[string]any); ok && !twice {
				return args, ""
			}
		}
	}
	return nil, clip(string(text), maxMalformed)
}

// CutLast marks the last call of an answer that the limit of tokens ended as malformed: its
// arguments can be cut, also where they are an object.
func (t *Turn) CutLast() {
	if t.Finish != FinishLength || len(t.Calls) == 0 {
		return
	}
	last := &t.Calls[len(t.Calls)-1]
	if last.Malformed == "" {
		last.Malformed = clip(string(Marshal(last.Args)), maxMalformed)
	}
	last.Args = nil
}

// WireArgs returns the arguments of a call of an earlier turn. Malformed ones are put into an
// object, because providers take nothing else.
func (c Call) WireArgs() map[string]any {
	switch {
	case c.Malformed != "":
		return map[string]any{"malformed": c.Malformed}
	case c.Args == nil:
		return map[string]any{}
	}
	return c.Args
}

// Marshal encodes a value as JSON without HTML escapes. It panics on values that JSON does not
// have.
func Marshal(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// clip cuts a text to at most n bytes, at a character.
func clip(text string, n int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
