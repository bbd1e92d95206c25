package core

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/host/browser"
	"errand/host/trace"
)

// needsBrowser answers the path of a browser, or leaves the test out where there
// is none; on the build server it fails.
func needsBrowser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	bin, _, err := browser.Find("")
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

	download := func() Report {
		t.Helper()
		_, d := waitingDraft(t, a, goal)
		last := d.Actions[len(d.Actions)-1]
		if last.Tool != "browser.download" || !last.Reversible || !strings.Contains(last.Note, "at most 200.0 MB, into "+filepath.Dir(want)) {
			t.Fatalf("draft = %+v", last)
		}
		r := approved(t, a, ApproveRequest{ID: d.DraftID})
		if r.Status != trace.Done {
			t.Fatalf("%s, %+v", r.Status, r.Error)
		}
		return r
	}
	r := download()
	if b, err := os.ReadFile(want); err != nil || string(b) != "hello" {
		t.Fatalf("%q, %v", b, err)
	}
	undo := func(r Report) Report {
		t.Helper()
		d, err := a.Undo(t.Context(), r.RunID)
		if err != nil {
			t.Fatal(err)
		}
		return approved(t, a, ApproveRequest{ID: d.DraftID})
	}
	if back := undo(r); back.Status != trace.Done || there(want) {
		t.Errorf("undo: %s, %+v; the file is there: %t", back.Status, back.Error, there(want))
	}

	r = download()
	if err := os.WriteFile(want, []byte("thesis"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Undo(t.Context(), r.RunID); err == nil {
		if back := undo(r); back.Status == trace.Done {
			t.Error("a file that was changed was taken back")
		}
	}
	if !there(want) {
		t.Error("a file that was changed is gone")
	}
}
