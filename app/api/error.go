package api

import (
	"net/http"
	"strconv"

	"errand/app/agent"
	host "errand/host/jobs"
	"errand/host/tool"
	"errand/planner/message"
)

// Codes of errors.
const (
	codeNotEnded  = "job_not_ended"
	codeNoSession = "session_not_found"
)

// statusOf returns the HTTP status for an error. Only errors of the program itself are 500.
func statusOf(e *tool.Error) int {
	switch e.Code {
	case host.CodeNotFound, codeNoSession:
		return http.StatusNotFound
	case host.CodeKeyReused, host.CodeEnded, codeNotEnded, agent.CodeDisabled:
		return http.StatusConflict
	case host.CodeQueueFull:
		return http.StatusTooManyRequests
	}
	switch e.Class {
	case tool.ValidationError:
		return http.StatusBadRequest
	case tool.PolicyDenied:
		return http.StatusForbidden
	case tool.ToolUnavailable, tool.ToolTimeout:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// fail responds with an error.
func (a *API) fail(w http.ResponseWriter, err error) { a.failAs(w, statusOf(tool.AsError(err)), err) }

func (a *API) failAs(w http.ResponseWriter, status int, err error) {
	e := tool.AsError(err)
	if e.RetryAfterMS > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt((e.RetryAfterMS+999)/1000, 10))
	}
	answer(w, status, map[string]any{"error": a.errorOf(e)})
}

// refuse responds with an error of the request itself.
func (a *API) refuse(w http.ResponseWriter, status int, code string, m message.Message) {
	e := tool.NewError(tool.ValidationError, code, m)
	switch status {
	case http.StatusUnauthorized:
		e = tool.NewError(tool.PolicyDenied, code, m).WithHint(message.New("api.token_hint"))
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.Header().Set("Connection", "close") // who may not ask holds no connection
	case http.StatusForbidden:
		e = tool.NewError(tool.PolicyDenied, code, m)
	}
	a.failAs(w, status, e)
}
