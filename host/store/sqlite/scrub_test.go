package sqlite_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"errand/host/store/sqlite"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// TestScrub: what the end of a run says otherwise than its beginning is gone from
// the files, as far as no other run says it.
func TestScrub(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	rec := tracetest.NewRun("r1", 0)
	filler := bytes.Repeat([]byte("x"), 20_000) // over several pages
	said := func(word string) json.RawMessage {
		b, err := json.Marshal(map[string]string{"a": word, "filler": string(filler), "z": word})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	rec.Goal, rec.Result, rec.Setting = "say hush-goal", said("hush-result"), said("hush-setting")
	shared := tracetest.NewRun("r2", 1)
	shared.Setting = said("shared-setting")
	third := tracetest.NewRun("r3", 2)
	third.Setting = shared.Setting
	for _, run := range []trace.Run{rec, shared, third} {
		if err := s.Begin(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	rec.Goal, rec.Result, rec.Setting = "say nothing", said("nothing"), said("nothing")
	shared.Setting = said("other")
	for _, run := range []trace.Run{rec, shared} {
		if err := s.End(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all []byte
	files, err := filepath.Glob(filepath.Join(dir, "errand.db*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	for word, want := range map[string]bool{"hush-goal": false, "hush-result": false, "hush-setting": false, "nothing": true, "shared-setting": true} {
		if bytes.Contains(all, []byte(word)) != want {
			t.Errorf("that the files hold %q is %v", word, !want)
		}
	}
	if again, err := s.Record(t.Context(), "r3"); err != nil || !bytes.Contains(again.Setting, []byte("shared-setting")) {
		t.Errorf("another run's setting is %.40s, %v", again.Setting, err)
	}
}
