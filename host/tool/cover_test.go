package tool

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCovers lists what calls use as a whole, by what the tool declares.
func TestCovers(t *testing.T) {
	const schema = `{"type":"object","properties":{"path":{"type":"string","format":"path"},"into":{"type":"string","format":"path"},` +
		`"all":{"type":"array","items":{"type":"string","format":"path"}},"text":{"type":"string"}}}`
	roots := []string{"/h/Documents", "ro:/h/Music"}
	read := func(path string) Cover { return Cover{Path: path, Follows: true} }
	for _, tt := range []struct {
		name string
		spec Spec
		args map[string]any
		want []Cover
	}{
		{"read", Spec{SideEffectClass: Read, Paths: roots}, map[string]any{"path": "/h/./Documents/"}, []Cover{read("/h/Documents")}},
		{"list", Spec{SideEffectClass: Read, Paths: roots}, map[string]any{"all": []any{"/h/a", "/h/b", "/h/a"}}, []Cover{read("/h/a"), read("/h/b")}},
		{"text and a relative path", Spec{SideEffectClass: Read, Paths: roots}, map[string]any{"text": "/h/a", "path": "a"}, nil},
		{"list of a folder", Spec{SideEffectClass: Read, Paths: roots, Reach: map[string]Reach{"path": ReachItself}}, map[string]any{"path": "/h/a", "into": "/h/b"}, []Cover{read("/h/b")}},
		{"lists of folders", Spec{SideEffectClass: Read, Paths: roots, Reach: map[string]Reach{"all": ReachItself}}, map[string]any{"all": []any{"/h/a", "/h/b"}}, nil},
		{"unknown reach of a read", Spec{SideEffectClass: Read, Paths: roots, Reach: map[string]Reach{"path": "x"}}, map[string]any{"path": "/h/a"}, []Cover{read("/h/a")}},
		{"contents of a read", Spec{SideEffectClass: Read, Paths: roots, Reach: map[string]Reach{"path": ReachContents}}, map[string]any{"path": "/h/a"}, []Cover{read("/h/a")}},
		{
			"write that reads a path itself",
			Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"into"}, Reach: map[string]Reach{"path": ReachItself}},
			map[string]any{"into": "/h/a", "path": "/h/b"},
			[]Cover{{Path: "/h/a", Creates: true}},
		},
		{"no folders", Spec{SideEffectClass: Read}, map[string]any{"path": "/h/a"}, nil},
		{
			"write",
			Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"into"}},
			map[string]any{"into": "/h/a", "path": "/h/b"},
			[]Cover{{Path: "/h/a", Creates: true}, read("/h/b")},
		},
		{"itself", Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"path"}, Reach: map[string]Reach{"path": ReachItself}}, map[string]any{"path": "/h/a"}, nil},
		{
			"contents",
			Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"path"}, Reach: map[string]Reach{"path": ReachContents}},
			map[string]any{"path": "/h/a"},
			[]Cover{{Path: "/h/a"}},
		},
		{"not recursive", Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"path"}, Recursive: "all"}, map[string]any{"path": "/h/a"}, nil},
		{"recursive is false", Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"path"}, Recursive: "all"}, map[string]any{"path": "/h/a", "all": false}, nil},
		{
			"recursive",
			Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"path"}, Recursive: "all"},
			map[string]any{"path": "/h/a", "all": true},
			[]Cover{{Path: "/h/a", Creates: true}},
		},
		{
			"unknown reach",
			Spec{SideEffectClass: Write, Paths: roots, Writes: []string{"path"}, Reach: map[string]Reach{"path": "x"}},
			map[string]any{"path": "/h/a"},
			[]Cover{{Path: "/h/a", Creates: true}},
		},
		{
			"anything",
			Spec{SideEffectClass: Write, Paths: roots, Writes: []string{AnyPath}},
			map[string]any{},
			[]Cover{{Path: "/h/Documents", Unnamed: true, Creates: true}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.ArgsSchema = json.RawMessage(schema)
			if diff := cmp.Diff(tt.want, tt.spec.Covers(tt.args)); diff != "" {
				t.Errorf("covers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCoversNewPaths checks what a call creates where no argument is the whole path.
func TestCoversNewPaths(t *testing.T) {
	const there = "/h/there"
	entry := func(path string) []Cover { return []Cover{{Path: path, Entry: true, Pointer: "/path"}} }
	file := func(path string) []Cover { return []Cover{{Path: path, Pointer: "/path"}} }
	saves := func(folder string) Spec {
		return Spec{
			SideEffectClass: Write, Paths: []string{"/h"}, Writes: []string{"path"}, Reach: map[string]Reach{"path": ReachItself},
			Saves: &Saved{Path: "path", Name: "name", Folder: folder, IsFolder: func(path string) bool { return path == there }},
		}
	}
	copies := Spec{SideEffectClass: Write, Paths: []string{"/h"}, Writes: []string{"to"}, Reach: map[string]Reach{"path": ReachItself}, Copies: map[string]string{"to": "path"}}
	for _, tt := range []struct {
		name string
		spec Spec
		args map[string]any
		want []Cover
	}{
		{"a file", saves("/h/d"), map[string]any{"path": "/h/a.key"}, nil},
		{"a folder by its spelling", saves("/h/d"), map[string]any{"path": "/h/./a/"}, entry("/h/a")},
		{"a folder that is there", saves("/h/d"), map[string]any{"path": there}, entry(there)},
		{"a folder and a name", saves("/h/d"), map[string]any{"path": "/h/a", "name": "x.key"}, file("/h/a/x.key")},
		{"a name alone", saves("/h/d"), map[string]any{"name": "x.key"}, file("/h/d/x.key")},
		{"nothing", saves("/h/d"), map[string]any{}, entry("/h/d")},
		{"an empty path", saves("/h/d"), map[string]any{"path": ""}, entry("/h/d")},
		{"nothing, no folder", saves(""), map[string]any{"name": "x.key"}, nil},
		{"copy", copies, map[string]any{"path": "/h/./a", "to": "/h/b"}, []Cover{{Path: "/h/b", Creates: true, Copies: "/h/a"}}},
		{"copy of nothing", copies, map[string]any{"to": "/h/b"}, []Cover{{Path: "/h/b", Creates: true}}},
	} {
		if got := tt.spec.Covers(tt.args); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
