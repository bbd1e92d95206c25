package web

import (
	"net/http"

	"errand/app/desktop"
	"errand/planner/message"
)

// upload handles POST /api/upload?name=…. The body is the file of a plugin. It responds
// with the path of the stored file, for ProposePlugin.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Content-Type") != "application/octet-stream" {
		s.refuse(w, http.StatusUnsupportedMediaType, "bad_body", message.New("web.bad_body"))
		return
	}
	path, err := s.life.KeepUpload(r.URL.Query().Get("name"), http.MaxBytesReader(w, r.Body, desktop.MaxUpload+1))
	if err != nil {
		answer(w, statusOf(err), map[string]any{"error": s.life.Format(err)})
		return
	}
	answer(w, http.StatusOK, map[string]any{"result": path})
}
