package message_test

import (
	"strings"
	"testing"

	"errand/planner/message"
)

// TestMapText: texts change at every depth; codes, names and numbers don't.
func TestMapText(t *testing.T) {
	of := func(secret string) message.Message {
		return message.New("files.not_a_folder", "path", secret+"/x", "n", 3, "names", []string{"a", secret},
			"cause", message.Verbatim("no "+secret), "all", []message.Message{message.New("x.y", "name", secret)})
	}
	m := of("hunter2")
	got := m.MapText(func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") })
	if want := of("***"); !got.Equal(want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if !m.Equal(of("hunter2")) {
		t.Errorf("the original changed: %s", m)
	}
	if got := message.New("x.y").MapText(strings.ToUpper); !got.Equal(message.New("x.y")) {
		t.Errorf("without parameters: %s", got)
	}
}
