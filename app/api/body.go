package api

import (
	"encoding/json"
	"time"

	"errand/app/jobs"
	host "errand/host/jobs"
	"errand/host/tool"
	"errand/host/trace"
)

// jobBody is a job in answers.
type jobBody struct {
	JobID       string           `json:"job_id"`
	SessionID   string           `json:"session_id"`
	JobType     host.Type        `json:"job_type"`
	Status      host.Status      `json:"status"`
	RunID       string           `json:"run_id,omitempty"`
	State       string           `json:"state,omitempty"`
	StopReason  string           `json:"stop_reason,omitempty"`
	Transitions []transitionBody `json:"transitions"`
	DraftID     string           `json:"draft_id,omitempty"`
	Answer      string           `json:"answer,omitempty"`
	Steps       int              `json:"steps"`
	Failures    int              `json:"failures"`
	WallTimeMS  int64            `json:"wall_time_ms"`
	Error       *errorBody       `json:"error,omitempty"`
	Callback    *host.Delivery   `json:"callback,omitempty"`
	CreatedAt   time.Time        `json:"created_at"`
	StartedAt   time.Time        `json:"started_at,omitzero"`
	EndedAt     time.Time        `json:"ended_at,omitzero"`
}

type transitionBody struct {
	State string    `json:"state"`
	At    time.Time `json:"at"`
}

// errorBody is an error in answers.
type errorBody struct {
	Class        string `json:"class"`
	Code         string `json:"code"`
	Message      string `json:"message"`
	Hint         string `json:"hint,omitempty"`
	RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
}

// acceptedBody is the answer to a new job.
type acceptedBody struct {
	JobID     string `json:"job_id"`
	SessionID string `json:"session_id"`
	Message   string `json:"message"`
}

type listBody struct {
	Jobs []jobBody `json:"jobs"`
	Next string    `json:"next,omitempty"` // "after" of the next page
}

// resultBody is a job that has ended, with the steps of its run.
type resultBody struct {
	Job   jobBody    `json:"job"`
	Steps []stepBody `json:"steps"`
}

type stepBody struct {
	StepID      string          `json:"step_id"`
	ToolName    string          `json:"tool_name"`
	Status      string          `json:"status"`
	ArgsHash    string          `json:"args_hash"`
	DurationMS  int64           `json:"duration_ms"`
	ErrorCode   string          `json:"error_code,omitempty"`
	PolicyFlags []string        `json:"policy_flags"`
	Payload     json.RawMessage `json:"payload,omitempty"`
}

type sessionBody struct {
	SessionID string               `json:"session_id"`
	Stages    map[string]stageBody `json:"stages"`
	UpdatedAt time.Time            `json:"updated_at"`
}

type stageBody struct {
	Status     string `json:"status"` // processing, complete or failed
	IsRunning  bool   `json:"is_running"`
	JobID      string `json:"job_id"`
	RunID      string `json:"run_id,omitempty"`
	StopReason string `json:"stop_reason,omitempty"`
	Steps      int    `json:"steps"`
	WallTimeMS int64  `json:"wall_time_ms"`
}

func (a *API) jobOf(v jobs.View) jobBody {
	o := v.Outcome
	b := jobBody{
		JobID: v.ID, SessionID: v.SessionID, JobType: v.Type, Status: v.Status, State: string(o.State), StopReason: string(o.StopReason),
		Transitions: []transitionBody{}, DraftID: o.DraftID, Answer: a.Text(o.Answer), Steps: o.Steps, Failures: o.Failures, WallTimeMS: o.WallTimeMS,
		Error: a.errorOf(o.Error), CreatedAt: v.CreatedAt, StartedAt: v.StartedAt, EndedAt: v.EndedAt,
	}
	if o.Begun {
		b.RunID = v.ID
	}
	for _, t := range o.Transitions {
		b.Transitions = append(b.Transitions, transitionBody{string(t.State), t.At})
	}
	if v.Delivery.Status != "" {
		d := v.Delivery
		b.Callback = &d
	}
	return b
}

func (a *API) errorOf(e *tool.Error) *errorBody {
	if e == nil {
		return nil
	}
	return &errorBody{string(e.Class), e.Code, a.Text(e.Message), a.Text(e.Hint), e.RetryAfterMS}
}

func (a *API) stepOf(s trace.Step) stepBody {
	b := stepBody{StepID: s.StepID, ToolName: s.ToolName, Status: string(s.Status), ArgsHash: s.ArgsHash, DurationMS: s.DurationMS, ErrorCode: s.ErrorCode, PolicyFlags: s.PolicyFlags}
	if b.PolicyFlags == nil {
		b.PolicyFlags = []string{}
	}
	if payload, err := json.Marshal(s.Payload); err == nil && s.Payload != nil {
		b.Payload = payload
	}
	return b
}
