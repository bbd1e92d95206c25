package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"errand/host/tool"
	"errand/planner/message"
)

// keys authenticate clients of the API. The token creates sessions. Each session has one
// key for calls, and one for events and pictures, which browsers open by URL alone.
type keys struct {
	token string

	mu       sync.Mutex
	sessions []session // the newest is last
}

type session struct {
	Call string `json:"call"`
	View string `json:"view"`
}

// maxSessions limits the number of sessions. A new session replaces the oldest one.
const maxSessions = 64

func newKeys() *keys { return &keys{token: rand.Text()} }

func (k *keys) begin() session {
	s := session{rand.Text(), rand.Text()}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sessions = append(k.sessions, s)
	k.sessions = k.sessions[max(0, len(k.sessions)-maxSessions):]
	return s
}

func (k *keys) has(given string, of func(session) string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.ContainsFunc(k.sessions, func(s session) bool { return same(of(s), given) })
}

func (k *keys) mayCall(r *http.Request) bool {
	given, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return found && k.has(given, func(s session) string { return s.Call })
}

func (k *keys) mayView(r *http.Request) bool {
	return k.has(r.URL.Query().Get("key"), func(s session) string { return s.View })
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// session exchanges the token for keys.
func (s *Server) session(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Token string `json:"token"`
	}
	if !s.readJSON(w, r, &body) {
		return
	}
	if !same(body.Token, s.keys.token) {
		s.refuse(w, http.StatusUnauthorized, "no_session", message.New("web.other_token"))
		return
	}
	answer(w, http.StatusOK, s.keys.begin())
}

// keyed calls next only for requests with a valid key.
func (s *Server) keyed(may func(*http.Request) bool, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !may(r) {
			s.refuse(w, http.StatusUnauthorized, "no_session", message.New("web.no_session"))
			return
		}
		next(w, r)
	}
}

// refuse responds with a Failure that the server itself produced.
func (s *Server) refuse(w http.ResponseWriter, status int, code string, m message.Message) {
	e := tool.NewError(tool.PolicyDenied, code, m)
	if code == "no_session" {
		e = e.WithHint(message.New("web.no_session_hint"))
	}
	answer(w, status, map[string]any{"error": s.life.Format(e)})
}

func answer(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":{"class":"execution_error","code":"bad_answer","message":"the answer is no JSON","hint":"","retriable":false}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}
