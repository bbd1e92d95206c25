package tool_test

import (
	"testing"

	"errand/host/tool"
	"errand/planner/message"
)

func TestUnknownTool(t *testing.T) {
	known := []tool.Spec{{Name: "browser.open"}, {Name: "files.delete_file"}, {Name: "files.delete_folder"}}
	off := []tool.Off{{Name: "hash.sha256", Plugin: "hash"}}
	for _, tt := range []struct {
		name, asked, code string
		hint              message.Message
	}{
		{"a tool that is turned off", "hash.sha256", "tool_off", message.New("call.enable_plugin", "plugin", "hash")},
		{"a misspelt name", "browser.opne", "unknown_tool", message.New("call.similar_tool", "tool", "browser.open")},
		{"a misspelt name of a tool that is turned off", "hash.sha265", "unknown_tool", message.New("call.similar_tool", "tool", "hash.sha256")},
		{"the beginning of names", "files.", "unknown_tool", message.New("call.begun_tools", "tools", []string{"files.delete_file", "files.delete_folder"})},
		{"another name", "mail.send", "unknown_tool", message.New("call.list_tools")},
		{"no name", "", "unknown_tool", message.New("call.list_tools")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := tool.UnknownTool(tool.ValidationError, tt.asked, known, off)
			if e.Code != tt.code || !e.Hint.Equal(tt.hint) {
				t.Errorf("%s, %v; want %s, %v", e.Code, e.Hint, tt.code, tt.hint)
			}
		})
	}
}
