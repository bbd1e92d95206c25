package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"errand/app/grants"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// TestAllowHostOfDraft checks that a draft which asks about a host is granted it by the user's own
// answer alone, and for its run alone.
func TestAllowHostOfDraft(t *testing.T) {
	a, _ := opened(t, Options{Demo: true}, "ERRAND_POLICY_ALLOWED_DOMAINS=[]")
	a.replaceTool = func(t tool.Tool) tool.Tool {
		if t.Spec().Name != "system.apps.launch.shell" {
			return t
		}
		return tool.Func(t.Spec(), func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(nil), nil })
	}
	request := runs.Request{Origin: plan.UserGoal, Words: "open youtube and open wikipedia", Permit: a.grants.Permit}
	r, err := a.Start(t.Context(), request)
	must.Succeed(t, err)
	if r.Draft == nil || len(r.Draft.Questions) != 2 || len(r.Steps) != 0 {
		t.Fatalf("%s, draft %+v, %d steps", r.Status, r.Draft, len(r.Steps))
	}
	answer := func(site, value string, allow runs.Permit) error {
		t.Helper()
		_, err := a.Answer(t.Context(), r.DraftID, map[string]string{"host:" + site: value}, allow)
		return err
	}
	var fault *tool.Error
	if err := answer("youtube.com", "once", nil); !errors.As(err, &fault) || fault.Code != "not_the_user" {
		t.Errorf("an answer that is not the user's: %v", err)
	}
	if err := answer("youtube.com", "for ever", a.grants.Permit); err == nil {
		t.Error("an answer that is no choice was taken")
	}
	must.Succeed(t, answer("youtube.com", "once", a.grants.Permit))
	if got := states(t, a); len(got) != 0 {
		t.Errorf("granted before every question was answered: %v", got)
	}
	must.Succeed(t, answer("wikipedia.org", "always", a.grants.Permit))
	if got := states(t, a); got["youtube.com"] != grants.Used || got["wikipedia.org"] != grants.Open {
		t.Errorf("granted %v", got)
	}
	d, err := a.ShowDraft(t.Context(), r.DraftID)
	must.Succeed(t, err)
	done := approved(t, a, runs.ApproveRequest{ID: r.DraftID, Revision: d.Revision})
	if done.Status != trace.Done || len(done.Steps) != 2 {
		t.Fatalf("%s, %v", done.Status, done.Error)
	}
	for _, s := range done.Steps {
		if !slices.ContainsFunc(s.PolicyFlags, func(f string) bool { return strings.HasPrefix(f, "grant:") }) {
			t.Errorf("step %s names no grant: %v", s.StepID, s.PolicyFlags)
		}
	}

	again, err := a.Start(t.Context(), request)
	must.Succeed(t, err)
	if again.Draft == nil || len(again.Draft.Questions) != 1 || again.Draft.Questions[0].ID != "host:youtube.com" {
		t.Errorf("the next run: %s, %+v", again.Status, again.Draft)
	}
	d, err = a.Answer(t.Context(), again.DraftID, map[string]string{"host:youtube.com": "no"}, a.grants.Permit)
	must.Succeed(t, err)
	rec, err := a.Record(t.Context(), again.RunID)
	must.Succeed(t, err)
	if !d.State.Final() || rec.Status != trace.Cancelled || len(rec.Steps) != 0 {
		t.Errorf("refused: draft %s, run %s, %d steps", d.State, rec.Status, len(rec.Steps))
	}
}

// TestAllowHostAsks checks that the user is asked about each host at once, and that a refusal of one
// grants none.
func TestAllowHostAsks(t *testing.T) {
	tests := []struct {
		name, youtube, wikipedia string
		status                   trace.Status
		granted                  int
	}{
		{"both", "once", "always", trace.Done, 2},
		{"the second is refused", "always", "no", trace.Cancelled, 0},
		{"the first is refused", "no", "always", trace.Cancelled, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _ := opened(t, Options{Demo: true}, "ERRAND_POLICY_ALLOWED_DOMAINS=[]")
			a.replaceTool = func(t tool.Tool) tool.Tool {
				return tool.Func(t.Spec(), func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(nil), nil })
			}
			answers := map[string]string{"host:youtube.com": tt.youtube, "host:wikipedia.org": tt.wikipedia}
			r, err := a.Start(t.Context(), runs.Request{
				Origin: plan.UserGoal, Words: "open youtube and open wikipedia", Permit: a.grants.Permit,
				Ask: func(_ context.Context, q plan.Question) (string, error) { return answers[q.ID], nil },
			})
			must.Succeed(t, err)
			if r.Status != tt.status || len(states(t, a)) != tt.granted {
				t.Errorf("%s (%v), granted %v", r.Status, r.Error, states(t, a))
			}
		})
	}
}
