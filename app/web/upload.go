package web

import (
	"net/http"

	"errand/app/desktop"
	"errand/app/desktop/view"
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
		answer(w, uploadStatus(err), map[string]any{"error": s.life.Format(err)})
		return
	}
	answer(w, http.StatusOK, map[string]any{"result": path})
}

// uploadStatus returns the HTTP status for an error of an upload: what was sent may be
// wrong, too large or incomplete.
func uploadStatus(err error) int {
	switch view.FailureOf(err).Code {
	case desktop.CodeUploadLarge:
		return http.StatusRequestEntityTooLarge
	case desktop.CodeUploadName, desktop.CodeUploadCut:
		return http.StatusBadRequest
	}
	return statusOf(err)
}
