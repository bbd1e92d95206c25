package app

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/history"
	"errand/app/history/bundle"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
)

func TestExport(t *testing.T) {
	a, report := goals[1].run(t)
	first, err := a.Export(t.Context(), report.RunID, "")
	must.Succeed(t, err)
	second, err := a.Export(t.Context(), report.RunID[:24], history.FormatBundle)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("the same record has two bundles: %v", err)
	}
	b, err := bundle.Read(first)
	must.Succeed(t, err)
	again, err := bundle.Write(b.Record(), func(tool.Artifact) ([]byte, error) { return nil, os.ErrNotExist })
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("the bundle of a bundle's record is another one: %v", err)
	}
	rec, err := a.Record(t.Context(), report.RunID)
	must.Succeed(t, err)
	t.Logf("bundle %d bytes, setting %d", len(first), len(rec.Setting))
}

func TestExportAndReplayErrors(t *testing.T) {
	a, report := goals[0].run(t)
	dir := t.TempDir()
	half := filepath.Join(dir, "half.json")
	doc, err := a.Export(t.Context(), report.RunID, history.FormatBundle)
	must.Succeed(t, err)
	must.Succeed(t, os.WriteFile(half, doc[:len(doc)/2], 0o600))
	replay := func(idOrFile string) func() error {
		return func() error { _, err := a.Replay(t.Context(), idOrFile); return err }
	}
	export := func(id, format string) func() error {
		return func() error { _, err := a.Export(t.Context(), id, format); return err }
	}
	tests := []struct {
		name string
		call func() error
		code string
		says string
	}{
		{"an unknown format", export(report.RunID, "xml"), "unknown_format", `"xml"`},
		{"an unknown run", export("zz", ""), trace.CodeRunNotFound, "zz"},
		{"a replay of an unknown run", replay("zz"), trace.CodeRunNotFound, "zz"},
		{"no file", replay(filepath.Join(dir, "none.json")), "file_unreadable", "none.json"},
		{"a folder", replay(dir), "file_unreadable", dir},
		{"half a file", replay(half), bundle.CodeTruncated, "half.json: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.call()
			var e *tool.Error
			if !errors.As(err, &e) || e.Code != tt.code || !strings.Contains(say(e.Message), tt.says) || e.Class != tool.ValidationError {
				t.Errorf("error %+v; want %s with %q", e, tt.code, tt.says)
			}
		})
	}
}

// TestAFileMayLookLikeAnID: a run comes first, then a file of that name.
func TestAFileMayLookLikeAnID(t *testing.T) {
	a, report := goals[0].run(t)
	doc, err := a.Export(t.Context(), report.RunID, history.FormatBundle)
	must.Succeed(t, err)
	t.Chdir(t.TempDir())
	must.Succeed(t, os.WriteFile("bundle", doc, 0o600))
	elsewhere, _ := opened(t, Options{})
	if got, err := elsewhere.Replay(t.Context(), "bundle"); err != nil || !got.IsSame {
		t.Errorf("replay %+v, %v", got, err)
	}
}
