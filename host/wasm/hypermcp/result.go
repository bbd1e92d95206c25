package hypermcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"errand/host/tool/jsonstrict"
)

// Result is what a tool answered.
type Result struct {
	// Payload is the structured content where there is any; the text (or, where it
	// is a JSON object or list, what it says) of a single text block; else an
	// object with the list of blocks as its "content".
	Payload any
	Failed  bool   // the tool says that it failed
	Message string // and why: the text of its blocks
}

// block is a content block of any type. Its fields are those of all types.
type block struct {
	Type     string    `json:"type"`
	Text     *string   `json:"text"`
	Data     string    `json:"data"`
	MIMEType string    `json:"mimeType"`
	URI      string    `json:"uri"`
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	About    string    `json:"description"`
	Resource *resource `json:"resource"`
}

// resource is what a block embeds. Its content is a text or Base64.
type resource struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Blob     *string `json:"blob"`
}

// Read reads what the function that calls a tool left as its output.
func Read(output []byte) (Result, error) {
	var answer struct {
		Content    []block         `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(output, &answer); err != nil {
		return Result{}, fmt.Errorf("its answer can't be read: %w", err)
	}
	if err := plainly(output); err != nil {
		return Result{}, fmt.Errorf("its answer can be read in two ways: %w", err)
	}
	structured := len(answer.Structured) > 0 && string(answer.Structured) != "null"
	if answer.Content == nil && !structured {
		return Result{}, errors.New("its answer has no content")
	}
	var texts []string
	blocks := make([]any, 0, len(answer.Content))
	for i, b := range answer.Content {
		plain, err := b.plain()
		if err != nil {
			return Result{}, fmt.Errorf("content block %d of its answer: %w", i, err)
		}
		if plain["type"] == "text" {
			texts = append(texts, *b.Text)
		}
		blocks = append(blocks, plain)
	}
	r := Result{Failed: answer.IsError, Message: strings.TrimSpace(strings.Join(texts, "\n"))}
	switch {
	case structured:
		payload, err := jsonstrict.Decode(answer.Structured)
		if err != nil {
			return Result{}, fmt.Errorf("its answer can't be read: %w", err)
		}
		r.Payload = payload
	case len(blocks) == 1 && len(texts) == 1:
		r.Payload = text(texts[0])
	default:
		r.Payload = map[string]any{"content": blocks}
	}
	return r, nil
}

// plainly says why readers could differ on what an answer says. The protocol's own
// know no key in other capitals, where encoding/json would take one for the other.
func plainly(output []byte) error {
	if at, twice := jsonstrict.FindDuplicate(output); twice {
		return fmt.Errorf("%s stands in it twice", at)
	}
	var said map[string]json.RawMessage
	var blocks []map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(output, &said), spelled(said, "content", "structuredContent", "isError")); err != nil {
		return err
	}
	_ = json.Unmarshal(said["content"], &blocks) // a list of objects or nothing, by its type
	for _, b := range blocks {
		var embedded map[string]json.RawMessage
		_ = json.Unmarshal(b["resource"], &embedded)
		err := errors.Join(
			spelled(b, "type", "text", "data", "mimeType", "uri", "name", "title", "description", "resource"),
			spelled(embedded, "uri", "mimeType", "text", "blob"))
		if err != nil {
			return err
		}
	}
	return nil
}

// spelled refuses keys of an object in other capitals than its own.
func spelled(object map[string]json.RawMessage, keys ...string) error {
	if wrong, own, found := jsonstrict.FindCaseVariant(object, keys...); found {
		return fmt.Errorf("%q must be written %q", wrong, own)
	}
	return nil
}

// text is a text, or the JSON object or list that it is. A number or a word
// stays the text it was meant as.
func text(s string) any {
	b := bytes.TrimSpace([]byte(s))
	if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		if v, err := jsonstrict.Decode(b); err == nil {
			return v
		}
	}
	return s
}

// kind is the block's type, by what it holds where it does not say.
func (b block) kind() string {
	switch {
	case b.Type != "":
		return b.Type
	case b.Resource != nil:
		return "resource"
	case b.Data != "" && strings.HasPrefix(b.MIMEType, "audio/"):
		return "audio"
	case b.Data != "":
		return "image"
	case b.Text != nil:
		return "text"
	case b.URI != "":
		return "resource_link"
	}
	return ""
}

// plain is the block as the payload has it: what its type means and no more.
func (b block) plain() (map[string]any, error) {
	kind := b.kind()
	out := map[string]any{"type": kind}
	set := func(key, value string) {
		if value != "" {
			out[key] = value
		}
	}
	switch kind {
	case "text":
		if b.Text == nil {
			return nil, errors.New("a text without a text")
		}
		out["text"] = *b.Text
	case "image", "audio":
		if b.Data == "" {
			return nil, fmt.Errorf("an %s without data", kind)
		}
		set("mimeType", b.MIMEType)
		out["data"] = b.Data
	case "resource":
		r := b.Resource
		if r == nil { // version 1 has the fields in the block itself
			r = &resource{URI: b.URI, MIMEType: b.MIMEType, Text: b.Text}
			if b.Data != "" {
				r.Blob = &b.Data
			}
		}
		set("uri", r.URI)
		set("mimeType", r.MIMEType)
		switch {
		case r.Text != nil:
			out["text"] = *r.Text
		case r.Blob != nil:
			out["blob"] = *r.Blob
		default:
			return nil, errors.New("a resource without content")
		}
	case "resource_link":
		if b.URI == "" {
			return nil, errors.New("a link without a uri")
		}
		out["uri"] = b.URI
		set("name", b.Name)
		set("title", b.Title)
		set("description", b.About)
		set("mimeType", b.MIMEType)
	default:
		return nil, fmt.Errorf("its type %q is not text, image, audio, resource or resource_link", b.Type)
	}
	return out, nil
}
