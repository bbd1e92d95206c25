package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
)

func codeOf(err error) string {
	var e *tool.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

// record writes a run of one step with one artifact, in state done.
func record(t *testing.T, s *sqlite.Store, id string, minute int, data string) trace.Step {
	t.Helper()
	run := tracetest.NewRun(id, minute)
	must.Succeed(t, s.Begin(t.Context(), run))
	step := tracetest.NewStep(id, "a1")
	step.Artifacts = []tool.Artifact{{Name: "x.png", MediaType: "image/png", Data: []byte(data)}}
	step, err := s.Append(t.Context(), step)
	must.Succeed(t, err)
	run.Status = trace.Done
	must.Succeed(t, s.End(t.Context(), run))
	return step
}

// TestPrivate: nobody but the owner may read the record.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // the profile folder's access list protects it there
	}
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir, sqlite.Options{})
	record(t, s, "r1", 0, "abc")
	files := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		files++
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		return nil
	})
	if err != nil || files < 6 {
		t.Errorf("looked at %d files, %v", files, err)
	}
}

func TestArtifactFiles(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	step := record(t, s, "r1", 0, "abc")
	want := filepath.Join(dir, "artifacts", "ba", abc+".png")
	if step.Artifacts[0].Path != want {
		t.Errorf("path = %s, want %s", step.Artifacts[0].Path, want)
	}
	if b, err := os.ReadFile(want); string(b) != "abc" {
		t.Errorf("the file holds %q (%v)", b, err)
	}
	if err := os.WriteFile(want, []byte("torn"), 0o600); err != nil { // as after a crash of the file system
		t.Fatal(err)
	}
	record(t, s, "r2", 1, "abc")
	if b, _ := os.ReadFile(want); string(b) != "abc" {
		t.Errorf("a torn file was taken for whole: %q", b)
	}

	odd := tracetest.NewStep("r1", "a2")
	odd.Artifacts = []tool.Artifact{
		{Name: "../../../etc/passwd", MediaType: "../evil", Data: []byte("1")},
		{Name: "page", MediaType: "text/html; charset=utf-8", Data: []byte("2")},
	}
	odd, err := s.Append(t.Context(), odd)
	must.Succeed(t, err)
	for i, ext := range []string{".bin", ".html"} {
		if p := odd.Artifacts[i].Path; filepath.Ext(p) != ext || !strings.HasPrefix(p, filepath.Join(dir, "artifacts")+string(filepath.Separator)) {
			t.Errorf("path = %s, want one below artifacts that ends in %s", p, ext)
		}
	}

	big := tracetest.NewStep("r1", "a3")
	big.Artifacts = []tool.Artifact{{Name: "big", Data: make([]byte, sqlite.MaxArtifact+1)}}
	if _, err := s.Append(t.Context(), big); codeOf(err) != store.CodeTooLarge {
		t.Errorf("an artifact that is too large: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "artifacts", "new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v %v", left, err)
	}
}

// TestOpenArtifact: an artifact is opened by its key, while its file is a regular one
// inside the folder.
func TestOpenArtifact(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	a := record(t, s, "one", 0, "the page").Artifacts[0]
	secret := filepath.Join(t.TempDir(), "secret.txt")
	must.Succeed(t, os.WriteFile(secret, []byte("secret"), 0o600))
	unrecorded := strings.Repeat("ab", 32)
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, "artifacts", "ab"), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "artifacts", "ab", unrecorded+".png"), nil, 0o600))
	for _, tt := range []struct {
		name, key, code string
		prepare         func() error
	}{
		{"stored", a.SHA256, "<nil>", func() error { return nil }},
		{"without a record", unrecorded, store.CodeNoArtifact, func() error { return nil }},
		{"no key", "", store.CodeNoArtifact, func() error { return nil }},
		{"a path", "../" + filepath.Base(filepath.Dir(secret)) + "/secret.txt", store.CodeNoArtifact, func() error { return nil }},
		{"the beginning of a key", a.SHA256[:8], store.CodeNoArtifact, func() error { return nil }},
		{"gone", a.SHA256, store.CodeNoArtifact, func() error { return os.Remove(a.Path) }},
		{"a folder", a.SHA256, store.CodeNoArtifact, func() error { return os.Mkdir(a.Path, 0o700) }},
		{"a link that leads out", a.SHA256, store.CodeNoArtifact, func() error {
			return errors.Join(os.Remove(a.Path), os.Symlink(secret, a.Path))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must.Succeed(t, tt.prepare())
			f, err := s.OpenArtifact(t.Context(), tt.key)
			if codeOf(err) != tt.code {
				t.Fatalf("%v, want %s", err, tt.code)
			}
			if err != nil {
				return
			}
			defer f.Close()
			if b, err := io.ReadAll(f); string(b) != "the page" || err != nil {
				t.Errorf("%q, %v", b, err)
			}
		})
	}
}

// TestMovedFolder: paths are those of the folder as it is now.
func TestMovedFolder(t *testing.T) {
	parent := t.TempDir()
	from, to := filepath.Join(parent, "a b?c#d%20e"), filepath.Join(parent, "после")
	s, err := sqlite.Open(t.Context(), from, sqlite.Options{})
	must.Succeed(t, err)
	record(t, s, "r1", 0, "abc")
	must.Succeed(t, s.Close())
	must.Succeed(t, os.Rename(from, to))
	rec, err := open(t, to, sqlite.Options{}).Record(t.Context(), "r1")
	must.Succeed(t, err)
	if b, err := os.ReadFile(rec.Steps[0].Artifacts[0].Path); string(b) != "abc" {
		t.Errorf("the artifact at %s: %q, %v", rec.Steps[0].Artifacts[0].Path, b, err)
	}
}

func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	s := open(t, dir, sqlite.Options{ReadOnly: true})
	if runs, err := s.Runs(t.Context(), 0); err != nil || len(runs) != 0 {
		t.Errorf("runs of a folder that isn't there: %v, %v", runs, err)
	}
	if _, err := s.Record(t.Context(), "r1"); codeOf(err) != trace.CodeRunNotFound {
		t.Errorf("a run of a folder that isn't there: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("reading made the folder")
	}

	writer := open(t, dir, sqlite.Options{})
	record(t, writer, "r1", 0, "abc")
	s = open(t, dir, sqlite.Options{ReadOnly: true})
	rec, err := s.Record(t.Context(), "r1")
	if err != nil || len(rec.Steps) != 1 {
		t.Errorf("record = %+v, %v", rec, err)
	}
	_, appendErr := s.Append(t.Context(), tracetest.NewStep("r1", "a2"))
	_, claimErr := s.Claim(t.Context(), tracetest.ClaimStep("r1", "a2", "k"))
	_, pruneErr := s.Prune(t.Context(), time.Now())
	for what, err := range map[string]error{
		"Begin": s.Begin(t.Context(), tracetest.NewRun("r2", 0)), "Append": appendErr, "Prune": pruneErr,
		"Claim": claimErr, "Resume": s.Resume(t.Context(), tracetest.ReadRun(s, "r1")), "Settle": s.Settle(t.Context(), "k", tool.Released), "Note": s.Note(t.Context(), trace.Event{RunID: "r1"}),
		"End": s.End(t.Context(), tracetest.NewRun("r1", 0)), "SaveDraft": s.SaveDraft(t.Context(), store.Draft{}),
	} {
		if codeOf(err) != store.CodeReadOnly {
			t.Errorf("%s: %v, want %s", what, err, store.CodeReadOnly)
		}
	}
}

// TestUnended: a run that this program leaves without an end.
func TestUnended(t *testing.T) {
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), dir, sqlite.Options{})
	must.Succeed(t, err)
	must.Succeed(t, s.Begin(t.Context(), tracetest.NewRun("r1", 0)))
	step := tracetest.NewStep("r1", "a1") // from 1 s to 2.5 s after the run's start
	if _, err := s.Append(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	if runs, _ := s.Runs(t.Context(), 0); runs[0].Status != trace.Running {
		t.Errorf("while it runs: %+v", runs[0])
	}
	must.Succeed(t, s.Close())
	runs, err := open(t, dir, sqlite.Options{}).Runs(t.Context(), 0)
	if err != nil || runs[0].Status != trace.Interrupted || runs[0].DurationMS != 2500 || runs[0].Error == nil {
		t.Errorf("afterwards: %+v (%v), want it interrupted after 2.5 s", runs[0], err)
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	clock := time.Now()
	s := open(t, dir, sqlite.Options{Now: func() time.Time { return clock }})
	old := record(t, s, "old", 0, "only old").Artifacts[0].Path
	shared := record(t, s, "older", 1, "shared").Artifacts[0].Path
	record(t, s, "new", 10, "shared")
	under := tracetest.NewRun("under-way", 0)
	must.Succeed(t, s.Begin(t.Context(), under))
	stale, fresh, foreign := filepath.Join(dir, "artifacts", "new-1"), filepath.Join(dir, "artifacts", "new-2"), filepath.Join(dir, "artifacts", "mine.txt")
	for _, name := range []string{stale, fresh, foreign} {
		must.Succeed(t, os.WriteFile(name, nil, 0o600))
	}
	must.Succeed(t, os.Chtimes(stale, clock, clock.Add(-2*time.Hour)))

	would, err := s.Prunable(t.Context(), tracetest.Start.Add(5*time.Minute))
	must.Succeed(t, err)
	report, err := s.Prune(t.Context(), tracetest.Start.Add(5*time.Minute))
	if report.Runs != 2 || report.Artifacts != 1 || report.Bytes < int64(len("only old")) || would != report || err != nil {
		t.Errorf("Prune = %+v, %v; want 2 runs and 1 artifact, as foretold: %+v", report, err, would)
	}
	runs, err := s.Runs(t.Context(), 0)
	var left []string
	for _, r := range runs {
		left = append(left, r.RunID)
	}
	if diff := cmp.Diff([]string{"new", "under-way"}, left); diff != "" || err != nil {
		t.Errorf("runs (-want +got):\n%s%v", diff, err)
	}
	for name, want := range map[string]bool{old: false, shared: true, stale: false, fresh: true, foreign: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	if report, err := s.Prune(t.Context(), tracetest.Start.Add(5*time.Minute)); report != (store.PruneReport{}) || err != nil {
		t.Errorf("a second Prune = %+v, %v; want nothing", report, err)
	}
}

// TestPruneGivesSpaceBack: the file shrinks.
func TestPruneGivesSpaceBack(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	must.Succeed(t, s.Begin(t.Context(), tracetest.NewRun("r1", 0)))
	step := tracetest.NewStep("r1", "a1")
	step.Payload = strings.Repeat("x", 2<<20)
	if _, err := s.Append(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	run := tracetest.NewRun("r1", 0)
	run.Status = trace.Done
	must.Succeed(t, s.End(t.Context(), run))
	if _, err := s.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil { // folds the log in
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "errand.db")); err != nil || info.Size() > 1<<20 {
		t.Errorf("the database has %d bytes (%v) after 2 MiB were pruned", info.Size(), err)
	}
}

func TestOpenWithEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := sqlite.Open(ctx, t.TempDir(), sqlite.Options{}); err == nil {
		t.Error("it opened")
		_ = s.Close()
	}
}

// TestDeadOwnersAreSwept: what a killed program leaves behind goes with the
// next one that begins a run.
func TestDeadOwnersAreSwept(t *testing.T) {
	dir := t.TempDir()
	living := open(t, dir, sqlite.Options{})
	record(t, living, "r0", 0, "abc")
	owners := filepath.Join(dir, "owners")
	for i := range 5 {
		must.Succeed(t, os.WriteFile(filepath.Join(owners, fmt.Sprintf("dead%d.lock", i)), nil, 0o600))
	}
	record(t, open(t, dir, sqlite.Options{}), "r1", 1, "abc")
	left, err := os.ReadDir(owners)
	if err != nil || len(left) != 2 {
		t.Errorf("%d lock files are left (%v), want those of the two programs that live", len(left), err)
	}
}

// TestForget: one run goes, with the files that only it needs; the others and what
// is under way stay.
func TestForget(t *testing.T) {
	s := open(t, t.TempDir(), sqlite.Options{})
	own := record(t, s, "one", 0, "only one").Artifacts[0].Path
	shared := record(t, s, "two", 1, "shared").Artifacts[0].Path
	record(t, s, "three", 2, "shared")
	must.Succeed(t, s.Begin(t.Context(), tracetest.NewRun("under-way", 3)))
	for _, tt := range []struct{ id, code string }{{"one", ""}, {"two", ""}, {"under-way", trace.CodeRunUnderWay}, {"never-was", trace.CodeRunUnderWay}} {
		report, err := s.Forget(t.Context(), tt.id)
		code := ""
		if err != nil {
			code = tool.AsError(err).Code
		}
		if code != tt.code || (err == nil) != (report.Runs == 1) {
			t.Errorf("Forget(%s) = %+v, %v", tt.id, report, err)
		}
	}
	for name, want := range map[string]bool{own: false, shared: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	runs, err := s.Runs(t.Context(), 0)
	if len(runs) != 2 || runs[0].RunID != "under-way" || runs[1].RunID != "three" || err != nil {
		t.Errorf("left: %+v, %v", runs, err)
	}
}
