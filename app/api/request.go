package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"errand/app/jobs"
	host "errand/host/jobs"
	"errand/host/tool"
	"errand/planner/message"
)

const (
	maxBody  = 1 << 20
	maxPage  = 100
	pageSize = 20
)

// inputBody are the fields that both ways to create a job have.
type inputBody struct {
	CallbackURL   string   `json:"callback_url"`
	MaxSteps      int      `json:"max_steps"`
	MaxWallTimeMS int64    `json:"max_wall_time_ms"`
	AllowedTools  []string `json:"allowed_tools"`

	// Of an agent_run. Nil: the default, which a goal_run lacks.
	MaxURLs        *int     `json:"max_urls"`
	JavaScript     *bool    `json:"javascript"`
	Screenshot     *bool    `json:"screenshot"`
	AllowedDomains []string `json:"allowed_domains"`
}

// defaultURLs is the number of pages that a task may open or fetch.
const defaultURLs = 10

func (in inputBody) request(t host.Type, words, session string, r *http.Request) jobs.Request {
	input := jobs.Input{Words: words, MaxSteps: in.MaxSteps, MaxWallTimeMS: in.MaxWallTimeMS, Tools: in.AllowedTools, Domains: in.AllowedDomains}
	if t == host.AgentRun {
		input.MaxURLs, input.NoPictures = defaultURLs, true
	}
	if in.MaxURLs != nil {
		if input.MaxURLs = *in.MaxURLs; input.MaxURLs == 0 {
			input.MaxURLs = -1 // 0 would mean any number
		}
	}
	if in.JavaScript != nil {
		input.NoBrowser = !*in.JavaScript
	}
	if in.Screenshot != nil {
		input.NoPictures = !*in.Screenshot
	}
	return jobs.Request{Type: t, SessionID: session, CallbackURL: in.CallbackURL, Key: r.Header.Get("Idempotency-Key"), Input: input}
}

// check refuses empty lists: they would not mean all.
func (in inputBody) check() error {
	for field, list := range map[string][]string{"allowed_tools": in.AllowedTools, "allowed_domains": in.AllowedDomains} {
		if list != nil && len(list) == 0 {
			return tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.empty_list", "field", field))
		}
	}
	return nil
}

// wraith handles POST /api/wraith: a task for a language model.
func (a *API) wraith(w http.ResponseWriter, r *http.Request, t host.Token) {
	var body struct {
		Prompt    string `json:"prompt"`
		Task      string `json:"task"`
		SessionID string `json:"session_id"`
		inputBody
	}
	if !a.readJSON(w, r, &body) {
		return
	}
	if err := body.check(); err != nil {
		a.fail(w, err)
		return
	}
	if body.Prompt != "" && body.Task != "" && body.Prompt != body.Task {
		a.fail(w, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.two_tasks")))
		return
	}
	a.accept(w, r, t, body.request(host.AgentRun, cmp.Or(body.Prompt, body.Task), body.SessionID, r))
}

// create handles POST /api/jobs/create.
func (a *API) create(w http.ResponseWriter, r *http.Request, t host.Token) {
	var body struct {
		SessionID string    `json:"session_id"`
		JobType   host.Type `json:"job_type"`
		InputData struct {
			Goal string `json:"goal"`
			Task string `json:"task"`
			inputBody
		} `json:"input_data"`
	}
	if !a.readJSON(w, r, &body) {
		return
	}
	in := body.InputData
	if err := in.check(); err != nil {
		a.fail(w, err)
		return
	}
	words, other := in.Goal, in.Task
	if body.JobType == host.AgentRun {
		words, other = in.Task, in.Goal
	}
	switch {
	case body.SessionID == "":
		a.fail(w, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.field_missing", "field", "session_id")))
	case other != "":
		a.fail(w, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.two_tasks")))
	default:
		a.accept(w, r, t, in.request(body.JobType, words, body.SessionID, r))
	}
}

func (a *API) accept(w http.ResponseWriter, r *http.Request, t host.Token, want jobs.Request) {
	v, err := a.Service.Create(r.Context(), t, want)
	if err != nil {
		a.fail(w, err)
		return
	}
	answer(w, http.StatusAccepted, acceptedBody{v.ID, v.SessionID, a.Text(message.New("api.accepted", "job", v.ID))})
}

// list handles GET /api/jobs.
func (a *API) list(w http.ResponseWriter, r *http.Request, t host.Token) {
	q, err := listParameters(r.URL)
	if err != nil {
		a.fail(w, err)
		return
	}
	want := host.Query{SessionID: q.Get("session_id"), Status: host.Status(q.Get("status")), After: q.Get("after"), Limit: pageSize}
	if want.Status != "" && !slices.Contains(host.Statuses(), want.Status) {
		a.fail(w, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.unknown_status", "status", string(want.Status), "known", host.Statuses())))
		return
	}
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxPage {
			a.fail(w, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("jobs.bad_field", "field", "limit", "limit", maxPage)))
			return
		}
		want.Limit = n
	}
	if !t.Allows(host.ScopeRead) {
		want.TokenID = t.ID
	}
	views, err := a.Service.Jobs(r.Context(), want)
	if err != nil {
		a.fail(w, err)
		return
	}
	out := listBody{Jobs: []jobBody{}}
	for _, v := range views {
		out.Jobs = append(out.Jobs, a.jobOf(v))
	}
	if len(views) == want.Limit {
		out.Next = views[len(views)-1].ID
	}
	answer(w, http.StatusOK, out)
}

// listParameters returns the parameters of a request for a list. An unknown one is an error: a typo must not
// lose a filter.
func listParameters(u *url.URL) (url.Values, error) {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.bad_query"))
	}
	known := []string{"session_id", "status", "after", "limit"}
	for _, name := range slices.Sorted(maps.Keys(q)) {
		switch {
		case !slices.Contains(known, name):
			return nil, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.unknown_parameter", "name", name, "known", known))
		case len(q[name]) > 1:
			return nil, tool.NewError(tool.ValidationError, jobs.CodeBadRequest, message.New("api.parameter_twice", "name", name))
		}
	}
	return q, nil
}

// session handles GET /api/sessions/{id}/status. The session is where its newest job is.
func (a *API) session(w http.ResponseWriter, r *http.Request, t host.Token) {
	want := host.Query{SessionID: r.PathValue("id"), Limit: 1}
	if !t.Allows(host.ScopeRead) {
		want.TokenID = t.ID
	}
	views, err := a.Service.Jobs(r.Context(), want)
	if err != nil {
		a.fail(w, err)
		return
	}
	if len(views) == 0 {
		a.fail(w, tool.NewError(tool.ValidationError, codeNoSession, message.New("api.no_session", "session", want.SessionID)))
		return
	}
	v := a.jobOf(views[0])
	stage := stageBody{Status: "processing", IsRunning: v.Status == host.Running, JobID: v.JobID, RunID: v.RunID, StopReason: v.StopReason, Steps: v.Steps, WallTimeMS: v.WallTimeMS}
	switch v.Status {
	case host.Done:
		stage.Status = "complete"
	case host.Failed, host.Cancelled:
		stage.Status = "failed"
	}
	name := "agent"
	if v.JobType == host.GoalRun {
		name = "goal"
	}
	updated := slices.MaxFunc([]time.Time{v.CreatedAt, v.StartedAt, v.EndedAt}, time.Time.Compare)
	answer(w, http.StatusOK, sessionBody{v.SessionID, map[string]stageBody{name: stage}, updated})
}

// readJSON decodes the request body, or responds with an error. An unknown field is an error: a typo
// must not lose a limit.
func (a *API) readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		a.refuse(w, http.StatusUnsupportedMediaType, "no_json", message.New("api.not_json"))
		return false
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		a.refuse(w, http.StatusRequestEntityTooLarge, "too_large", message.New("api.too_large", "limit", maxBody))
		return false
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		if err = d.Decode(into); err == nil && d.More() {
			err = message.Error("api.more_than_one")
		}
	}
	if err != nil {
		a.refuse(w, http.StatusBadRequest, "bad_json", message.New("api.bad_json", "cause", explainJSON(b, err)))
		return false
	}
	return true
}
