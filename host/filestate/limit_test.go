//go:build unix

package filestate_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"errand/host/filestate"
	"errand/host/tool"
)

// TestLimit: the state of a folder is known as a whole or refused.
func TestLimit(t *testing.T) {
	w := newWorld(t)
	w.do(os.MkdirAll(filepath.Join(w.folder, "z", "deep"), 0o700))
	w.write(filepath.Join(w.folder, "z", "deep", "c.txt"), "draft") // 4 entries
	tests := []struct {
		name, argument, path string
		limit                int
		want                 bool // inspected
	}{
		{"as many", "path", w.folder, 4, true},
		{"one more", "path", w.folder, 3, false},
		{"more, deep below", "path", w.folder, 2, false},
		{"more than none", "path", w.folder, 0, false},
		{"more in a folder that is only added to", "into", w.folder, 1, true},
		{"a part", "path", filepath.Join(w.folder, "z"), 2, true},
		{"a file", "path", w.file, 0, true},
		{"a missing folder", "path", filepath.Join(w.root, "new"), 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			filestate.LimitEntries(t, tt.limit)
			call := tool.Call{Args: map[string]any{tt.argument: tt.path}}
			_, err := filestate.Inspect(t.Context(), spec(w.root), call)
			if (err == nil) != tt.want || err != nil && err.Code != filestate.CodeIncomplete {
				t.Errorf("inspected %t, want %t: %v", err == nil, tt.want, err)
			}
			if tt.argument != "path" || tt.path == w.file {
				return
			}
			call.Args = map[string]any{"into": tt.path}
			_, all := filestate.Replaceable(t.Context(), spec(w.root), call, nil, true)
			var typed *tool.Error
			if (all == nil) != tt.want || all != nil && (!errors.As(all, &typed) || typed.Code != filestate.CodeIncomplete) {
				t.Errorf("replaces any file: %v", all)
			}
			if _, some := filestate.Replaceable(t.Context(), spec(w.root), call, []string{"b.txt"}, false); some != nil {
				t.Errorf("replaces some: %v", some)
			}
		})
	}
}
