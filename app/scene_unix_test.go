//go:build unix

package app

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"errand/build/must"
)

// scene opens the program over a home that several share.
func scene(t *testing.T, home string) *App {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Join(home, "Documents"), 0o700))
	a, err := openCounting(home)
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return a
}

// together starts the programs, lets them go at one time, and gathers what they
// tell.
func together(t *testing.T, home string) []said {
	t.Helper()
	cmds, outs := make([]*exec.Cmd, programs), make([]bytes.Buffer, programs)
	for n := range cmds {
		cmds[n] = exec.Command(os.Args[0], home, "share", strconv.Itoa(n))
		cmds[n].Env = append(os.Environ(), asProgram+"=1")
		cmds[n].Stdout, cmds[n].Stderr = &outs[n], os.Stderr
		must.Succeed(t, cmds[n].Start())
	}
	must.Succeed(t, os.WriteFile(filepath.Join(home, "go"), nil, 0o600))
	var told []said
	for n, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("program %d: %v", n, err)
		}
		for lines := bufio.NewScanner(&outs[n]); lines.Scan(); {
			var s said
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				t.Fatalf("program %d said %q", n, lines.Text())
			}
			told = append(told, s)
		}
	}
	return told
}

// sound asks the database itself whether it is whole.
func sound(t *testing.T, home string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(home, ".local", "share", "errand", "errand.db")+"?mode=ro")
	must.Succeed(t, err)
	defer db.Close()
	for _, pragma := range []string{"integrity_check", "foreign_key_check"} {
		rows, err := db.Query("PRAGMA " + pragma)
		must.Succeed(t, err)
		for rows.Next() {
			var what sql.NullString
			into := []any{&what}
			if columns, _ := rows.Columns(); len(columns) > 1 {
				into = append(into, new(any), new(any), new(any))
			}
			if err := rows.Scan(into...); err != nil || what.String != "ok" {
				t.Errorf("%s: %s, %v", pragma, what.String, err)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Error(err)
		}
	}
}
