package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/planner/message"
	"errand/policy/approval"
)

// another opens the folder as another program would; it dies with the function
// that is returned.
func another(t *testing.T, dir string) (*sqlite.Store, func()) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dir, sqlite.Options{})
	must.Succeed(t, err)
	return s, sync.OnceFunc(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func begin(t *testing.T, s *sqlite.Store, id string) {
	t.Helper()
	must.Succeed(t, s.Begin(t.Context(), tracetest.NewRun(id, 0)))
}

// claimed is what a claim answers: a state or the code of an error.
func claimed(t *testing.T, s *sqlite.Store, run, step, key string) string {
	t.Helper()
	c, err := s.Claim(t.Context(), tracetest.ClaimStep(run, step, key))
	if err != nil {
		return codeOf(err)
	}
	return string(c.Effect)
}

// state is what the ledger has written of a key.
func state(t *testing.T, dir, key string) string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "errand.db"))
	must.Succeed(t, err)
	defer db.Close()
	var state string
	must.Succeed(t, db.QueryRowContext(t.Context(), "SELECT coalesce((SELECT state FROM ledger WHERE key = ?), '')", key).Scan(&state))
	return state
}

// TestClaimsOfOthers: a claim is under way while its program lives, and unknown
// from the moment it is gone.
func TestClaimsOfOthers(t *testing.T) {
	dir := t.TempDir()
	mine := open(t, dir, sqlite.Options{})
	begin(t, mine, "mine")
	other, die := another(t, dir)
	begin(t, other, "theirs")
	for _, key := range []string{"k1", "k2", "k3"} {
		if got := claimed(t, other, "theirs", "a-"+key, key); got != "PENDING" {
			t.Fatalf("claim of %s: %s", key, got)
		}
	}
	if got := claimed(t, mine, "mine", "a1", "k1"); got != trace.CodeEffectUnderWay {
		t.Errorf("a claim of what a living program has: %s", got)
	}
	if err := mine.Resume(t.Context(), tracetest.ReadRun(mine, "theirs")); codeOf(err) != trace.CodeRunUnderWay {
		t.Errorf("Resume of a living program's run: %v", err)
	}
	if err := mine.Settle(t.Context(), "k1", tool.Committed); codeOf(err) != trace.CodeEffectSettled {
		t.Errorf("Settle of a living program's effect: %v", err)
	}
	die()
	effects, err := mine.Effects(t.Context(), "theirs")
	if err != nil || len(effects) != 3 || slices.ContainsFunc(effects, func(c trace.Claim) bool { return c.Effect != tool.Unknown }) {
		t.Errorf("effects = %+v, %v; want three unknown ones", effects, err)
	}
	if got := claimed(t, mine, "mine", "a1", "k1"); got != "UNKNOWN" || state(t, dir, "k1") != "UNKNOWN" {
		t.Errorf("a claim of what a dead program had: %s, written as %s", got, state(t, dir, "k1"))
	}
	if err := mine.Settle(t.Context(), "k2", tool.Released); err != nil || state(t, dir, "k2") != "RELEASED" {
		t.Errorf("Settle of what a dead program had: %v, %s", err, state(t, dir, "k2"))
	}
	if err := mine.Resume(t.Context(), tracetest.ReadRun(mine, "theirs")); err != nil || state(t, dir, "k3") != "UNKNOWN" {
		t.Errorf("Resume of a dead program's run: %v, its claim %s", err, state(t, dir, "k3"))
	}
	if got := claimed(t, mine, "theirs", "a-k2", "k2"); got != "PENDING" {
		t.Errorf("a claim of what was released: %s", got)
	}
}

// TestClaimBetweenPrograms: of two programs that claim a key at once, one makes
// the call; the same for the resumption of a run.
func TestClaimBetweenPrograms(t *testing.T) {
	dir := t.TempDir()
	stores := []*sqlite.Store{open(t, dir, sqlite.Options{}), open(t, dir, sqlite.Options{})}
	for i, s := range stores {
		begin(t, s, fmt.Sprint("r", i))
	}
	for round := range 30 {
		key, dead := fmt.Sprint("linear:create_issue:", round), fmt.Sprint("dead", round)
		run := tracetest.NewRun(dead, 0)
		begin(t, stores[0], dead)
		run.Status = trace.Interrupted
		must.Succeed(t, stores[0].End(t.Context(), run))
		var all sync.WaitGroup
		claims, resumes := make([]string, 2), make([]string, 2)
		for i, s := range stores {
			all.Go(func() { claims[i] = claimed(t, s, fmt.Sprint("r", i), "a1", key) })
			all.Go(func() { resumes[i] = codeOf(s.Resume(t.Context(), tracetest.ReadRun(s, dead))) })
		}
		all.Wait()
		slices.Sort(claims)
		slices.Sort(resumes)
		if diff := cmp.Diff([]string{"PENDING", trace.CodeEffectUnderWay}, claims) + cmp.Diff([]string{"<nil>", trace.CodeRunUnderWay}, resumes); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
	}
}

// TestLostAppend: a step that can't be recorded leaves its effect unknown to
// this program at once, and to others when it is gone.
func TestLostAppend(t *testing.T) {
	dir := t.TempDir()
	s, die := another(t, dir)
	begin(t, s, "r1")
	if got := claimed(t, s, "r1", "a1", "k1"); got != "PENDING" {
		t.Fatal(got)
	}
	big := tracetest.SettleStep("r1", "a1", "k1", tool.Committed)
	big.Artifacts = []tool.Artifact{{Name: "big", Data: make([]byte, sqlite.MaxArtifact+1)}}
	if _, err := s.Append(t.Context(), big); codeOf(err) != store.CodeTooLarge {
		t.Fatal(err)
	}
	if got := state(t, dir, "k1"); got != "PENDING" {
		t.Errorf("the ledger has %s", got)
	}
	if rec, err := s.Record(t.Context(), "r1"); err != nil || len(rec.Steps) != 1 || rec.Steps[0].Effect != tool.Unknown {
		t.Errorf("record = %+v, %v", rec.Steps, err)
	}
	other := open(t, dir, sqlite.Options{})
	begin(t, other, "r2")
	if got := claimed(t, other, "r2", "a1", "k1"); got != trace.CodeEffectUnderWay {
		t.Errorf("to another program: %s", got)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	run := tracetest.NewRun("r1", 0)
	run.Status = trace.Failed
	if err := s.End(ended, run); err == nil {
		t.Error("End with an ended context succeeded")
	}
	if err := s.Resume(t.Context(), tracetest.ReadRun(s, "r1")); err != nil { // its end could not be written, and it is over
		t.Errorf("Resume of a run whose end is lost: %v", err)
	}
	if err := s.Resume(t.Context(), tracetest.ReadRun(s, "r1")); codeOf(err) != trace.CodeRunUnderWay {
		t.Errorf("a second Resume: %v", err)
	}
	die()
	if got := claimed(t, other, "r2", "a1", "k1"); got != "UNKNOWN" {
		t.Errorf("to another program, when it is gone: %s", got)
	}
}

// TestLostAppendThenDecided: what is claimed anew after a lost step was decided
// is under way again.
func TestLostAppendThenDecided(t *testing.T) {
	dir := t.TempDir()
	s, other := open(t, dir, sqlite.Options{}), open(t, dir, sqlite.Options{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	begin(t, s, "r1")
	begin(t, other, "r2")
	for i, again := range []*sqlite.Store{s, other} {
		key, run := fmt.Sprint("k", i), fmt.Sprint("r", i+1)
		if got := claimed(t, s, "r1", "a1", key); got != "PENDING" {
			t.Fatal(got)
		}
		if _, err := s.Append(ended, tracetest.SettleStep("r1", "a1", key, tool.Committed)); err == nil {
			t.Fatal("Append with an ended context succeeded")
		}
		must.Succeed(t, s.Settle(t.Context(), key, tool.Released))
		if got := claimed(t, again, run, "a2", key); got != "PENDING" {
			t.Errorf("%s: claimed anew: %s", key, got)
		}
		for i, s := range []*sqlite.Store{s, other} {
			if got := claimed(t, s, fmt.Sprint("r", i+1), "a3", key); got != trace.CodeEffectUnderWay {
				t.Errorf("%s: claimed while it is under way: %s", key, got)
			}
		}
	}
}

// TestPruneLedger: keys of a run go with it, keys from outside stay and answer
// with the step that was recorded.
func TestPruneLedger(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	record(t, s, "new", 10, "x")
	begin(t, s, "old")
	keys := map[string]tool.EffectState{
		"old:a1": tool.Committed, "old:a2": tool.Unknown,
		"tg:callback:1": tool.Committed, "tg:callback:2": tool.Unknown, "tg:callback:3": tool.Released,
	}
	for key, effect := range keys {
		if got := claimed(t, s, "old", key, key); got != "PENDING" {
			t.Fatal(got)
		}
		step := tracetest.SettleStep("old", key, key, effect)
		step.Artifacts = []tool.Artifact{{Name: "x", MediaType: "text/plain", Data: []byte(key)}}
		if _, err := s.Append(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	if got := claimed(t, s, "old", "cut", "tg:callback:4"); got != "PENDING" {
		t.Fatal(got)
	}
	run := tracetest.NewRun("old", 0)
	run.Status = trace.Done
	must.Succeed(t, s.End(t.Context(), run))
	if _, err := s.Prune(t.Context(), tracetest.Start.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"old:a1": "", "old:a2": "",
		"tg:callback:1": "COMMITTED", "tg:callback:2": "UNKNOWN", "tg:callback:3": "", "tg:callback:4": "UNKNOWN",
	} {
		if got := state(t, dir, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	begin(t, s, "r2")
	c, err := s.Claim(t.Context(), tracetest.ClaimStep("r2", "a1", "tg:callback:1"))
	want := tracetest.SettleStep("old", "tg:callback:1", "tg:callback:1", tool.Committed) // without the files
	if diff := cmp.Diff(trace.Claim{Key: "tg:callback:1", Effect: tool.Committed, Step: want, Recorded: true}, c); diff != "" || err != nil {
		t.Errorf("claim (-want +got):\n%s%v", diff, err)
	}
	if got := claimed(t, s, "r2", "a2", "tg:callback:4"); got != "UNKNOWN" {
		t.Errorf("a call that was cut off, after its run was pruned: %s", got)
	}
	checkIntegrity(t, dir)
}

// TestSettings: equal ones are kept once, and none without its runs.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	settings := func() (n int) {
		t.Helper()
		db, err := sql.Open("sqlite", filepath.Join(dir, "errand.db"))
		must.Succeed(t, err)
		defer db.Close()
		must.Succeed(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM settings").Scan(&n))
		return n
	}
	for i, setting := range []string{`{"a":1}`, `{"a":1}`, `{"b":2}`} {
		run := tracetest.NewRun(fmt.Sprint("r", i), i)
		run.Setting, run.Status = []byte(setting), trace.Done
		must.Succeed(t, s.Begin(t.Context(), run))
		must.Succeed(t, s.End(t.Context(), run))
		if rec, err := s.Record(t.Context(), run.RunID); err != nil || string(rec.Setting) != setting {
			t.Errorf("setting of %s = %s, %v", run.RunID, rec.Setting, err)
		}
	}
	for i, want := range []int{2, 2, 1, 0} { // after so many runs were pruned
		if _, err := s.Prune(t.Context(), tracetest.Start.Add(time.Duration(i)*time.Minute-time.Second)); err != nil {
			t.Fatal(err)
		}
		if got := settings(); got != want {
			t.Errorf("%d settings after %d runs were pruned, want %d", got, i, want)
		}
	}
}

// TestStranded: a draft whose program died while it applied it is found.
func TestStranded(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	other, die := another(t, dir)
	d := store.Draft{Draft: approval.Draft{ID: "d1", State: approval.StateReady, CreatedAt: tracetest.Start, ExpiresAt: tracetest.Start}}
	must.Succeed(t, other.SaveDraft(t.Context(), d))
	applying := d
	applying.State = approval.StateApplying
	must.Succeed(t, other.SwapDraft(t.Context(), d, applying))
	stranded := func(want bool) {
		t.Helper()
		list, err := s.ListStranded(t.Context())
		one, err2 := s.Draft(t.Context(), "d1")
		if err != nil || err2 != nil || len(list) == 1 != want || one.Stranded != want {
			t.Errorf("stranded: %v and %v (%v, %v), want %v", list, one.Stranded, err, err2, want)
		}
	}
	stranded(false)
	if r, err := s.Prune(t.Context(), tracetest.Start.Add(time.Hour)); err != nil || r.Drafts != 0 {
		t.Errorf("Prune = %+v, %v; want the draft that is applied to stay", r, err)
	}
	die()
	stranded(true)
	one, err := s.Draft(t.Context(), "d1")
	must.Succeed(t, err)
	taken := one
	taken.Reason = message.Verbatim("taken up again")
	must.Succeed(t, s.SwapDraft(t.Context(), one, taken))
	stranded(false)
	taken.State = approval.StateBlocked
	if now, err := s.Draft(t.Context(), "d1"); err != nil || s.SwapDraft(t.Context(), now, taken) != nil {
		t.Error(err)
	}
	if r, err := s.Prune(t.Context(), tracetest.Start.Add(time.Hour)); err != nil || r.Drafts != 1 {
		t.Errorf("Prune = %+v, %v; want the draft gone", r, err)
	}
}
