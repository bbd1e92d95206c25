package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/trace"
)

// TestCreateTogether: of several programs that open an empty folder at once, one makes
// the tables and all can use them.
func TestCreateTogether(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for _, id := range strings.Split("a b c d e f", " ") {
		all.Go(func() {
			s, err := sqlite.Open(t.Context(), dir, sqlite.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := s.Begin(t.Context(), trace.Run{RunID: id, Status: trace.Running}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n, err := open(t, dir, sqlite.Options{}).CountRuns(t.Context()); err != nil || n != 6 {
		t.Errorf("%d runs, %v", n, err)
	}
	checkIntegrity(t, dir)
}

// TestEarlierBuild: a folder of a build before the first release is refused with a line
// that says how to move it aside, and can be replaced by a new one.
func TestEarlierBuild(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "errand")
	must.Succeed(t, os.Mkdir(dir, 0o700))
	db, err := sql.Open("sqlite", filepath.Join(dir, "errand.db"))
	must.Succeed(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TABLE runs (x); PRAGMA user_version = 3; PRAGMA application_id = 0x45524E44")
	must.Succeed(t, errors.Join(err, db.Close()))
	for _, readOnly := range []bool{false, true} {
		_, err := sqlite.Open(t.Context(), dir, sqlite.Options{ReadOnly: readOnly})
		if codeOf(err) != store.CodeEarlier || !strings.Contains(err.Error(), dir) {
			t.Errorf("read only %v: %v", readOnly, err)
		}
	}
	must.Succeed(t, os.Rename(dir, dir+".old"))
	open(t, dir, sqlite.Options{})
}

// TestEarlierVersion: a database of an earlier version gets the tables of later ones when it is
// opened, also for reading alone, and loses nothing.
func TestEarlierVersion(t *testing.T) {
	const version5 = "DROP TABLE callbacks; DROP TABLE chats; DROP TABLE pairing; DROP TABLE chat_updates; "
	version4 := version5 + "PRAGMA user_version = 4"
	version3 := "DROP TABLE turns; " + version5 + "PRAGMA user_version = 3"
	version1 := version5 + "DROP TABLE turns; DROP TABLE usage; DROP TABLE contexts; DROP TABLE timers; DROP TABLE timer_claims; PRAGMA user_version = 1"
	for i, tables := range []string{version1, version1, version3, version3, version4, version4} {
		readOnly := i%2 == 1
		dir := t.TempDir()
		s, err := sqlite.Open(t.Context(), dir, sqlite.Options{})
		must.Succeed(t, err)
		must.Succeed(t, s.Begin(t.Context(), trace.Run{RunID: "a", Status: trace.Running}))
		must.Succeed(t, s.Close())
		db, err := sql.Open("sqlite", filepath.Join(dir, "errand.db"))
		must.Succeed(t, err)
		_, err = db.ExecContext(t.Context(), tables)
		must.Succeed(t, errors.Join(err, db.Close()))
		s, err = sqlite.Open(t.Context(), dir, sqlite.Options{ReadOnly: readOnly})
		must.Succeed(t, err)
		defer s.Close()
		if n, err := s.CountRuns(t.Context()); err != nil || n != 1 {
			t.Errorf("read only %v: %d runs, %v", readOnly, n, err)
		}
		if rec, err := s.Record(t.Context(), "a"); err != nil || len(rec.Turns) != 0 {
			t.Errorf("read only %v: turns %v, %v", readOnly, rec.Turns, err)
		}
		if list, err := s.Timers(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("read only %v: timers %v, %v", readOnly, list, err)
		}
	}
}
