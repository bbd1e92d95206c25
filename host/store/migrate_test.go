package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy/approval"
)

// old makes a folder as the first version left it.
func old(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	script, err := os.ReadFile("testdata/schema1.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "errand.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), string(script)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMigrate: a record of the first version is read as before, and what was
// under way in it can be settled and resumed.
func TestMigrate(t *testing.T) {
	dir := old(t)
	if _, err := store.Open(t.Context(), dir, store.Options{ReadOnly: true}); codeOf(err) != store.CodeOlder {
		t.Errorf("opened for reading only: %v, want %s", err, store.CodeOlder)
	}
	s := open(t, dir, store.Options{})
	runs, err := s.Runs(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		rec, err := s.Record(t.Context(), r.RunID)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprint(r.RunID, " ", r.Status, " ", r.State, " ", r.StopReason)
		for _, step := range rec.Steps {
			line += fmt.Sprint(" / ", step.StepID, " ", step.Status, " ", step.EffectKey, " ", step.Effect, " ", step.Args["path"])
		}
		got = append(got, line)
	}
	want := []string{
		"03stopped interrupted STOP interrupted / a2 interrupted 03stopped:a2 UNKNOWN <nil>",
		"02cut interrupted STOP interrupted / a1 interrupted 02cut:a1 UNKNOWN /y", // the last of two
		"01done done STOP completed / a1 done   <nil>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	rec, err := s.Record(t.Context(), "01done")
	if err != nil || len(rec.Events) != 1 || string(rec.Result) != `{"status":"success"}` ||
		rec.Steps[0].Artifacts[0].Path != filepath.Join(dir, "artifacts", "ba", "ba78.txt") {
		t.Errorf("record = %+v, %v", rec, err)
	}
	if err := s.Settle(t.Context(), "02cut:a1", tool.Committed); err != nil {
		t.Error(err)
	}
	if err := s.Resume(t.Context(), "02cut"); err != nil {
		t.Error(err)
	}
	if runs, err := s.Runs(t.Context(), 2); err != nil || runs[1].Status != trace.Running {
		t.Errorf("resumed: %+v, %v", runs, err)
	}
	if d, err := s.Stranded(t.Context()); err != nil || len(d) != 1 || d[0].ID != "d1" || d[0].State != approval.StateApplying {
		t.Errorf("stranded drafts: %+v, %v", d, err)
	}
	checkIntegrity(t, dir)
}

// TestMigrateTogether: of several programs that open an old record at once, one
// brings it up to date and all can use it.
func TestMigrateTogether(t *testing.T) {
	dir := old(t)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			s, err := store.Open(t.Context(), dir, store.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if c, err := s.Effects(context.Background(), "02cut"); err != nil || len(c) != 1 {
				t.Errorf("effects = %v, %v", c, err)
			}
		})
	}
	all.Wait()
	checkIntegrity(t, dir)
}
