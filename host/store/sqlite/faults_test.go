package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/planner/message"
)

func typed(t *testing.T, err error) *tool.Error {
	t.Helper()
	var e *tool.Error
	if !errors.As(err, &e) {
		t.Fatalf("error = %v, want a typed one", err)
	}
	if strings.Contains(i18n.English().Text(e.Message), "\n") || e.Message.IsZero() {
		t.Errorf("message %q is not one line", e.Message)
	}
	return e
}

// write puts bytes into a file of the folder.
func write(t *testing.T, dir, name, content string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
}

// TestOpenFaults: each is a clear error with a hint, and nothing is deleted.
func TestOpenFaults(t *testing.T) {
	exec := func(t *testing.T, dir, statements string) {
		t.Helper()
		db, err := sql.Open("sqlite", filepath.Join(dir, dbName))
		must.Succeed(t, err)
		defer db.Close()
		if _, err := db.ExecContext(t.Context(), statements); err != nil {
			t.Fatal(err)
		}
	}
	filled := func(t *testing.T, dir string) {
		t.Helper()
		s, err := Open(t.Context(), dir, Options{})
		must.Succeed(t, err)
		for i := range 50 {
			must.Succeed(t, s.Begin(t.Context(), tracetest.NewRun(fmt.Sprintf("r%d", i), i)))
		}
		must.Succeed(t, s.Close())
	}
	tests := []struct {
		name      string
		prepare   func(t *testing.T, dir string)
		sub       string // of the folder that is opened
		wantCode  string
		wantClass tool.Class
	}{
		{"the folder is a file", func(t *testing.T, dir string) { write(t, dir, "x", "") }, "x", store.CodeUnwritable, tool.ToolUnavailable},
		{"a folder below a file", func(t *testing.T, dir string) { write(t, dir, "x", "") }, "x/y", store.CodeUnwritable, tool.ToolUnavailable},
		{"the database is a folder", func(t *testing.T, dir string) {
			must.Succeed(t, os.Mkdir(filepath.Join(dir, dbName), 0o700))
		}, "", store.CodeUnwritable, tool.ToolUnavailable},
		{"the database is some text", func(t *testing.T, dir string) { write(t, dir, dbName, strings.Repeat("not a database ", 100)) }, "", store.CodeCorrupt, tool.ExecutionError},
		{"the database is damaged", func(t *testing.T, dir string) {
			filled(t, dir)
			f, err := os.OpenFile(filepath.Join(dir, dbName), os.O_RDWR, 0)
			must.Succeed(t, err)
			defer f.Close()
			if _, err := f.WriteAt([]byte(strings.Repeat("\xaa", 3000)), 100); err != nil { // the schema's page
				t.Fatal(err)
			}
		}, "", store.CodeCorrupt, tool.ExecutionError},
		{"another program's database", func(t *testing.T, dir string) { exec(t, dir, "CREATE TABLE theirs (x)") }, "", store.CodeCorrupt, tool.ExecutionError},
		{"an earlier build's database", func(t *testing.T, dir string) {
			exec(t, dir, "CREATE TABLE runs (x); PRAGMA user_version = 3; PRAGMA application_id = 0x45524E44")
		}, "", store.CodeEarlier, tool.ToolUnavailable},
		{"an earlier build's first database", func(t *testing.T, dir string) {
			exec(t, dir, "CREATE TABLE runs (x); PRAGMA user_version = 1; PRAGMA application_id = 0x45524E44")
		}, "", store.CodeEarlier, tool.ToolUnavailable},
		{"a newer program's database", func(t *testing.T, dir string) { exec(t, dir, "CREATE TABLE runs (x); PRAGMA user_version = 99") }, "", store.CodeNewer, tool.ToolUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.prepare(t, dir)
			before := contents(t, dir)
			s, err := Open(t.Context(), filepath.Join(dir, tt.sub), Options{})
			if err == nil { // damage that the header doesn't show is found when it is read
				defer s.Close()
				_, err = s.Runs(t.Context(), 0)
			}
			e := typed(t, err)
			if e.Code != tt.wantCode || e.Class != tt.wantClass || e.Hint.IsZero() {
				t.Errorf("error = %+v, want %s %s with a hint", e, tt.wantClass, tt.wantCode)
			}
			for name, was := range before {
				if is, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(is) != was {
					t.Errorf("%s was changed (%v)", name, err)
				}
			}
			t.Log(e.Message)
		})
	}
}

// contents reads the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must.Succeed(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(b)
		return err
	}))
	return files
}

// TestFullDatabase: SQLite's own limit stands in for the disk's, with the same
// error. What was recorded stays, and with space it goes on.
func TestFullDatabase(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), Options{})
	must.Succeed(t, err)
	defer s.Close()
	must.Succeed(t, s.Begin(t.Context(), tracetest.NewRun("r1", 0)))
	limit := func(pages int) {
		t.Helper()
		if _, err := s.write.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(60)
	big := tracetest.NewStep("r1", "big")
	big.Payload = strings.Repeat("x", 10_000)
	kept := 0
	for range 100 {
		if _, err = s.Append(t.Context(), big); err != nil {
			break
		}
		kept++
	}
	if e := typed(t, err); e.Code != store.CodeDiskFull || e.Class != tool.ExecutionError || e.Hint.IsZero() {
		t.Errorf("error = %+v, want disk_full with a hint", e)
	}
	limit(1_000_000)
	if _, err := s.Append(t.Context(), big); err != nil {
		t.Errorf("with space again: %v", err)
	}
	rec, err := s.Record(t.Context(), "r1")
	if err != nil || len(rec.Steps) != kept+1 {
		t.Errorf("%d steps (%v), want %d", len(rec.Steps), err, kept+1)
	}
}

func TestFaultsOfTheFileSystem(t *testing.T) {
	path := func(err error) error {
		return fmt.Errorf("write: %w", &fs.PathError{Op: "write", Path: "/x", Err: err})
	}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"no space", path(syscall.ENOSPC), store.CodeDiskFull},
		{"permission", path(fs.ErrPermission), store.CodeUnwritable},
		{"cancelled", context.Canceled, "interrupted"},
		{"too late", context.DeadlineExceeded, "deadline_exceeded"},
		{"typed already", trace.RunNotBegun("r"), trace.CodeRunNotBegun},
		{"something else", errors.New("oh"), "store_failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if e := typed(t, diskError(message.New("store.record_run"), "/x", tt.err)); e.Code != tt.want {
				t.Errorf("fault = %+v, want %s", e, tt.want)
			}
		})
	}
	if err := diskError(message.New("store.record_run"), "/x", nil); err != nil {
		t.Errorf("fault of nothing = %v", err)
	}
}

// TestBusy: a program that holds the database for too long makes an error and
// no harm.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, Options{})
	must.Succeed(t, err)
	defer s.Close()
	if _, err := s.write.ExecContext(t.Context(), "PRAGMA busy_timeout = 50"); err != nil {
		t.Fatal(err)
	}
	other, err := Open(t.Context(), dir, Options{})
	must.Succeed(t, err)
	defer other.Close()
	must.Succeed(t, other.change(t.Context(), message.Verbatim("hold"), func(*txn) error {
		e := typed(t, s.Begin(t.Context(), tracetest.NewRun("r1", 0)))
		if e.Code != store.CodeBusy || !e.Retriable {
			t.Errorf("error = %+v, want store_busy, retriable", e)
		}
		if _, err := s.Runs(t.Context(), 0); err != nil {
			t.Errorf("reading while another writes: %v", err)
		}
		return nil
	}))
	if err := s.Begin(t.Context(), tracetest.NewRun("r1", 0)); err != nil {
		t.Error(err)
	}
}

// TestUnwritableIsOpenedForReading stands in for full and read-only disks
// wherever the test can't mount one: the database is there and opening it for
// writing fails.
func TestUnwritableIsOpenedForReading(t *testing.T) {
	if os.Getuid() == 0 || os.Getuid() < 0 {
		t.Log("modes don't bind this user: TestReadOnlyDisk says it with a real disk")
		return
	}
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, Options{})
	must.Succeed(t, err)
	must.Succeed(t, s.Begin(t.Context(), tracetest.NewRun("r1", 0)))
	must.Succeed(t, s.Close())
	for name, mode := range map[string]os.FileMode{dbName: 0o400, ".": 0o500} {
		must.Succeed(t, os.Chmod(filepath.Join(dir, name), mode))
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	s, err = Open(t.Context(), dir, Options{})
	must.Succeed(t, err)
	defer s.Close()
	if runs, err := s.Runs(t.Context(), 0); err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v; want 1", len(runs), err)
	}
	if e := typed(t, s.Begin(t.Context(), tracetest.NewRun("r2", 1))); e.Code != store.CodeUnwritable || e.Hint.IsZero() {
		t.Errorf("Begin = %+v, want %s with a hint", e, store.CodeUnwritable)
	}
}
