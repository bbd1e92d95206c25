package desktop

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"errand/app/desktop/view"
	"errand/host/tool"
	"errand/host/trace"
)

func TestArtifacts(t *testing.T) {
	picture := func(name, mediaType, key string) tool.Artifact {
		return tool.Artifact{Name: name, MediaType: mediaType, SHA256: key}
	}
	from := &fakeEngine{artifacts: map[string]string{"k1": "png", "k2": "unrecorded"}, records: map[string]trace.Record{runID: {
		Run: trace.Run{RunID: runID},
		Steps: []trace.Step{{StepID: "a1", Artifacts: []tool.Artifact{
			picture("a.png", "image/png", "k1"),
			picture("page.svg", "image/svg+xml", "k1"),
			picture("page.html", "text/html", "k1"),
			picture("gone.png", "image/png", "gone"),
			picture("unstored.png", "image/png", ""),
		}}},
	}}}
	tests := []struct {
		name   string
		method string
		path   string
		want   int
	}{
		{"a picture", "GET", view.ArtifactURL(runID, "a1", "a.png"), http.StatusOK},
		{"can carry script", "GET", view.ArtifactURL(runID, "a1", "page.svg"), http.StatusNotFound},
		{"a page", "GET", view.ArtifactURL(runID, "a1", "page.html"), http.StatusNotFound},
		{"gone", "GET", view.ArtifactURL(runID, "a1", "gone.png"), http.StatusNotFound},
		{"never stored", "GET", view.ArtifactURL(runID, "a1", "unstored.png"), http.StatusNotFound},
		{"a file that no record knows", "GET", view.ArtifactURL(runID, "a1", "k2"), http.StatusNotFound},
		{"another step", "GET", view.ArtifactURL(runID, "a2", "a.png"), http.StatusNotFound},
		{"a run's beginning", "GET", view.ArtifactURL(runID[:8], "a1", "a.png"), http.StatusNotFound},
		{"no run", "GET", view.ArtifactURL("x", "a1", "a.png"), http.StatusNotFound},
		{"escaped climb", "GET", "/artifacts/" + runID + "/a1/..%2f..%2funrecorded.png", http.StatusNotFound},
		{"elsewhere", "GET", "/wails/x", http.StatusNotFound},
		{"not a read", "POST", view.ArtifactURL(runID, "a1", "a.png"), http.StatusMethodNotAllowed},
	}
	h := Artifacts(from)
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
