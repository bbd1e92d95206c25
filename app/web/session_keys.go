package web

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
	"sync"

	"errand/host/tool"
	"errand/planner/message"
)

// sessionKeys authenticate clients of the API. The token creates sessions. Each session has one
// key for calls, and one for events and pictures, which browsers open by URL alone.
type sessionKeys struct {
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

func newSessionKeys() *sessionKeys { return &sessionKeys{token: rand.Text()} }

// add creates a session.
func (k *sessionKeys) add() session {
	s := session{rand.Text(), rand.Text()}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sessions = append(k.sessions, s)
	k.sessions = k.sessions[max(0, len(k.sessions)-maxSessions):]
	return s
}

// has reports whether a session has the given key.
func (k *sessionKeys) has(secret string, of func(session) string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.ContainsFunc(k.sessions, func(s session) bool { return equal(of(s), secret) })
}

// mayCall reports whether the request has a key for calls.
func (k *sessionKeys) mayCall(r *http.Request) bool {
	secret, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return found && k.has(secret, func(s session) string { return s.Call })
}

// mayView reports whether the URL has a key for events and pictures.
func (k *sessionKeys) mayView(r *http.Request) bool {
	return k.has(r.URL.Query().Get("key"), func(s session) string { return s.View })
}

// equal compares keys in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// session handles POST /api/session: it exchanges the token for the keys of a new session.
func (s *Server) session(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Token string `json:"token"`
	}
	if !s.readJSON(w, r, &body) {
		return
	}
	if !equal(body.Token, s.keys.token) {
		s.refuse(w, http.StatusUnauthorized, "no_session", message.New("web.other_token"))
		return
	}
	answer(w, http.StatusOK, s.keys.add())
}

// requireKey calls next only for requests with a valid key.
func (s *Server) requireKey(may func(*http.Request) bool, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !may(r) {
			s.refuse(w, http.StatusUnauthorized, "no_session", message.New("web.no_session"))
			return
		}
		next(w, r)
	}
}

// refuse responds with an error of the server itself.
func (s *Server) refuse(w http.ResponseWriter, status int, code string, m message.Message) {
	e := tool.NewError(tool.PolicyDenied, code, m)
	if code == "no_session" {
		e = e.WithHint(message.New("web.no_session_hint"))
	}
	w.Header().Set("Connection", "close") // who may not ask holds no connection
	answer(w, status, map[string]any{"error": s.life.Format(e)})
}
