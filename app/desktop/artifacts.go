package desktop

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"errand/host/trace"
)

// pictures are the media types that the page may load. What can carry script,
// SVG and HTML above all, is never served: it would have the page's origin.
var pictures = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true}

func artifactURL(run, step, name string) string {
	return "/artifacts/" + url.PathEscape(run) + "/" + url.PathEscape(step) + "/" + url.PathEscape(name)
}

// records finds a run by its id.
type records interface {
	Record(ctx context.Context, id string) (trace.Record, error)
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
		Artifacts(engine, engine.Config().Paths.Data).ServeHTTP(w, r.WithContext(ctx))
	})
}

// Artifacts serves the pictures of runs at /artifacts/<run>/<step>/<name>. Only
// what a record knows and what lies under the folder data is served; the file is
// opened inside that folder, so that no link leads out of it.
func Artifacts(from records, data string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /artifacts/{run}/{step}/{name}", func(w http.ResponseWriter, r *http.Request) {
		a, err := find(r.Context(), from, r.PathValue("run"), r.PathValue("step"), r.PathValue("name"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		f, err := openInside(data, a.path)
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

type picture struct{ path, mediaType string }

func find(ctx context.Context, from records, run, step, name string) (picture, error) {
	rec, err := from.Record(ctx, run)
	if err != nil {
		return picture{}, err
	}
	if rec.RunID != run { // a prefix finds a run, and is no address
		return picture{}, fs.ErrNotExist
	}
	for _, s := range rec.Steps {
		if s.StepID != step {
			continue
		}
		for _, a := range s.Artifacts {
			if a.Name == name && a.Path != "" && pictures[a.MediaType] {
				return picture{a.Path, a.MediaType}, nil
			}
		}
	}
	return picture{}, fs.ErrNotExist
}

// openInside opens a regular file below dir; path may be absolute or relative to
// dir.
func openInside(dir, path string) (*os.File, error) {
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		path = rel
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
