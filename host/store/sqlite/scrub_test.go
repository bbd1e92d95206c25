package sqlite_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"errand/build/must"
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
		return must.JSON(t, map[string]string{"a": word, "filler": string(filler), "z": word})
	}
	rec.Goal, rec.Result, rec.Setting = "say hush-goal", said("hush-result"), said("hush-setting")
	shared := tracetest.NewRun("r2", 1)
	shared.Setting = said("shared-setting")
	third := tracetest.NewRun("r3", 2)
	third.Setting = shared.Setting
	for _, run := range []trace.Run{rec, shared, third} {
		must.Succeed(t, s.Begin(t.Context(), run))
	}
	rec.Goal, rec.Result, rec.Setting = "say nothing", said("nothing"), said("nothing")
	shared.Setting = said("other")
	for _, run := range []trace.Run{rec, shared} {
		must.Succeed(t, s.End(t.Context(), run))
	}
	must.Succeed(t, s.Scrub(t.Context()))
	var all []byte
	files, err := filepath.Glob(filepath.Join(dir, "errand.db*"))
	must.Succeed(t, err)
	for _, file := range files {
		b := must.ReadFile(t, file)
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
