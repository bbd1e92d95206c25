package app

import (
	"context"
	"slices"
	"testing"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
)

// TestVoiceAndHost: a goal that was hardly heard and needs a host is asked about once each, in any order,
// and then waits for its approval alone.
func TestVoiceAndHost(t *testing.T) {
	voice := &plan.Voice{FileID: "v1", Transcript: "open example.org", Confidence: 0.5}
	goals := []plan.Goal{{GoalID: "g1", GoalType: plan.BrowserNavigate, Target: "https://example.org/"}}
	idsOf := func(questions []plan.Question) (ids []string) {
		for _, q := range questions {
			ids = append(ids, q.ID)
		}
		return ids
	}
	type variant struct {
		runs.Request
		first bool // one answer at a time, the first question first
		last  bool
	}
	for name, tt := range map[string]variant{
		"words": {Request: runs.Request{Voice: voice}}, "goals": {Request: runs.Request{Voice: voice, Goals: goals}},
		"goals, the first first": {Request: runs.Request{Voice: voice, Goals: goals}, first: true}, "goals, the last first": {Request: runs.Request{Voice: voice, Goals: goals}, last: true},
	} {
		request := tt.Request
		t.Run(name, func(t *testing.T) {
			a, _ := opened(t, Options{})
			request.Origin, request.Permit = plan.UserGoal, a.Grants().Permit
			r, err := a.Start(t.Context(), request)
			must.Succeed(t, err)
			asked := map[string]int{}
			view := *r.Draft
			for range 6 {
				if len(view.Questions) == 0 {
					break
				}
				answers := map[string]string{}
				some := view.Questions
				if tt.first {
					some = some[:1]
				} else if tt.last {
					some = some[len(some)-1:]
				}
				for _, q := range some {
					asked[q.ID]++
					answers[q.ID] = q.Choices[0].Value
				}
				view, err = a.Answer(t.Context(), r.DraftID, answers, a.Grants().Permit)
				must.Succeed(t, err)
			}
			if len(view.Questions) > 0 || len(asked) != 2 || len(view.Actions) != 1 {
				t.Errorf("asked %v, and now %q, with %d actions", asked, idsOf(view.Questions), len(view.Actions))
			}
			for id, n := range asked {
				if n > 1 {
					t.Errorf("%s was asked %d times", id, n)
				}
			}
		})
		t.Run(name+", asked at once", func(t *testing.T) {
			a, _ := opened(t, Options{})
			var asked []string
			request.Origin, request.Permit = plan.UserGoal, a.Grants().Permit
			request.Ask = func(_ context.Context, q plan.Question) (string, error) {
				asked = append(asked, q.ID)
				return q.Choices[0].Value, nil
			}
			request.Approve = func(_ context.Context, d drafts.View) (drafts.Answer, error) {
				asked = append(asked, idsOf(d.Questions)...)
				return drafts.Answer{}, nil
			}
			r, err := a.Start(t.Context(), request)
			must.Succeed(t, err)
			if slices.Sort(asked); len(asked) != 2 || asked[0] == asked[1] || r.Status != trace.Cancelled {
				t.Errorf("asked %q, %s, %v", asked, r.Status, r.Error)
			}
		})
	}
}
