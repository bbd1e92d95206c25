package session

import (
	"os"
	"path/filepath"
	"testing"

	"errand/app/config"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// TestOriginOfPages: what a browser loads is decided by the origin of the call that
// opened the page, else by the origin of the run's request.
func TestOriginOfPages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "errand.toml")
	rule := "[[policy.rules]]\nverdict = \"deny\"\norigin = \"agent\"\nhost = \"youtube.com\"\n"
	must.Succeed(t, os.WriteFile(file, []byte(rule), 0o600))
	ss := newSessions(t, config.Options{File: file})
	for _, tt := range []struct {
		request, call plan.Origin // call: empty, no call has opened a page
		want          policy.Verdict
	}{
		{plan.UserGoal, "", policy.Allow},
		{plan.Agent, "", policy.Deny},
		{plan.UserGoal, plan.Agent, policy.Deny},
		{plan.Agent, plan.Agent, policy.Deny},
	} {
		s, err := ss.New("r1", tt.request, func(trace.Note) {})
		must.Succeed(t, err)
		if tt.call != "" {
			as := s.subject(tool.Caller{Tool: "browser.open", Effect: tool.EffectNavigate, ActionID: "a1", Origin: string(tt.call)})
			s.opener.Store(&as)
		}
		if d := s.Decide(navigate("https://youtube.com/")); d.Verdict != tt.want {
			t.Errorf("request of %q, call of %q: %s by %s, want %s", tt.request, tt.call, d.Verdict, d.Rule, tt.want)
		}
	}
}
