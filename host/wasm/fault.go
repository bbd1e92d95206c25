package wasm

import (
	"encoding/json"
	"strings"
)

// typedFault reads what an Extism function said of its failure, where that is an
// object like the error of a WASI command: {"code", "message", "hint", …}. Any
// other text is a message.
func (t *pluginTool) typedFault(said string) (e error, ok bool) {
	var f replyFail
	if !strings.HasPrefix(said, "{") || json.Unmarshal([]byte(said), &f) != nil || f.Code == "" || f.Message == "" {
		return nil, false
	}
	return t.placed(f.typed(t.manifest.ID)), true
}
