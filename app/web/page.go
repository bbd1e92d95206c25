package web

import (
	"io/fs"
	"net/http"
	"path"
	"strings"

	"errand/planner/message"
)

// serveFile responds with a file of the page. Names of files in assets/ contain a hash of
// the content, so browsers may cache them for ever.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.refuse(w, http.StatusMethodNotAllowed, "bad_method", message.New("web.bad_method", "method", r.Method))
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	if info, err := fs.Stat(s.page, name); err != nil || info.IsDir() {
		s.refuse(w, http.StatusNotFound, "no_file", message.New("web.no_file", "path", r.URL.Path))
		return
	}
	if strings.HasPrefix(name, "assets/") {
		w.Header().Set("Cache-Control", "max-age=31536000, immutable")
	}
	http.ServeFileFS(w, r, s.page, name)
}
