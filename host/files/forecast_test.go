//go:build linux

package files_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/files"
	"errand/host/tool"
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
	trash := "goes to the trash " + w.trash
	tests := []struct {
		name, tool string
		args       map[string]any
		want       tool.Forecast
	}{
		{"all that is in it", files.DeleteFolderName, args("path", w.at("old"), "recursive", true), tool.Forecast{Destroys: all, Count: 7, Reversible: true, Note: trash}},
		{"full and not recursive", files.DeleteFolderName, args("path", w.at("old")), tool.Forecast{
			Destroys: all[:1], Count: 1, Reversible: true, Note: trash + "; it is not empty now, and stays while it is not",
		}},
		{"empty", files.DeleteFolderName, args("path", w.at("empty")), tool.Forecast{Destroys: []string{w.at("empty")}, Count: 1, Reversible: true, Note: trash}},
		{"file", files.DeleteFileName, args("path", w.at("f")), tool.Forecast{Destroys: []string{w.at("f")}, Count: 1, Reversible: true, Note: trash}},
		{"nothing", files.DeleteFileName, args("path", w.at("g")), tool.Forecast{Reversible: true, Note: "nothing is there now"}},
		{"no folder", files.DeleteFileName, args("path", w.at("g/h")), tool.Forecast{Reversible: true, Note: "nothing is there now"}},
		{"not what it was", files.DeleteFileName, args("path", w.at("f"), "if_unchanged", "file size=7"), tool.Forecast{Reversible: true, Note: "it is not what it was any more, and stays"}},
		{"what it was", files.DeleteFileName, args("path", w.at("f"), "if_unchanged", "file size=0"), tool.Forecast{Destroys: []string{w.at("f")}, Count: 1, Reversible: true, Note: trash}},
		{"another kind", files.DeleteFileName, args("path", w.at("old")), tool.Forecast{Reversible: true, Note: "it is not a file now, and stays"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := w.forecast(tt.tool, tt.args)
			if err != nil {
				t.Fatal(err)
			}
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
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Destroys) != tool.MaxDestroys || got.Count != 1+2*tool.MaxDestroys || got.Destroys[tool.MaxDestroys-1] != w.at("d/048") {
		t.Errorf("%d names up to %s, count %d", len(got.Destroys), got.Destroys[len(got.Destroys)-1], got.Count)
	}
}

// TestForecastOfAHugeTree: more than is counted, in bounded time.
func TestForecastOfAHugeTree(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a hundred thousand files")
	}
	w := newWorld(t)
	const folders, each = 11, 10_000
	for f := range folders {
		dir := w.at(fmt.Sprintf("d/%02d", f))
		w.mkdir(fmt.Sprintf("d/%02d", f))
		if err := os.WriteFile(filepath.Join(dir, "0"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for i := 1; i < each; i++ {
			if err := os.Link(filepath.Join(dir, "0"), filepath.Join(dir, fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := time.Now()
	got, err := w.forecast(files.DeleteFolderName, args("path", w.at("d"), "recursive", true))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d counted in %s", got.Count, time.Since(start))
	if got.Count < 10_000 || got.Count > 100_000 || len(got.Destroys) != tool.MaxDestroys || !strings.Contains(got.Note, fmt.Sprintf("more than %d", got.Count)) {
		t.Errorf("count %d, note %q", got.Count, got.Note)
	}
	if time.Since(start) > 10*time.Second {
		t.Errorf("it took %s", time.Since(start))
	}
	start = time.Now()
	if r := w.call(files.DeleteFolderName, args("path", w.at("d"), "recursive", true)); code(r) != "" || exists(w.at("d")) {
		t.Errorf("delete: %v", r.Error)
	}
	t.Logf("moved in %s", time.Since(start))
}
