package mcp

import (
	"context"

	"errand/app/external"
	"errand/host/agent/reading"
	"errand/host/mcp/server"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// goalBody is a goal, a run or a draft as clients read it.
type goalBody struct {
	RunID     string         `json:"run_id,omitempty"`
	Status    string         `json:"status"`
	Answer    string         `json:"answer,omitempty"`
	Error     *reading.Error `json:"error,omitempty"`
	Plan      []actionBody   `json:"plan,omitempty"`
	Steps     []stepBody     `json:"steps,omitempty"`
	Questions []questionBody `json:"questions,omitempty"`
	Draft     *draftBody     `json:"draft,omitempty"`
}

type stepBody struct {
	ID      string `json:"id"`
	Tool    string `json:"tool"`
	Summary string `json:"summary"`
	result
}

type questionBody struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Choices  []string `json:"choices,omitempty"`
}

func (f *face) planGoal(ctx context.Context, s *external.Session, args map[string]any, _ progressFunc) server.Result {
	goal, _ := args["goal"].(string)
	g, err := s.Plan(ctx, goal)
	return f.goal(s, g, err)
}

func (f *face) runGoal(ctx context.Context, s *external.Session, args map[string]any, progress progressFunc) server.Result {
	goal, _ := args["goal"].(string)
	g, err := s.Run(ctx, goal, f.hear(progress))
	return f.goal(s, g, err)
}

func (f *face) show(ctx context.Context, s *external.Session, args map[string]any, _ progressFunc) server.Result {
	runID, _ := args["run_id"].(string)
	draftID, _ := args["draft_id"].(string)
	switch {
	case (runID == "") == (draftID == ""):
		return f.failure(tool.NewError(tool.ValidationError, "invalid_args", message.New("external.one_id")))
	case draftID != "":
		g, err := s.ShowDraft(ctx, draftID)
		return f.goal(s, g, err)
	}
	g, err := s.Show(ctx, runID)
	return f.goal(s, g, err)
}

func (f *face) drafts(ctx context.Context, s *external.Session, args map[string]any, _ progressFunc) server.Result {
	all, _ := args["all"].(bool)
	views, err := s.Drafts(ctx, all)
	if err != nil {
		return f.failure(err)
	}
	list := []*draftBody{}
	for _, d := range views {
		list = append(list, f.draftOf(s, d))
	}
	return encode(map[string]any{"drafts": list}, false)
}

// goal returns how a goal, a run or a draft stands.
func (f *face) goal(c cleaner, g external.Goal, err error) server.Result {
	if err != nil {
		return f.failure(err)
	}
	out := goalBody{RunID: g.RunID, Status: string(g.Status), Error: f.form(c).ErrorOf(g.Error, nil)}
	if !g.Answer.IsZero() {
		out.Answer = reading.Cut(cleanText(c, f.o.Text(g.Answer)), maxPayload)
	}
	for _, a := range g.Actions {
		args, _ := c.Clean(a.Args).(map[string]any)
		b := actionBody{ID: a.ID, Tool: a.Tool, Args: args, Summary: cleanText(c, f.o.Text(a.Summary)), DependsOn: a.DependsOn, Verdict: a.Verdict}
		if !a.Reason.IsZero() {
			b.Reason = cleanText(c, f.o.Text(a.Reason))
		}
		out.Plan = append(out.Plan, b)
	}
	for _, step := range g.Steps {
		out.Steps = append(out.Steps, stepBody{step.ActionID, step.Tool, cleanText(c, f.o.Text(step.Summary)), f.resultOf(c, step.ToolResult)})
	}
	for _, q := range g.Asks {
		b := questionBody{ID: q.ID, Question: cleanText(c, f.o.Text(q.Question))}
		for _, choice := range q.Choices {
			b.Choices = append(b.Choices, cleanText(c, f.o.Text(choice.Label)))
		}
		out.Questions = append(out.Questions, b)
	}
	if g.Draft != nil {
		out.Draft = f.draftOf(c, *g.Draft)
	}
	return encode(out, g.Status != trace.Done && g.Status != trace.NeedsApproval && g.Status != trace.Running)
}
