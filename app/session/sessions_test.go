package session

import (
	"testing"
	"time"

	"errand/app/config"
	"errand/app/demo"
	"errand/app/grants"
	"errand/app/secrets"
	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// newSessions are the sessions of a program with these settings and nothing granted.
func newSessions(t *testing.T, o config.Options, env ...string) *Sessions {
	t.Helper()
	o.Env = append(env, "HOME="+t.TempDir())
	conf, err := config.Load(o)
	must.Succeed(t, err)
	st, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{})
	must.Succeed(t, err)
	t.Cleanup(func() { st.Close() })
	gate := policy.NewChain(conf.Gate)
	return New(Options{
		Config: conf, Policy: gate, Vault: secrets.NewVault(true, nil), Now: time.Now,
		Site: func() (*demo.Site, error) { return nil, nil },
		Grants: &grants.Keeper{
			Config: conf, Policy: gate, Store: func() (store.Store, error) { return st, nil }, Now: time.Now,
		},
	})
}

// opening is a session of run r1 in which a call is about to open a page.
func opening(t *testing.T, ss *Sessions) *Session {
	t.Helper()
	s, err := ss.New("r1", plan.UserGoal, func(trace.Note) {})
	must.Succeed(t, err)
	as := s.subject(tool.Caller{Tool: "browser.open", Effect: tool.EffectNavigate, ActionID: "a1", Origin: "user_goal"})
	s.opener.Store(&as)
	return s
}
