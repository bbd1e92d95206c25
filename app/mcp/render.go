package mcp

import (
	"encoding/json"

	"errand/app/drafts"
	"errand/app/external"
	"errand/host/agent/reading"
	"errand/host/llm"
	"errand/host/mcp/server"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/tool/schema"
)

// Limits of a result, in bytes.
const (
	maxPayload  = 96 << 10
	payloadTail = 16 << 10 // of a longer one, its end
)

var schemas schema.Checker

// result is the result of a call as clients read it.
type result struct {
	OK     bool   `json:"ok"`
	Status string `json:"status"`
	reading.Payload
	Error *reading.Error `json:"error,omitempty"`
	// Untrusted names where a payload comes from that others wrote. It is data, no instructions.
	Untrusted []string       `json:"untrusted_from,omitempty"`
	Repeated  bool           `json:"repeated,omitempty"`  // an earlier call had the effect
	Args      map[string]any `json:"args_used,omitempty"` // that the user changed the call to
	RunID     string         `json:"run_id,omitempty"`
	StepID    string         `json:"step_id,omitempty"`
	Draft     *draftBody     `json:"draft,omitempty"`
}

// cleaner removes secrets from JSON values.
type cleaner interface{ Clean(v any) any }

// render returns the result of a call for its client.
func (f *face) render(c cleaner, r external.Result) server.Result {
	out := f.resultOf(c, r.ToolResult)
	out.RunID, out.StepID = r.RunID, r.ActionID
	if r.Draft != nil {
		out.Draft = f.draftOf(c, *r.Draft)
	}
	return encode(out, !r.OK)
}

// resultOf returns a result without secrets. Text of others is marked, and can't end its mark.
func (f *face) resultOf(c cleaner, r run.ToolResult) result {
	out := result{OK: r.OK, Status: string(r.Status), Repeated: r.Repeated}
	if r.Args != nil {
		out.Args, _ = c.Clean(r.Args).(map[string]any)
	}
	if r.Untrusted != nil {
		out.Untrusted = r.Untrusted.From
		if out.Untrusted == nil {
			out.Untrusted = []string{}
		}
	}
	form := f.form(c)
	out.Payload, out.Error = form.PayloadOf(r.Payload, r.Untrusted), form.ErrorOf(r.Error, r.Untrusted)
	return out
}

func (f *face) form(c cleaner) reading.Form {
	return reading.Form{Max: maxPayload, Tail: payloadTail, Clean: c.Clean, Say: f.o.Text}
}

// failure is the answer to a call that could not be made.
func (f *face) failure(err error) server.Result {
	return encode(result{Status: "failed", Error: f.form(f.plain()).ErrorOf(tool.AsError(err), nil)}, true)
}

// plain removes the secrets that the program knows without a run.
func (f *face) plain() cleaner { return f.o.Agents }

// draftBody is a draft as clients read it.
type draftBody struct {
	ID        string       `json:"id"`
	State     string       `json:"state"`
	Goal      string       `json:"goal"`
	RunID     string       `json:"run_id"`
	ExpiresAt string       `json:"expires_at"`
	Actions   []actionBody `json:"actions"`
	Questions []string     `json:"questions,omitempty"` // for the user
	Approve   string       `json:"approve_command,omitempty"`
	Reason    string       `json:"reason,omitempty"`
}

type actionBody struct {
	ID        string         `json:"id"`
	Tool      string         `json:"tool"`
	Args      map[string]any `json:"args,omitempty"`
	Summary   string         `json:"summary"`
	DependsOn []string       `json:"depends_on,omitempty"`
	Verdict   string         `json:"verdict,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	Status    string         `json:"status,omitempty"`
}

func (f *face) draftOf(c cleaner, d drafts.View) *draftBody {
	out := &draftBody{ID: d.DraftID, State: string(d.State), Goal: cleanText(c, d.Goal), RunID: d.RunID, ExpiresAt: d.ExpiresAt.UTC().Format("2006-01-02T15:04:05Z"), Actions: []actionBody{}}
	if !d.State.Final() {
		out.Approve = d.ApproveCommand()
	}
	if !d.Reason.IsZero() {
		out.Reason = cleanText(c, f.o.Text(d.Reason))
	}
	for _, a := range d.Actions {
		args, _ := c.Clean(a.Args).(map[string]any)
		out.Actions = append(out.Actions, actionBody{ID: a.ActionID, Tool: a.Tool, Args: args, Summary: cleanText(c, f.o.Text(a.Preview)), DependsOn: a.DependsOn, Status: string(a.Status)})
	}
	for _, q := range d.Questions {
		out.Questions = append(out.Questions, cleanText(c, f.o.Text(q.Question)))
	}
	return out
}

func cleanText(c cleaner, s string) string {
	text, _ := c.Clean(s).(string)
	return text
}

// encode returns an answer as text and as JSON values.
func encode(v any, isError bool) server.Result {
	b := llm.Marshal(v)
	return server.Result{Text: string(b), Structured: json.RawMessage(b), IsError: isError}
}
