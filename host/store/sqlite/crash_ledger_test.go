package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

// jobs is how many effects the programs that are killed are to have, each once.
const jobs = 150

// effects is a world outside of the record: one line for each effect.
func effects(dir string) (map[string]int, error) {
	b, err := os.ReadFile(filepath.Join(dir, "effects"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	had := map[string]int{}
	for line := range strings.Lines(string(b)) {
		had[strings.TrimSpace(line)]++
	}
	return had, nil
}

func act(dir, key string) error {
	f, err := os.OpenFile(filepath.Join(dir, "effects"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(key + "\n") // one write, whole or not at all
	return errors.Join(err, f.Close())
}

// work does what jobs are left: every call is claimed, and one whose end nobody
// saw is decided by looking at the world.
func work(ctx context.Context, s *sqlite.Store, dir string) error {
	run := tracetest.NewRun(fmt.Sprintf("p%d", os.Getpid()), 0)
	if err := s.Begin(ctx, run); err != nil {
		return err
	}
	fmt.Println("begun", run.RunID)
	for i := range jobs {
		key := fmt.Sprintf("job:%d", i)
		if err := job(ctx, s, dir, run.RunID, fmt.Sprint("a", i), key); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	run.Status = trace.Done
	return errors.Join(s.End(ctx, run), s.Close())
}

func job(ctx context.Context, s *sqlite.Store, dir, run, id, key string) error {
	for {
		c, err := s.Claim(ctx, tracetest.ClaimStep(run, id, key))
		switch {
		case err != nil && tool.AsError(err).Code == trace.CodeEffectUnderWay:
			return nil // the other program does it
		case err != nil:
			return err
		case c.Effect == tool.Committed:
			return nil
		case c.Effect == tool.Pending:
			if rand.IntN(10) == 0 { // a call that says that it had no effect
				if _, err := s.Append(ctx, tracetest.SettleStep(run, id, key, tool.Released)); err != nil {
					return err
				}
				continue
			}
			if err := act(dir, key); err != nil {
				return err
			}
			_, err := s.Append(ctx, tracetest.SettleStep(run, id, key, tool.Committed))
			return err
		}
		had, err := effects(dir)
		if err != nil {
			return err
		}
		found := tool.Released
		if had[key] > 0 {
			found = tool.Committed
		}
		if err := s.Settle(ctx, key, found); err != nil && tool.AsError(err).Code != trace.CodeEffectSettled {
			return err // else the other program was faster
		}
	}
}

// TestKillLedger: two programs that work off one list and are killed at any
// moment have every effect once, and what the ledger and the steps say of it
// agrees at each moment.
func TestKillLedger(t *testing.T) {
	dir := t.TempDir()
	kills := 0
	for round := 0; round < 40; round++ {
		type program struct {
			cmd *exec.Cmd
			out *bufio.Scanner
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		finished := 0
		for range 2 {
			cmd, out := start(t, dir, "jobs")
			p := program{cmd, out}
			all.Go(func() {
				for p.out.Scan() {
					time.AfterFunc(time.Duration(rand.IntN(40_000))*time.Microsecond, func() { _ = p.cmd.Process.Kill() })
				}
				mu.Lock()
				defer mu.Unlock()
				switch err := p.cmd.Wait(); {
				case err == nil:
					finished++
				case p.cmd.ProcessState.ExitCode() > 0 && runtime.GOOS != "windows":
					t.Errorf("a program failed: %v", err)
				default:
					kills++
				}
			})
		}
		all.Wait()
		checkLedger(t, dir)
		if t.Failed() {
			return
		}
		if finished == 2 {
			break
		}
	}
	t.Logf("%d programs were killed", kills)
	s := open(t, dir, sqlite.Options{}) // and one is left to itself
	begin(t, s, "last")
	for i := range jobs {
		must.Succeed(t, job(t.Context(), s, dir, "last", fmt.Sprint("a", i), fmt.Sprintf("job:%d", i)))
	}
	had, err := effects(dir)
	must.Succeed(t, err)
	for i := range jobs {
		key := fmt.Sprintf("job:%d", i)
		if had[key] != 1 {
			t.Errorf("%s had its effect %d times", key, had[key])
		}
		if c, err := s.Claim(t.Context(), tracetest.ClaimStep("last", "x", key)); err != nil || c.Effect != tool.Committed {
			t.Errorf("%s is %s at the end (%v)", key, c.Effect, err)
		}
	}
	if kills < 2 {
		t.Errorf("only %d programs were killed", kills)
	}
	checkIntegrity(t, dir)
}

// checkLedger holds the ledger, the steps and the world against each other,
// while nobody works.
func checkLedger(t *testing.T, dir string) {
	t.Helper()
	had, err := effects(dir)
	must.Succeed(t, err)
	db, err := sql.Open("sqlite", filepath.Join(dir, "errand.db"))
	must.Succeed(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT l.key, l.state, l.recorded, s.body FROM ledger l LEFT JOIN steps s ON s.seq = l.step")
	must.Succeed(t, err)
	defer rows.Close()
	states := map[string]tool.EffectState{}
	for rows.Next() {
		var key string
		var state tool.EffectState
		var recorded bool
		var body sql.Null[string]
		must.Succeed(t, rows.Scan(&key, &state, &recorded, &body))
		states[key] = state
		var step trace.Step
		if body.Valid {
			must.Succeed(t, json.Unmarshal([]byte(body.V), &step))
		}
		switch {
		case recorded != (step.StepID != ""):
			t.Errorf("%s: recorded is %v, and its step %q", key, recorded, step.StepID)
		case recorded && (step.EffectKey != key || step.Effect != state):
			t.Errorf("%s is %s, and its step says that %s is %s", key, state, step.EffectKey, step.Effect)
		case state == tool.Committed && had[key] != 1, state == tool.Released && had[key] != 0:
			t.Errorf("%s is %s and had its effect %d times", key, state, had[key])
		}
	}
	must.Succeed(t, rows.Err())
	for key, n := range had {
		if n != 1 || states[key] == "" {
			t.Errorf("%s had its effect %d times, and the ledger has %q", key, n, states[key])
		}
	}
	steps, err := db.QueryContext(t.Context(), "SELECT body ->> 'effect_key' FROM steps WHERE body ->> 'effect' = 'COMMITTED'")
	must.Succeed(t, err)
	defer steps.Close()
	for steps.Next() {
		var key string
		must.Succeed(t, steps.Scan(&key))
		if states[key] != tool.Committed {
			t.Errorf("a step says that %s is committed, and the ledger that it is %s", key, states[key])
		}
	}
	must.Succeed(t, steps.Err())
}
