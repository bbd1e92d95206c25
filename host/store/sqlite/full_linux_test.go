package sqlite_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/trace/tracetest"
)

// smallDisk mounts a disk of a megabyte and a half. That takes more rights than
// a test usually has; where they are missing, only TestFullDatabase and the
// table of faults speak for full disks, in CI too.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := unix.Mount("errand-test", dir, "tmpfs", 0, "size=1536k")
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		t.Skip("mounting a small disk is not permitted here: full disks are tested by SQLite's own limit alone")
	}
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillUp writes to a disk until nothing more fits. It answers the file that
// takes up the room.
func fillUp(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "filler")
	f, err := os.Create(name)
	must.Succeed(t, err)
	defer f.Close()
	_, err = io.Copy(f, strings.NewReader(strings.Repeat("x", 2<<20)))
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("fill the disk: %v", err)
	}
	return name
}

// TestDiskFillsUp: a full disk is called so, whatever part of writing it hits,
// and what was recorded can be read all the while.
func TestDiskFillsUp(t *testing.T) {
	t.Run("before the program starts", func(t *testing.T) {
		disk := smallDisk(t)
		dir := filepath.Join(disk, "data")
		s := open(t, dir, sqlite.Options{})
		record(t, s, "r1", 0, "abc")
		must.Succeed(t, s.Close())
		filler := fillUp(t, disk)

		for _, o := range []sqlite.Options{{}, {ReadOnly: true}} {
			s = open(t, dir, o)
			if runs, err := s.Runs(t.Context(), 0); err != nil || len(runs) != 1 {
				t.Errorf("%+v: %d runs, %v; want the one that was recorded", o, len(runs), err)
			}
			if rec, err := s.Record(t.Context(), "r1"); err != nil || len(rec.Steps) != 1 {
				t.Errorf("%+v: %d steps, %v", o, len(rec.Steps), err)
			}
			want := store.CodeDiskFull
			if o.ReadOnly {
				want = store.CodeReadOnly
			}
			if err := s.Begin(t.Context(), tracetest.NewRun("r2", 1)); codeOf(err) != want {
				t.Errorf("%+v: Begin = %v, want %s", o, err, want)
			}
			if _, err := s.Prune(t.Context(), tracetest.NewRun("r2", 1).StartedAt); codeOf(err) != want {
				t.Errorf("%+v: Prune = %v, want %s", o, err, want)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}

		must.Succeed(t, os.Remove(filler))
		s = open(t, dir, sqlite.Options{})
		record(t, s, "r2", 1, "def")
	})

	t.Run("while it runs", func(t *testing.T) {
		disk := smallDisk(t)
		s := open(t, filepath.Join(disk, "data"), sqlite.Options{})
		record(t, s, "r1", 0, "abc")
		fillUp(t, disk)
		var err error
		for range 200 {
			step := tracetest.NewStep("r1", "more")
			step.Payload = strings.Repeat("x", 10_000)
			if _, err = s.Append(t.Context(), step); err != nil {
				break
			}
		}
		if codeOf(err) != store.CodeDiskFull {
			t.Errorf("Append = %v, want disk_full", err)
		}
		if _, err := s.Record(t.Context(), "r1"); err != nil {
			t.Errorf("reading meanwhile: %v", err)
		}
	})

	t.Run("before there is a record", func(t *testing.T) {
		disk := smallDisk(t)
		fillUp(t, disk)
		if s, err := sqlite.Open(t.Context(), filepath.Join(disk, "data"), sqlite.Options{}); codeOf(err) != store.CodeDiskFull {
			t.Errorf("Open = %v, want disk_full", err)
			if err == nil {
				_ = s.Close()
			}
		}
	})
}

// TestReadOnlyDisk: a record on a disk that can't be written is one to look at.
func TestReadOnlyDisk(t *testing.T) {
	disk := smallDisk(t)
	s := open(t, disk, sqlite.Options{})
	record(t, s, "r1", 0, "abc")
	must.Succeed(t, s.Close())
	must.Succeed(t, unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	for _, o := range []sqlite.Options{{}, {ReadOnly: true}} {
		s := open(t, disk, o)
		if rec, err := s.Record(t.Context(), "r1"); err != nil || len(rec.Steps) != 1 {
			t.Errorf("%+v: %d steps, %v", o, len(rec.Steps), err)
		}
		if err := s.Begin(t.Context(), tracetest.NewRun("r2", 1)); err == nil {
			t.Errorf("%+v: a run was begun on a disk that can't be written", o)
		}
	}
}
