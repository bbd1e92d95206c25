package desktop

import (
	"context"
	"io"
	"io/fs"
	"net/http"

	"errand/app/desktop/view"
	"errand/host/trace"
)

// records finds runs by their ids, and opens the artifacts of their steps by key.
type records interface {
	Record(ctx context.Context, id string) (trace.Record, error)
	OpenArtifact(ctx context.Context, key string) (io.ReadCloser, error)
}

// Artifacts serves the pictures of the runs; see [Artifacts].
func (l *Life) Artifacts() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		engine, ctx, cancel, err := l.api.program(askTimeout)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer cancel()
		Artifacts(engine).ServeHTTP(w, r.WithContext(ctx))
	})
}

// Artifacts serves the pictures of runs at /artifacts/<run>/<step>/<name>. It serves
// only what a record names and the store has.
func Artifacts(from records) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /artifacts/{run}/{step}/{name}", func(w http.ResponseWriter, r *http.Request) {
		a, err := find(r.Context(), from, r.PathValue("run"), r.PathValue("step"), r.PathValue("name"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		f, err := from.OpenArtifact(r.Context(), a.key)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		h := w.Header()
		h.Set("Content-Type", a.mediaType)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'")
		h.Set("Cache-Control", "max-age=86400, immutable") // a record never changes
		_, _ = io.Copy(w, f)
	})
	return mux
}

type picture struct{ key, mediaType string }

func find(ctx context.Context, from records, run, step, name string) (picture, error) {
	rec, err := from.Record(ctx, run)
	if err != nil {
		return picture{}, err
	}
	if rec.RunID != run { // found by a prefix; an address needs the whole id
		return picture{}, fs.ErrNotExist
	}
	for _, s := range rec.Steps {
		if s.StepID != step {
			continue
		}
		for _, a := range s.Artifacts {
			if a.Name == name && view.PictureTypes[a.MediaType] {
				return picture{a.SHA256, a.MediaType}, nil
			}
		}
	}
	return picture{}, fs.ErrNotExist
}
