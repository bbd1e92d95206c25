package app

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/runs"
	"errand/app/session"
	"errand/build/must"
	"errand/host/system"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

func grant(t *testing.T, a *App, r grants.Request) grants.Grant {
	t.Helper()
	g, err := a.grants.Grant(t.Context(), r)
	must.Succeed(t, err)
	return g
}

// states are the states of all grants by their patterns.
func states(t *testing.T, a *App) map[string]grants.State {
	t.Helper()
	list, err := a.grants.Grants(t.Context(), true)
	must.Succeed(t, err)
	out := map[string]grants.State{}
	for _, g := range list {
		out[g.Pattern] = g.State
	}
	return out
}

func navigate(url string) policy.Request { return policy.Request{Kind: policy.KindNavigate, URL: url} }

// opening is a session in which a call is about to open a page.
func sessionOf(t *testing.T, a *App, run, call, name string) *session.Session {
	t.Helper()
	s, err := a.sessions.New(run, plan.UserGoal, func(trace.Note) {})
	must.Succeed(t, err)
	aboutToOpen(t, s, run, call, name)
	return s
}

// aboutToOpen has a call of the run look whether it may open a page, which it may
// not: the session remembers the call.
func aboutToOpen(t *testing.T, s *session.Session, run, call, name string) {
	t.Helper()
	c := tool.Call{Tool: name, RunID: run, ActionID: call, Origin: string(plan.UserGoal), Args: map[string]any{"url": "http://127.0.0.1/"}}
	if fault := s.CheckReach(t.Context(), tool.Spec{Name: name, Effect: tool.EffectNavigate}, c); fault != nil {
		t.Fatal(fault)
	}
}

// TestGrantsOnTheWire: what the browser is about to do uses up what is for once
// or for a run, and what is revoked or over counts no more, at once.
func TestGrantsOnTheWire(t *testing.T) {
	a, _ := opened(t, Options{})
	c := &clock{at: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}
	a.now = c.now
	grant(t, a, grants.Request{Pattern: "once.example", Scope: policy.Once})
	grant(t, a, grants.Request{Pattern: "run.example", Scope: policy.ForRun})
	always := grant(t, a, grants.Request{Pattern: "always.example", Scope: policy.Always})
	grant(t, a, grants.Request{Pattern: "hour.example", Scope: policy.Always, Expires: c.now().Add(time.Hour)})
	grant(t, a, grants.Request{Pattern: "tool.example", Scope: policy.Always, Tool: "browser.*"})

	try := func(s *session.Session, host string, want policy.Verdict) {
		t.Helper()
		if d := s.Decide(navigate("https://" + host + "/")); d.Verdict != want {
			t.Errorf("%s: %s by %s (%s), want %s", host, d.Verdict, d.Rule, d.Reason, want)
		}
	}
	s1, s2 := sessionOf(t, a, "r1", "a1", "launch"), sessionOf(t, a, "r2", "a1", "launch")
	look := tool.Call{Tool: "launch", RunID: "r1", ActionID: "a1", Origin: string(plan.UserGoal), Args: map[string]any{"url": "https://once.example/"}}
	if fault := s1.CheckReach(t.Context(), tool.Spec{Name: "launch", Effect: tool.EffectNavigate}, look); fault != nil && fault.Class == tool.PolicyDenied {
		t.Errorf("a look: %+v", fault)
	}
	if d := a.grants.Decide(policy.Request{Kind: policy.KindNavigate, URL: "https://once.example/", Tool: "launch", Run: "r1", Call: "a1", At: c.now()}); d.Verdict != policy.Allow {
		t.Errorf("a look: %+v", d)
	}
	if got := states(t, a)["once.example"]; got != grants.Open {
		t.Errorf("a look has used it: %s", got)
	}
	try(s1, "once.example", policy.Allow)
	try(s1, "once.example", policy.Allow) // the same call goes on
	try(s2, "once.example", policy.Ask)
	next := sessionOf(t, a, "r1", "a2", "launch")
	try(next, "once.example", policy.Ask)
	try(s2, "run.example", policy.Allow)
	try(s1, "run.example", policy.Ask)
	try(sessionOf(t, a, "r2", "a2", "launch"), "run.example", policy.Allow)
	try(s1, "tool.example", policy.Ask)
	try(sessionOf(t, a, "r3", "a1", "browser.open"), "tool.example", policy.Allow)
	try(s1, "hour.example", policy.Allow)
	c.pass(time.Hour)
	try(s1, "hour.example", policy.Ask)
	try(s1, "always.example", policy.Allow)
	if _, err := a.grants.Revoke(t.Context(), always.ID); err != nil {
		t.Fatal(err)
	}
	try(s1, "always.example", policy.Ask)

	for pattern, want := range map[string]grants.State{
		"once.example": grants.Used, "run.example": grants.Used, "always.example": grants.Revoked, "hour.example": grants.Ended, "tool.example": grants.Open,
	} {
		if got := states(t, a)[pattern]; got != want {
			t.Errorf("%s is %s, want %s", pattern, got, want)
		}
	}
	if open, err := a.grants.Grants(t.Context(), false); err != nil || len(open) != 1 || open[0].Pattern != "tool.example" {
		t.Errorf("open: %+v, %v", open, err)
	}
	g, err := a.guard()
	must.Succeed(t, err)
	if d, _, err := g.Check(t.Context(), navigate("https://tool.example/")); err != nil || d.Verdict == policy.Allow {
		t.Errorf("of no tool: %+v, %v", d, err)
	}
}

// TestPluginFetchesForItsRun: what a plugin fetches is asked for its own call,
// plugin and run, goes to that run's record, and outside of a run no grant for
// one counts.
func TestPluginFetchesForItsRun(t *testing.T) {
	a, _ := opened(t, Options{Demo: true}, "ERRAND_POLICY_ALLOWED_DOMAINS=[]")
	g, err := a.guard()
	must.Succeed(t, err)
	client := a.sessions.PluginClient(g, "weather.now", []string{"http://*"})
	fetch := func(ctx context.Context, host string) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/", nil)
		must.Succeed(t, err)
		resp, err := client.Transport.RoundTrip(r)
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		return err
	}
	var noted []string
	_, err = a.sessions.New("r1", plan.UserGoal, func(n trace.Note) {
		c := n.(trace.ConnectionNote)
		noted = append(noted, c.Kind()+" "+c.Host+" "+c.Rule+" "+c.Tool)
	})
	must.Succeed(t, err)
	inRun := tool.WithCaller(t.Context(), tool.Caller{Tool: "weather.now", Plugin: "weather", Effect: tool.EffectRead, RunID: "r1", ActionID: "a1", Origin: "agent"})
	call := func(host string) error { return fetch(inRun, host) }
	if call("youtube.com") == nil || fetch(t.Context(), "youtube.com") == nil {
		t.Error("an unlisted host is reached")
	}
	run := grant(t, a, grants.Request{Pattern: "http://youtube.com", Scope: policy.ForRun, Plugin: "weather", Origin: plan.Agent})
	if fetch(t.Context(), "youtube.com") == nil {
		t.Error("what is for a run is of use outside of one")
	}
	if err := call("youtube.com"); err != nil {
		t.Error(err)
	}
	always := grant(t, a, grants.Request{Pattern: "http://github.com", Scope: policy.Always, Tool: "weather.*"})
	if err := fetch(t.Context(), "github.com"); err != nil {
		t.Error(err)
	}
	grant(t, a, grants.Request{Pattern: "http://google.com", Scope: policy.Always, Plugin: "notes"})
	if call("google.com") == nil {
		t.Error("another plugin's host is reached")
	}
	want := []string{
		"connection youtube.com:80 " + policy.RuleUnlisted + " weather.now",
		"connection youtube.com:80 grants[" + run.ID + "] weather.now",
		"connection google.com:80 " + policy.RuleUnlisted + " weather.now",
	}
	if !slices.Equal(noted, want) {
		t.Errorf("noted %q, want %q (and nothing of %s)", noted, want, always.ID)
	}
}

// TestAGrantOfMidRunReplays: a call that rests on what was granted after its run
// was planned is judged the same again.
func TestAGrantOfMidRunReplays(t *testing.T) {
	a, _ := opened(t, Options{Demo: true}, "ERRAND_POLICY_ALLOWED_DOMAINS=[]")
	first := grant(t, a, grants.Request{Pattern: "youtube.com", Scope: policy.Always})
	var second grants.Grant
	a.replaceTool = func(in tool.Tool) tool.Tool {
		switch in.Spec().Name {
		case system.LaunchName:
			return tool.Func(in.Spec(), func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(nil), nil })
		case "files.create_folder":
			return tool.Func(in.Spec(), func(context.Context, tool.Call) (tool.Result, error) {
				if _, err := a.grants.Revoke(t.Context(), first.ID); err != nil {
					t.Error(err)
				}
				second = grant(t, a, grants.Request{Pattern: "youtube.com", Scope: policy.ForRun})
				return tool.OK(nil), nil
			})
		}
		return in
	}
	a.conf.Run.Parallel = 1
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "create folder Notes in documents and open youtube"})
	if err != nil || r.Status != trace.Done || !slices.Contains(r.Steps[1].PolicyFlags, "grant:"+second.ID) {
		t.Fatalf("%s, %+v, %v, %v", r.Status, r.Steps, r.Error, err)
	}
	if got, err := a.Replay(t.Context(), r.RunID); err != nil || !got.IsSame {
		t.Errorf("difference %+v, %v", got.Difference, err)
	}
}

// TestOnceIsForOneCall: two calls of one run that open pages at once don't share
// what was granted once, and what nobody can say the call of has none of it.
func TestOnceIsForOneCall(t *testing.T) {
	a, _ := opened(t, Options{})
	g := grant(t, a, grants.Request{Pattern: "once.example", Scope: policy.Once})
	s := sessionOf(t, a, "r1", "a1", "launch")
	as := func(call string) policy.Request {
		r := navigate("https://once.example/")
		r.Tool, r.Run, r.Call = "launch", "r1", call
		return r
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	allowed := 0
	for i := range 8 {
		all.Go(func() {
			if d := s.Decide(as(fmt.Sprintf("a%d", i))); d.Verdict == policy.Allow {
				mu.Lock()
				defer mu.Unlock()
				allowed++
			}
		})
	}
	all.Wait()
	if allowed != 1 {
		t.Errorf("%d of 8 calls had %s, which is for once", allowed, g.ID)
	}
	grant(t, a, grants.Request{Pattern: "worker.example", Scope: policy.Once})
	aboutToOpen(t, s, "r1", "a2", "launch")
	if d := s.Decide(navigate("https://worker.example/")); d.Verdict == policy.Allow {
		t.Errorf("what belongs to no call that is known: %+v", d)
	}
}

// TestAnApprovalRestsOnItsGrants: a draft that was shown under a grant is shown
// again without it; of other grants it knows nothing.
func TestAnApprovalRestsOnItsGrants(t *testing.T) {
	words := "delete folder Old in documents and open youtube"
	set := func(t *testing.T) (*App, grants.Grant, drafts.View) {
		a, home := opened(t, Options{Demo: true}, "ERRAND_POLICY_ALLOWED_DOMAINS=[]")
		folders(t, home, "Old")
		a.replaceTool = func(t tool.Tool) tool.Tool {
			if t.Spec().Name != "system.apps.launch.shell" {
				return t
			}
			return tool.Func(t.Spec(), func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(nil), nil })
		}
		if r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: words}); err != nil || r.Status != trace.NeedsApproval || r.DraftID != "" {
			t.Fatalf("without a grant: %s, draft %q, %v", r.Status, r.DraftID, err)
		}
		g := grant(t, a, grants.Request{Pattern: "youtube.com", Scope: policy.ForRun})
		_, d := waitingDraft(t, a, words)
		return a, g, d
	}
	t.Run("others come and go", func(t *testing.T) {
		a, _, d := set(t)
		other := grant(t, a, grants.Request{Pattern: "other.example", Scope: policy.Always})
		if _, err := a.grants.Revoke(t.Context(), other.ID); err != nil {
			t.Fatal(err)
		}
		grant(t, a, grants.Request{Pattern: "another.example", Scope: policy.Always})
		if r := approved(t, a, runs.ApproveRequest{ID: d.DraftID}); r.Status != trace.Done {
			t.Errorf("%s, %v", r.Status, r.Error)
		} else if i := slices.IndexFunc(r.Steps, func(s trace.Step) bool { return s.ToolName == "system.apps.launch.shell" }); i < 0 ||
			!slices.ContainsFunc(r.Steps[i].PolicyFlags, func(f string) bool { return strings.HasPrefix(f, "grant:") }) {
			t.Errorf("the record does not say what it rests on: %+v", r.Steps)
		}
	})
	t.Run("its own is revoked", func(t *testing.T) {
		a, g, d := set(t)
		if _, err := a.grants.Revoke(t.Context(), g.ID); err != nil {
			t.Fatal(err)
		}
		r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
		if r.Status != trace.NeedsApproval || r.Error == nil || r.Error.Code != drafts.CodeDrift || len(r.Steps) != 0 {
			t.Errorf("%s, %+v, %d steps", r.Status, r.Error, len(r.Steps))
		}
	})
}

func TestGrantRefusals(t *testing.T) {
	a, _ := opened(t, Options{}, `ERRAND_POLICY_ALLOWED_DOMAINS=["@catalogue", "!banned.example"]`)
	for name, r := range map[string]grants.Request{
		"a ban stands above": {Pattern: "banned.example", Scope: policy.Always},
		"a private address":  {Pattern: "http://10.0.0.1", Scope: policy.Always},
		"no scope":           {Pattern: "a.example"},
		"it is over":         {Pattern: "a.example", Scope: policy.Always, Expires: time.Now().Add(-time.Second)},
		"no origin":          {Pattern: "a.example", Scope: policy.Always, Origin: "page"},
	} {
		if g, err := a.grants.Grant(t.Context(), r); err == nil {
			t.Errorf("%s: %+v", name, g)
		}
	}
	if got := states(t, a); len(got) != 0 {
		t.Errorf("kept: %v", got)
	}
	if _, err := a.grants.Revoke(t.Context(), "01m"); tool.AsError(err).Code != "grant_not_found" {
		t.Errorf("revoke what is not there: %v", err)
	}
}
