package desktop

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"errand/host/tool"
	"errand/host/trace"
)

func TestArtifacts(t *testing.T) {
	data, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(data, "artifacts", "a.png"), "png")
	write(t, filepath.Join(data, "unrecorded.png"), "png")
	write(t, filepath.Join(outside, "secret.png"), "secret")
	if err := os.Symlink(filepath.Join(outside, "secret.png"), filepath.Join(data, "link.png")); err != nil {
		t.Fatal(err)
	}
	picture := func(name, mediaType, path string) tool.Artifact {
		return tool.Artifact{Name: name, MediaType: mediaType, Path: path}
	}
	from := &fakeEngine{records: map[string]trace.Record{runID: {
		Run: trace.Run{RunID: runID},
		Steps: []trace.Step{{StepID: "a1", Artifacts: []tool.Artifact{
			picture("relative.png", "image/png", "artifacts/a.png"),
			picture("absolute.png", "image/png", filepath.Join(data, "artifacts", "a.png")),
			picture("page.svg", "image/svg+xml", "artifacts/a.png"),
			picture("page.html", "text/html", "artifacts/a.png"),
			picture("outside.png", "image/png", filepath.Join(outside, "secret.png")),
			picture("climbs.png", "image/png", "../"+filepath.Base(outside)+"/secret.png"),
			picture("link.png", "image/png", "link.png"),
			picture("folder.png", "image/png", "artifacts"),
			picture("gone.png", "image/png", "artifacts/gone.png"),
			picture("unstored.png", "image/png", ""),
		}}},
	}}}
	tests := []struct {
		name   string
		method string
		path   string
		want   int
	}{
		{"relative path", "GET", artifactURL(runID, "a1", "relative.png"), http.StatusOK},
		{"absolute path", "GET", artifactURL(runID, "a1", "absolute.png"), http.StatusOK},
		{"can carry script", "GET", artifactURL(runID, "a1", "page.svg"), http.StatusNotFound},
		{"a page", "GET", artifactURL(runID, "a1", "page.html"), http.StatusNotFound},
		{"outside the data folder", "GET", artifactURL(runID, "a1", "outside.png"), http.StatusNotFound},
		{"climbs out", "GET", artifactURL(runID, "a1", "climbs.png"), http.StatusNotFound},
		{"a link leads out", "GET", artifactURL(runID, "a1", "link.png"), http.StatusNotFound},
		{"a folder", "GET", artifactURL(runID, "a1", "folder.png"), http.StatusNotFound},
		{"gone", "GET", artifactURL(runID, "a1", "gone.png"), http.StatusNotFound},
		{"never stored", "GET", artifactURL(runID, "a1", "unstored.png"), http.StatusNotFound},
		{"a file that no record knows", "GET", artifactURL(runID, "a1", "unrecorded.png"), http.StatusNotFound},
		{"another step", "GET", artifactURL(runID, "a2", "relative.png"), http.StatusNotFound},
		{"a run's beginning", "GET", artifactURL(runID[:8], "a1", "relative.png"), http.StatusNotFound},
		{"no run", "GET", artifactURL("x", "a1", "relative.png"), http.StatusNotFound},
		{"escaped climb", "GET", "/artifacts/" + runID + "/a1/..%2f..%2funrecorded.png", http.StatusNotFound},
		{"elsewhere", "GET", "/wails/x", http.StatusNotFound},
		{"not a read", "POST", artifactURL(runID, "a1", "relative.png"), http.StatusMethodNotAllowed},
	}
	h := Artifacts(from, data)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
			if w.Code != tt.want {
				t.Errorf("%s = %d %q, want %d", tt.path, w.Code, w.Body, tt.want)
			}
			if w.Code == http.StatusOK && (w.Body.String() != "png" || w.Header().Get("X-Content-Type-Options") != "nosniff") {
				t.Errorf("served %q with %v", w.Body, w.Header())
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
