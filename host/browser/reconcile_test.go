//go:build unix

package browser_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/browser/transfer"
	"errand/host/tool"
)

// TestReconcileDownload checks that an interrupted download is found by the mark of its file,
// whatever its name is now.
func TestReconcileDownload(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	x, _ := d.set.Get("browser.download")
	look := func(key string, args map[string]any) tool.Reconciled {
		t.Helper()
		found, err := x.(tool.Reconciler).Reconcile(t.Context(), tool.Call{Args: args, Key: key})
		must.Succeed(t, err)
		return found
	}
	args := map[string]any{"url": "https://a.example/plain.txt"}
	if found := look("k1", args); found.Effect != tool.Released {
		t.Errorf("before there is a folder: %s", found.Effect)
	}
	var results []tool.Result
	for _, key := range []string{"k1", "k2"} { // two calls, two files of one name
		r, err := x.Call(t.Context(), tool.Call{Args: args, Key: key})
		if err != nil || !r.OK {
			t.Fatalf("%+v, %v", r.Error, err)
		}
		delete(r.Payload.(map[string]any), "media_type") // known only to the server
		results = append(results, r)
	}
	if !keepsMarks(t, d.root) { // then its call can't be determined
		if found := look("k1", args); found.Effect != tool.Unknown {
			t.Errorf("without marks: %s", found.Effect)
		}
		return
	}
	for i, key := range []string{"k1", "k2"} {
		found := look(key, args)
		if diff := cmp.Diff(results[i], found.Result); found.Effect != tool.Committed || diff != "" {
			t.Errorf("%s: %s (-called +found):\n%s", key, found.Effect, diff)
		}
	}
	must.Succeed(t, os.Rename(filepath.Join(d.root, "plain (2).txt"), filepath.Join(d.root, "mine.txt")))
	if found := look("k2", args); found.Effect != tool.Committed || found.Result.Payload.(map[string]any)["name"] != "mine.txt" {
		t.Errorf("renamed: %+v", found)
	}
	if found := look("k3", args); found.Effect != tool.Released {
		t.Errorf("a call that was never made: %s", found.Effect)
	}
	if found := look("", args); found.Effect != tool.Unknown {
		t.Errorf("a call without a key: %s", found.Effect)
	}
	if _, err := x.(tool.Reconciler).Reconcile(t.Context(), tool.Call{Args: map[string]any{"url": "https://a.example/x", "path": "/etc/"}, Key: "k1"}); err == nil {
		t.Error("a folder that is not granted was looked into")
	}
	if up, _ := d.set.Get("browser.upload"); up != nil {
		if _, can := up.(tool.Reconciler); can {
			t.Error("nobody can tell what came of an upload")
		}
	}
}

// keepsMarks reports whether a folder's file system stores marks.
func keepsMarks(t *testing.T, folder string) bool {
	t.Helper()
	f, err := os.Open(folder)
	must.Succeed(t, err)
	defer f.Close()
	_, kept := transfer.ReadMark(f, transfer.KeyMark)
	return kept
}
