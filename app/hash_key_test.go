package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"errand/app/config"
	"errand/app/history"
	"errand/app/replay"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/keyfile"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
	"errand/policy/redact"
)

// guesses are the hashes that show whoever holds one which PIN a text holds: those of the
// arguments, of the words and of the plan, and a mark.
func guesses(p plan.Plan, pin string) []string {
	c := p.Content()
	all := []string{redact.New(nil).Mark("pin", pin), p.ID(), p.Digest(), p.Digest()[:16]}
	for _, a := range c.Actions {
		if !strings.Contains(fmt.Sprint(a.Args), pin) {
			continue
		}
		sum := sha256.New()
		for name, v := range a.Args {
			fmt.Fprintf(sum, "%s\x00%v\x00", name, v)
		}
		all = append(all, tool.HashArgs(a.Args), tool.HashArgs(a.Args)[:16], hex.EncodeToString(sum.Sum(nil)[:8]))
	}
	return all
}

// TestHashesHideSecrets looks in everything that is kept and exported of a run for hashes
// that can be tried out against all PINs.
func TestHashesHideSecrets(t *testing.T) {
	const pin = "4921"
	for _, tt := range []struct {
		name, words string
		waits       bool
	}{
		{"a run", `create folder "my PIN is 4921" in documents`, false},
		{"a draft", `delete folder "my PIN is 4921" in documents`, true},
		{"a run of two", `create folder "PIN is 4921" in documents and create folder Plain in documents`, false},
		{"a draft in Russian", `удали папку "мой пинкод 4921" в документах`, true},
		{"a cancelled draft", `delete folder "PIN: 4921" in documents`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{})
			for _, name := range []string{"my PIN is 4921", "мой пинкод 4921", "PIN: 4921"} {
				if tt.waits {
					folders(t, home, name)
				}
			}
			r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: tt.words})
			if err != nil || r.Result == nil || (r.Status == trace.NeedsApproval) != tt.waits {
				t.Fatalf("%s, %v, %v", r.Status, r.Error, err)
			}
			p, _ := r.Result.Plan()
			shown := map[string]string{}
			if tt.waits {
				if strings.HasPrefix(tt.name, "a cancelled") {
					if _, err := a.Reject(t.Context(), r.DraftID); err != nil {
						t.Fatal(err)
					}
				}
				v, err := a.ShowDraft(t.Context(), r.DraftID)
				b, _ := json.Marshal(v)
				if shown["draft"] = string(b); err != nil {
					t.Fatal(err)
				}
			}
			for _, format := range []string{history.FormatBundle, history.FormatOTLP} {
				b, err := a.Export(t.Context(), r.RunID, format)
				must.Succeed(t, err)
				shown[format] = string(b)
			}
			must.Succeed(t, a.Close())
			files := 0
			err = filepath.WalkDir(a.conf.Paths.Data, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b, err := os.ReadFile(path)
				shown[path], files = string(b), files+1
				return err
			})
			if err != nil || files < 2 {
				t.Fatalf("%d files, %v", files, err)
			}
			marked := false
			for where, text := range shown {
				for _, hash := range guesses(p, pin) {
					if strings.Contains(text, hash) {
						t.Errorf("%s holds %s", where, hash)
					}
				}
				for _, words := range []string{"PIN is 4921", "PIN: 4921", "пинкод 4921"} {
					if strings.Contains(text, words) {
						t.Errorf("%s holds %q", where, words)
					}
				}
				marked = marked || strings.Contains(text, "[redacted:")
			}
			if !marked {
				t.Error("nothing was redacted, so this test shows nothing")
			}
		})
	}
}

// reopened opens the data folder of a home again, as another process would.
func reopened(t *testing.T, home string) *App {
	t.Helper()
	a, err := Open(Options{Config: config.Options{Env: []string{"HOME=" + home}}})
	must.Succeed(t, err)
	t.Cleanup(func() { a.Close() })
	return a
}

// TestHashesHoldInTheirInstallation: another process finds the same hashes and marks in the
// same data folder, another installation finds others.
func TestHashesHoldInTheirInstallation(t *testing.T) {
	a, home := opened(t, Options{})
	other, _ := opened(t, Options{})
	again := reopened(t, home)
	hash := tool.HashArgs(map[string]any{"path": "4921"})
	for what, of := range map[string]func(*App) string{
		"hash": func(a *App) string { return a.vault.Seal(hash) },
		"mark": func(a *App) string { return a.vault.Cleaner().Text("password=hunter2Xq9, IBAN and more") },
	} {
		if of(a) != of(again) || of(a) == of(other) || strings.Contains(of(a), hash) {
			t.Errorf("%s: %s, again %s, elsewhere %s", what, of(a), of(again), of(other))
		}
	}
	info, err := os.Stat(a.conf.Paths.HashKey())
	if err != nil || info.Size() != keyfile.Size || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key is %v, %v", info, err)
	}
}

// TestReplayAcrossInstallations: an exported run replays where the key is another one.
func TestReplayAcrossInstallations(t *testing.T) {
	a, _ := opened(t, Options{})
	other, _ := opened(t, Options{})
	for _, words := range []string{"create folder New in documents", `create folder "my PIN is 4921" in documents`} {
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: words})
		if err != nil || r.Status != trace.Done {
			t.Fatalf("%s, %v, %v", r.Status, r.Error, err)
		}
		doc, err := a.Export(t.Context(), r.RunID, history.FormatBundle)
		must.Succeed(t, err)
		file := filepath.Join(t.TempDir(), "run.json")
		must.Succeed(t, os.WriteFile(file, doc, 0o600))
		for where, of := range map[string]func() (replay.Result, error){
			"here":      func() (replay.Result, error) { return a.Replay(t.Context(), r.RunID) },
			"the file":  func() (replay.Result, error) { return a.Replay(t.Context(), file) },
			"elsewhere": func() (replay.Result, error) { return other.Replay(t.Context(), file) },
		} {
			if got, err := of(); err != nil || !got.IsSame || got.Compared.Steps != 1 {
				t.Errorf("%s, %s: %+v, %+v, %v", words, where, got, got.Difference, err)
			}
		}
	}
}

// TestDraftOfAnEarlierVersion: a draft and an approval whose hashes were made without a key
// go on, and are written with sealed hashes.
func TestDraftOfAnEarlierVersion(t *testing.T) {
	for _, ready := range []bool{false, true} {
		t.Run(fmt.Sprint("approved ", ready), func(t *testing.T) {
			a, home := opened(t, Options{})
			paths := folders(t, home, "Old")
			r, d := waitingDraft(t, a, "delete folder Old in documents")
			if ready {
				if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, ApplyLater: true}); err != nil {
					t.Fatal(err)
				}
			}
			unseal(t, a, r.DraftID)
			must.Succeed(t, a.Close())
			a = reopened(t, home)
			var report runs.Report
			var err error
			if ready {
				report, err = a.Apply(t.Context(), runs.ApplyRequest{ID: d.DraftID})
			} else {
				report, err = a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID})
			}
			must.Succeed(t, err)
			if report.Status != trace.Done || there(paths[0]) {
				t.Fatalf("%s, %v", report.Status, report.Error)
			}
			now, err := a.ShowDraft(t.Context(), d.DraftID)
			if err != nil || now.PlanDigest != d.PlanDigest || now.Actions[0].ArgsHash != d.Actions[0].ArgsHash {
				t.Errorf("%+v, %v", now, err)
			}
		})
	}
}

// unseal writes a draft as earlier versions did.
func unseal(t *testing.T, a *App, id string) {
	t.Helper()
	s, err := a.storage()
	must.Succeed(t, err)
	was, err := s.Draft(t.Context(), id)
	must.Succeed(t, err)
	var p plan.Plan
	must.Succeed(t, json.Unmarshal(was.Plan, &p))
	now := store.Draft{}
	b, _ := json.Marshal(was)
	must.Succeed(t, json.Unmarshal(b, &now))
	now.RunID, now.Plan, now.Shown = was.RunID, was.Plan, was.Shown
	now.PlanDigest = p.Digest()
	for i, action := range p.Actions() {
		now.Actions[i].ArgsHash = tool.HashArgs(action.Args)
	}
	if now.Approval != nil {
		now.Approval.PlanDigest = p.Digest()
		now.Approval.Actions = []approval.Binding{{ActionID: "a1", ToolDigest: now.Actions[0].ToolDigest, ArgsHash: now.Actions[0].ArgsHash}}
	}
	must.Succeed(t, s.SwapDraft(t.Context(), was, now))
}

// TestLostHashKey: without its key, a draft that waits can't be approved as it was seen, and
// the program goes on with a new key. A key that others could have read is refused.
func TestLostHashKey(t *testing.T) {
	a, home := opened(t, Options{})
	paths := folders(t, home, "Old")
	_, d := waitingDraft(t, a, "delete folder Old in documents")
	key := a.conf.Paths.HashKey()
	must.Succeed(t, a.Close())
	must.Succeed(t, os.Remove(key))
	a = reopened(t, home)
	if r, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID}); err == nil && r.Status == trace.Done || !there(paths[0]) {
		t.Errorf("applied: %+v", r)
	}
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder New in documents"})
	if err != nil || r.Status != trace.Done {
		t.Errorf("%s, %v, %v", r.Status, r.Error, err)
	}
	must.Succeed(t, a.Close())
	if runtime.GOOS == "windows" {
		return
	}
	must.Succeed(t, os.Chmod(key, 0o644))
	if _, err := reopened(t, home).storage(); err == nil || !strings.Contains(say(tool.AsError(err).Message), "hash.key") {
		t.Errorf("a key that others can read: %v", err)
	}
}
