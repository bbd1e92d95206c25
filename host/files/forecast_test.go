//go:build linux

package files_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/build/tier"
	"errand/host/files"
	"errand/host/tool"
	"errand/planner/message"
)

func TestForecast(t *testing.T) {
	w := newWorld(t)
	w.write("old/b/2.txt", "")
	w.write("old/b/1.txt", "")
	w.write("old/a.txt", "")
	w.write("old/z\nfake: kept", "")
	w.link("/etc", "old/etc") // not followed
	w.mkdir("empty")
	w.write("f", "")
	all := []string{w.at("old"), w.at("old/a.txt"), w.at("old/b"), w.at("old/b/1.txt"), w.at("old/b/2.txt"), w.at("old/etc"), `"` + w.at("old") + `/z\nfake: kept"`}
	trash := message.New("files.goes_to_trash", "trash", w.trash)
	tests := []struct {
		name, tool string
		args       map[string]any
		want       tool.Forecast
		problem    string // the code of its problem
	}{
		{"all that is in it", files.DeleteFolderName, args("path", w.at("old"), "recursive", true), tool.Forecast{Destroys: all, Count: 7, Reversible: true, Note: trash}, ""},
		{"full and not recursive", files.DeleteFolderName, args("path", w.at("old")), tool.Forecast{
			Destroys: all[:1], Count: 1, Reversible: true, Note: message.New("files.not_empty_now", "note", trash),
		}, "folder_not_empty"},
		{"empty", files.DeleteFolderName, args("path", w.at("empty")), tool.Forecast{Destroys: []string{w.at("empty")}, Count: 1, Reversible: true, Note: trash}, ""},
		{"file", files.DeleteFileName, args("path", w.at("f")), tool.Forecast{Destroys: []string{w.at("f")}, Count: 1, Reversible: true, Note: trash}, ""},
		{"nothing", files.DeleteFileName, args("path", w.at("g")), tool.Forecast{Reversible: true, Note: message.New("files.nothing_there")}, "not_found"},
		{"no folder", files.DeleteFileName, args("path", w.at("g/h")), tool.Forecast{Reversible: true, Note: message.New("files.nothing_there")}, "not_found"},
		{"not what it was", files.DeleteFileName, args("path", w.at("f"), "if_unchanged", "file size=7"), tool.Forecast{Reversible: true, Note: message.New("files.changed_stays")}, "changed"},
		{"what it was", files.DeleteFileName, args("path", w.at("f"), "if_unchanged", "file size=0"), tool.Forecast{Destroys: []string{w.at("f")}, Count: 1, Reversible: true, Note: trash}, ""},
		{"another kind", files.DeleteFileName, args("path", w.at("old")), tool.Forecast{Reversible: true, Note: message.New("files.other_kind_stays", "kind", "file")}, "not_a_file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := w.forecast(tt.tool, tt.args)
			must.Succeed(t, err)
			if (got.Identity != "") != (got.Count > 0) {
				t.Errorf("%d things would be gone, identity %q", got.Count, got.Identity)
			}
			if problemCode(got) != tt.problem || got.Unsolvable {
				t.Errorf("problem %v, want %q", got.Problem, tt.problem)
			}
			got.Identity, got.Destination, got.Problem = "", "", nil
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("forecast (-want +got):\n%s", d)
			}
		})
	}
	var typed *tool.Error
	if _, err := w.forecast(files.DeleteFileName, args("path", "/etc/passwd")); !errors.As(err, &typed) || typed.Code != "path_outside_roots" {
		t.Errorf("outside of the roots: %v", err)
	}
	if exists(w.trash) {
		t.Error("a forecast made the trash")
	}
}

func TestForecastNamesSome(t *testing.T) {
	w := newWorld(t)
	for i := range 2 * tool.MaxDestroys {
		w.write(fmt.Sprintf("d/%03d", i), "")
	}
	got, err := w.forecast(files.DeleteFolderName, args("path", w.at("d"), "recursive", true))
	must.Succeed(t, err)
	if len(got.Destroys) != tool.MaxDestroys || got.Count != 1+2*tool.MaxDestroys || got.Destroys[tool.MaxDestroys-1] != w.at("d/048") {
		t.Errorf("%d names up to %s, count %d", len(got.Destroys), got.Destroys[len(got.Destroys)-1], got.Count)
	}
}

// TestForecastKnowsTheVeryThings: whatever would be another thing has another
// identity, also beyond the names and with the same number of things.
func TestForecastKnowsTheVeryThings(t *testing.T) {
	swap := func(w world, rel string) { // as `rm f; echo thesis > f` does, with the size and time of before
		info, err := os.Lstat(w.at(rel))
		must.Succeed(w.t, err)
		w.write(rel+".new", strings.Repeat("y", int(info.Size())))
		must.Succeed(w.t, os.Rename(w.at(rel+".new"), w.at(rel)))
		must.Succeed(w.t, os.Chtimes(w.at(rel), time.Time{}, info.ModTime()))
	}
	file := args("path", "f")
	all := args("path", "d", "recursive", true)
	one := args("path", "d")
	tests := []struct {
		name    string
		args    map[string]any
		change  func(w world)
		another bool
	}{
		{"nothing happens to a file", file, func(world) {}, false},
		{"nothing happens to a folder", all, func(world) {}, false},
		{"a file is another", file, func(w world) { swap(w, "f") }, true},
		{"a file was written", file, func(w world) { w.write("f", "thesis") }, true},
		{"a file is a link now", file, func(w world) { os.Remove(w.at("f")); w.link("d/150", "f") }, true},
		{"one beyond the names has another name", all, func(w world) { os.Rename(w.at("d/150"), w.at("d/thesis")) }, true},
		{"one beyond the names is another", all, func(w world) { swap(w, "d/150") }, true},
		{"one deep down was written", all, func(w world) { w.write("d/z/z/deep", "thesis") }, true},
		{"an empty folder is a file now", all, func(w world) { os.Remove(w.at("d/empty")); w.write("d/empty", "") }, true},
		{"another folder", all, func(w world) { os.Rename(w.at("d"), w.at("e")); w.mkdir("d") }, true},
		{"beside it", all, func(w world) { w.write("f", "thesis") }, false},
		{"in a folder that stays while it is not empty", one, func(w world) { w.write("d/150", "thesis"); os.Remove(w.at("d/149")) }, false},
		{"another such folder", one, func(w world) { os.Rename(w.at("d"), w.at("e")); w.mkdir("d") }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("f", "x")
			w.write("d/z/z/deep", "x")
			w.mkdir("d/empty")
			for i := range 201 {
				w.write(fmt.Sprintf("d/%03d", i), "x")
			}
			name, call := files.DeleteFolderName, maps.Clone(tt.args)
			if call["path"] == "f" {
				name = files.DeleteFileName
			}
			call["path"] = w.at(call["path"].(string))
			was, err := w.forecast(name, call)
			must.Succeed(t, err)
			tt.change(w)
			now, err := w.forecast(name, call)
			must.Succeed(t, err)
			if another := was.Identity != now.Identity; was.Identity == "" || another != tt.another {
				t.Errorf("identity %q, then %q", was.Identity, now.Identity)
			}
		})
	}
}

// TestForecastOfAHugeTree: a folder that is not counted as a whole is refused, because the
// approval would not cover the rest. The deletion itself is one move.
func TestForecastOfAHugeTree(t *testing.T) {
	w := newWorld(t)
	const folders = 11
	each := tier.Size(100, 1_000)
	for f := range folders {
		dir := w.at(fmt.Sprintf("d/%02d", f))
		w.mkdir(fmt.Sprintf("d/%02d", f))
		for i := range each {
			must.Succeed(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600))
		}
	}
	all := args("path", w.at("d"), "recursive", true)

	whole := 1 + folders + folders*each
	for _, tt := range []struct {
		name   string
		call   map[string]any
		limit  int
		counts int // 0: refused
	}{
		{"far more", all, each, 0},
		{"a folder more", all, 10 * each, 0},
		{"one more", all, whole - 1, 0},
		{"as many", all, whole, whole},
		{"fewer", all, 100_000, whole},
		{"a part", args("path", w.at("d/03"), "recursive", true), 2 * each, 1 + each},
		{"only if it is empty", args("path", w.at("d")), each, 1},
	} {
		files.BoundForecasts(t, tt.limit, time.Minute)
		got, err := w.forecast(files.DeleteFolderName, tt.call)
		var many *tool.Error
		if errors.As(err, &many) != (tt.counts == 0) || many != nil && many.Code != "too_much_to_look_through" || got.Count != tt.counts {
			t.Errorf("%s: count %d, want %d, %v", tt.name, got.Count, tt.counts, err)
		}
	}

	files.BoundForecasts(t, 100_000, 0)
	var late *tool.Error
	if _, err := w.forecast(files.DeleteFolderName, all); !errors.As(err, &late) || late.Code != "too_much_to_look_through" {
		t.Errorf("no time to look: %v", err)
	}

	if r := w.call(files.DeleteFolderName, all); code(r) != "" || exists(w.at("d")) {
		t.Errorf("delete: %v", r.Error)
	}
}

// problemCode returns the code of a forecast's problem; "" if it has none.
func problemCode(f tool.Forecast) string {
	if f.Problem == nil {
		return ""
	}
	return f.Problem.Code
}
