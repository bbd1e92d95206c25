package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/browser/chromium"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// needsBrowser answers the path of a browser, or leaves the test out where there
// is none; on the build server it fails.
func needsBrowser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	bin, _, err := chromium.Find("")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	return bin
}

// TestDownloadAndUndo: a goal to download waits for a yes that tells where the
// file goes and how large it may be; the file is there then, and undo puts it
// into the trash, unless it was changed meanwhile.
func TestDownloadAndUndo(t *testing.T) {
	needsBrowser(t)
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/notes.txt" {
			rw.Header().Set("Content-Type", "text/plain")
		}
		_, _ = rw.Write([]byte("hello"))
	}))
	defer site.Close()
	a, home := opened(t, Options{}, "ERRAND_POLICY_ALLOW_PRIVATE="+strings.TrimPrefix(site.URL, "http://"), "XDG_DATA_HOME="+t.TempDir())
	goal := "download " + site.URL + "/notes.txt"
	want := filepath.Join(home, "Downloads", "notes.txt")

	download := func() runs.Report {
		t.Helper()
		_, d := waitingDraft(t, a, goal)
		last := d.Actions[len(d.Actions)-1]
		if last.Tool != "browser.download" || !last.Reversible || !strings.Contains(say(last.Note), "up to 190 MiB, into "+filepath.Dir(want)) {
			t.Fatalf("draft = %+v", last)
		}
		r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
		if r.Status != trace.Done {
			t.Fatalf("%s, %+v", r.Status, r.Error)
		}
		return r
	}
	r := download()
	if b, err := os.ReadFile(want); err != nil || string(b) != "hello" {
		t.Fatalf("%q, %v", b, err)
	}
	undo := func(r runs.Report) runs.Report {
		t.Helper()
		d, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID)
		must.Succeed(t, err)
		return approved(t, a, runs.ApproveRequest{ID: d.DraftID})
	}
	if back := undo(r); back.Status != trace.Done || there(want) {
		t.Errorf("undo: %s, %+v; the file is there: %t", back.Status, back.Error, there(want))
	}

	r = download()
	must.Succeed(t, os.WriteFile(want, []byte("thesis"), 0o600))
	if _, err := a.ProposeUndo(t.Context(), plan.UserGoal, r.RunID); err == nil {
		if back := undo(r); back.Status == trace.Done {
			t.Error("a file that was changed was taken back")
		}
	}
	if !there(want) {
		t.Error("a file that was changed is gone")
	}
}

// TestDownloadWithUnknownOutcome: a run that goes on looks whether the file is
// there, and fetches no second one.
func TestDownloadWithUnknownOutcome(t *testing.T) {
	needsBrowser(t)
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("hello")) }))
	defer site.Close()
	a, home := opened(t, Options{}, "ERRAND_POLICY_ALLOW_PRIVATE="+strings.TrimPrefix(site.URL, "http://"), "XDG_DATA_HOME="+t.TempDir())
	a.replaceTool = func(x tool.Tool) tool.Tool {
		if x.Spec().Name != "browser.download" {
			return x
		}
		return tool.Func(x.Spec(), func(ctx context.Context, call tool.Call) (tool.Result, error) {
			if r, err := x.Call(ctx, call); err != nil || !r.OK {
				return r, err
			}
			panic("the machine breaks between the file and the answer")
		})
	}
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "download " + site.URL + "/notes.txt", Yes: true})
	if err != nil || r.Status == trace.Done {
		t.Fatalf("%s, %v", r.Status, err)
	}
	folder := filepath.Join(home, "Downloads")
	a.replaceTool = nil
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID, Yes: true})
	if err == nil && again.Error != nil && again.Error.Code == drafts.CodeDrift { // the first stretch has read a page
		again, err = a.Approve(t.Context(), runs.ApproveRequest{ID: again.DraftID, Revision: again.Draft.Revision})
	}
	if err != nil || again.Status != trace.Done || !strings.Contains(say(again.Answer), "notes.txt, 5 bytes") {
		t.Fatalf("resumed: %s, %+v, %v, %q", again.Status, again.Error, err, again.Answer)
	}
	if last := again.Steps[len(again.Steps)-1]; !slices.Contains(last.PolicyFlags, trace.FlagReconciled) || last.Undo == nil {
		t.Errorf("step = %+v", last)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
