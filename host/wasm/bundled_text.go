package wasm

import (
	"encoding/json"
	"regexp"
	"sync"

	"errand/planner/message"
)

// bundledArea has the texts of the bundled plugins.
const bundledArea = "bundled."

// bundledText is a text of a bundled plugin: a code of the table [bundled] and its
// parameters, which are texts, numbers and other bundledTexts.
type bundledText struct {
	Code   string                     `json:"code"`
	Params map[string]json.RawMessage `json:"params"`
}

// isBundledCode matches codes and names of parameters. It keeps a plugin from
// naming a text outside its table.
var isBundledCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`) })

// maxTextDepth is how deeply texts may be nested in each other.
const maxTextDepth = 3

// bundledTexts returns the message and hint of a bundled plugin's error as codes.
// Those that have no valid code stay as they are. The plugin's English goes along as
// the parameter "fallback", for a program that lacks the code.
func (f *replyFail) bundledTexts(m, hint message.Message) (withCode, hintWithCode message.Message) {
	var texts struct{ Message, Hint bundledText }
	if json.Unmarshal(f.Texts, &texts) != nil {
		return m, hint
	}
	return texts.Message.orElse(m), texts.Hint.orElse(hint)
}

// orElse converts a text, or returns the plugin's own words.
func (b *bundledText) orElse(own message.Message) message.Message {
	words, ok := own.Text()
	if !ok {
		return own
	}
	m, ok := b.toMessage(maxTextDepth)
	if !ok {
		return own
	}
	m.Params[message.Fallback] = words
	return m
}

func (b *bundledText) toMessage(depth int) (message.Message, bool) {
	if depth == 0 || !isBundledCode().MatchString(b.Code) {
		return message.Message{}, false
	}
	pairs := make([]any, 0, 2*len(b.Params))
	for name, raw := range b.Params {
		value, ok := bundledParam(raw, depth)
		if !ok || !isBundledCode().MatchString(name) {
			return message.Message{}, false
		}
		pairs = append(pairs, name, value)
	}
	m := message.New(bundledArea+b.Code, pairs...)
	if m.Params == nil {
		m.Params = map[string]any{}
	}
	return m, true
}

// bundledParam reads a text, a number or a bundledText.
func bundledParam(raw json.RawMessage, depth int) (any, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
		return text, true
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil && raw[0] != 'n' {
		return number, true
	}
	var nested bundledText
	if json.Unmarshal(raw, &nested) != nil {
		return nil, false
	}
	return nested.toMessage(depth - 1)
}
