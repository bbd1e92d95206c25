package actions

import (
	"testing"

	"errand/host/tool"
)

// TestStateWithoutMark checks the state of an effect if no file has the mark of its call.
func TestStateWithoutMark(t *testing.T) {
	tests := []struct {
		kept  bool
		name  string
		taken bool
		want  tool.EffectState
	}{
		{true, "", false, tool.Released},
		{true, "a.txt", true, tool.Released}, // of another program
		{false, "a.txt", false, tool.Released},
		{false, "a.txt", true, tool.Unknown}, // perhaps this one
		{false, "", false, tool.Unknown},     // the site would have named it
	}
	for _, tt := range tests {
		if got := stateWithoutMark(tt.kept, tt.name, tt.taken); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
	for have, want := range map[string]bool{"a.tar.gz": true, "a (2).tar.gz": true, "a (2).gz": false, "b.tar.gz": false} {
		if differsByNumber(have, "a.tar.gz") != want {
			t.Errorf("%s: want %t", have, want)
		}
	}
}
