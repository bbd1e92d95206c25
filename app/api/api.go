// Package api is the local interface for other programs: jobs over HTTP, as openapi.json describes
// them. `errand serve --api` has it beside the page. Each request shows a token.
package api

import (
	"context"
	_ "embed"
	"encoding/json"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"errand/app/jobs"
	host "errand/host/jobs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Document describes the interface in OpenAPI 3.0.
//
//go:embed openapi.json
var Document []byte

// Service does what the routes ask for.
type Service interface {
	FindToken(ctx context.Context, secret string) (host.Token, bool, error)
	Create(ctx context.Context, t host.Token, r jobs.Request) (jobs.View, error)
	Job(ctx context.Context, id string) (jobs.View, error)
	Jobs(ctx context.Context, q host.Query) ([]jobs.View, error)
	Cancel(ctx context.Context, id string) (jobs.View, error)
	Steps(ctx context.Context, id string, skip int) ([]trace.Step, error)
}

// API has the handlers of the routes.
type API struct {
	Service Service
	Text    func(message.Message) string // writes messages for clients
	Log     *slog.Logger                 // gets no secrets

	streams limiter
}

// Route is a pattern of [http.ServeMux] and its handler.
type Route struct {
	Pattern string
	Handler http.Handler
}

// Routes lists the routes.
func (a *API) Routes() []Route {
	return []Route{
		a.route("POST /api/wraith", host.ScopeRun, a.wraith),
		a.route("POST /api/jobs/create", host.ScopeRun, a.create),
		a.route("GET /api/jobs", "", a.list),
		a.route("GET /api/jobs/{id}", "", a.get),
		a.route("GET /api/jobs/{id}/result", "", a.result),
		a.route("GET /api/jobs/{id}/events", "", a.events),
		a.route("POST /api/jobs/{id}/cancel", host.ScopeRun, a.cancel),
		a.route("GET /api/sessions/{id}/status", "", a.session),
		a.route("GET /api/openapi.json", "", func(w http.ResponseWriter, _ *http.Request, _ host.Token) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(Document)
		}),
	}
}

// route makes the route of a handler for tokens with a scope; empty: with any.
func (a *API) route(pattern string, scope host.Scope, handle func(http.ResponseWriter, *http.Request, host.Token)) Route {
	return Route{pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				a.Log.Error("panic", "route", pattern, "panic", p, "stack", string(debug.Stack()))
				a.fail(w, tool.NewError(tool.ExecutionError, "panic", message.New("web.panic", "method", pattern)))
			}
		}()
		secret, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !found || secret == "" {
			a.refuse(w, http.StatusUnauthorized, "no_token", message.New("api.no_token"))
			return
		}
		t, ok, err := a.Service.FindToken(r.Context(), secret)
		switch {
		case err != nil:
			a.fail(w, err)
		case !ok:
			a.refuse(w, http.StatusUnauthorized, "bad_token", message.New("api.bad_token"))
		case scope != "" && !t.Allows(scope):
			a.refuse(w, http.StatusForbidden, "scope_missing", message.New("api.scope_missing", "scope", string(scope)))
		default:
			handle(w, r, t)
		}
	})}
}

// visible returns a job that the token may read. To a token without the scope read, jobs of others
// don't exist.
func (a *API) visible(w http.ResponseWriter, r *http.Request, t host.Token) (jobs.View, bool) {
	v, err := a.Service.Job(r.Context(), r.PathValue("id"))
	if err == nil && !t.Allows(host.ScopeRead) && v.TokenID != t.ID {
		err = host.NotFound(r.PathValue("id"))
	}
	if err != nil {
		a.fail(w, err)
		return v, false
	}
	return v, true
}

func (a *API) get(w http.ResponseWriter, r *http.Request, t host.Token) {
	if v, ok := a.visible(w, r, t); ok {
		answer(w, http.StatusOK, a.jobOf(v))
	}
}

func (a *API) cancel(w http.ResponseWriter, r *http.Request, t host.Token) {
	v, ok := a.visible(w, r, t)
	if !ok {
		return
	}
	if v.TokenID != t.ID { // to read it is not to end it
		a.refuse(w, http.StatusForbidden, "other_token", message.New("api.other_token"))
		return
	}
	v, err := a.Service.Cancel(r.Context(), v.ID)
	if err != nil {
		a.fail(w, err)
		return
	}
	answer(w, http.StatusAccepted, a.jobOf(v))
}

func (a *API) result(w http.ResponseWriter, r *http.Request, t host.Token) {
	v, ok := a.visible(w, r, t)
	if !ok {
		return
	}
	if !v.Status.IsFinal() {
		a.fail(w, tool.NewError(tool.ValidationError, codeNotEnded, message.New("api.not_ended", "job", v.ID, "status", string(v.Status))))
		return
	}
	steps, err := a.Service.Steps(r.Context(), v.ID, 0)
	if err != nil {
		a.fail(w, err)
		return
	}
	out := resultBody{Job: a.jobOf(v), Steps: []stepBody{}}
	for _, s := range steps {
		out.Steps = append(out.Steps, a.stepOf(s))
	}
	answer(w, http.StatusOK, out)
}

// answer responds with a JSON document.
func answer(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":{"class":"execution_error","code":"bad_answer","message":"cannot encode the answer as JSON"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}
