package hypermcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"errand/host/tool/jsonstrict"
	"errand/host/wasm/limit"
	"errand/planner/message"
)

// Result is the answer of a tool.
type Result struct {
	// Payload is the structured content, if any. Otherwise it is the text of a
	// single text block, decoded if it is a JSON object or list; or else an object
	// with the blocks in "content".
	Payload any
	Failed  bool   // the tool reports a failure
	Message string // why: the text of its blocks
}

// block is a content block, with the fields of all types.
type block struct {
	Type        string    `json:"type"`
	Text        *string   `json:"text"`
	Data        string    `json:"data"`
	MIMEType    string    `json:"mimeType"`
	URI         string    `json:"uri"`
	Name        string    `json:"name"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Resource    *resource `json:"resource"`
}

// resource is an embedded resource. Its content is text or Base64.
type resource struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Blob     *string `json:"blob"`
}

// Read parses the output of the function that calls a tool.
func Read(output []byte) (Result, error) {
	var answer struct {
		Content    []block         `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if !utf8.Valid(output) {
		return Result{}, message.Error("plugin.answer_not_utf8")
	}
	if err := json.Unmarshal(output, &answer); err != nil {
		return Result{}, message.Error("plugin.unreadable_result", "cause", err)
	}
	if err := plainText(output); err != nil {
		return Result{}, message.Error("plugin.ambiguous_result", "cause", err)
	}
	structured := len(answer.Structured) > 0 && string(answer.Structured) != "null"
	if answer.Content == nil && !structured {
		return Result{}, message.Error("plugin.result_without_content")
	}
	if err := limit.Content.Check(len(answer.Content)); err != nil {
		return Result{}, err
	}
	var texts []string
	blocks := make([]any, 0, len(answer.Content))
	for i, b := range answer.Content {
		plain, err := b.payload()
		if err == nil {
			err = b.checkSize()
		}
		if err != nil {
			return Result{}, message.Error("plugin.bad_content_block", "number", i, "cause", err)
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
			return Result{}, message.Error("plugin.unreadable_result", "cause", err)
		}
		r.Payload = payload
	case len(blocks) == 1 && len(texts) == 1:
		r.Payload = text(texts[0])
	default:
		r.Payload = map[string]any{"content": blocks}
	}
	return r, nil
}

// plainText returns why an answer is ambiguous. Keys are case-sensitive in the
// protocol, but encoding/json ignores their case.
func plainText(output []byte) error {
	if at, twice := jsonstrict.FindDuplicate(output); twice {
		return message.Error("plugin.key_twice", "key", at)
	}
	var fields map[string]json.RawMessage
	var blocks []map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(output, &fields), checkKeys(fields, "content", "structuredContent", "isError")); err != nil {
		return err
	}
	_ = json.Unmarshal(fields["content"], &blocks) // a list of objects or nothing, by its type
	for _, b := range blocks {
		var embedded map[string]json.RawMessage
		_ = json.Unmarshal(b["resource"], &embedded)
		err := errors.Join(
			checkKeys(b, "type", "text", "data", "mimeType", "uri", "name", "title", "description", "resource"),
			checkKeys(embedded, "uri", "mimeType", "text", "blob"))
		if err != nil {
			return err
		}
	}
	return nil
}

// checkKeys refuses keys of an object with the wrong case.
func checkKeys(object map[string]json.RawMessage, keys ...string) error {
	if wrong, own, found := jsonstrict.FindCaseVariant(object, keys...); found {
		return message.Error("plugin.key_in_other_case", "key", wrong, "proper", own)
	}
	return nil
}

// text returns s, decoded if it is a JSON object or list. Other JSON values stay
// text.
func text(s string) any {
	b := bytes.TrimSpace([]byte(s))
	if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		if v, err := jsonstrict.Decode(b); err == nil {
			return v
		}
	}
	return s
}

// kind returns the block's type; if it is missing, the fields determine it.
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

// checkSize returns an error if a text that describes the block's content is too long. The
// content itself is bounded by the limit of output.
func (b block) checkSize() error {
	texts := []string{b.URI, b.Name, b.Title, b.Description, b.MIMEType}
	if b.Resource != nil {
		texts = append(texts, b.Resource.URI, b.Resource.MIMEType)
	}
	for _, text := range texts {
		if err := limit.BlockField.Check(len(text)); err != nil {
			return err
		}
	}
	return nil
}

// payload returns the block for the payload, with the fields of its type only.
func (b block) payload() (map[string]any, error) {
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
			return nil, message.Error("plugin.text_without_text")
		}
		out["text"] = *b.Text
	case "image", "audio":
		if b.Data == "" {
			return nil, message.Error("plugin.block_without_data", "kind", kind)
		}
		set("mimeType", b.MIMEType)
		out["data"] = b.Data
	case "resource":
		r := b.Resource
		if r == nil { // in version 1 the block itself has the fields
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
			return nil, message.Error("plugin.resource_without_content")
		}
	case "resource_link":
		if b.URI == "" {
			return nil, message.Error("plugin.link_without_uri")
		}
		out["uri"] = b.URI
		set("name", b.Name)
		set("title", b.Title)
		set("description", b.Description)
		set("mimeType", b.MIMEType)
	default:
		return nil, message.Error("plugin.unknown_block_type", "type", b.Type)
	}
	return out, nil
}
