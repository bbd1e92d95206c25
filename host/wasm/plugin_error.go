package wasm

import (
	"encoding/json"
	"strings"
)

// typedFault parses the error text of an Extism function. An object is read like
// the error of a WASI command: {"code", "message", "hint", …}. Any other text
// becomes the message.
func (t *pluginTool) typedFault(text string) (e error, ok bool) {
	var f replyFail
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &f) != nil || f.Code == "" || f.Message == "" {
		return nil, false
	}
	return t.withHostPaths(t.replyError(&f)), true
}
