package runs

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs/calls"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/build/must"
	"errand/host/run"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// fakeSession is a session without a browser and a network.
type fakeSession struct {
	approved bool
	lookUps  *atomic.Int32
	used     *int // requests of earlier attempts
}

func (s *fakeSession) CheckReach(context.Context, tool.Spec, tool.Call) *tool.Error {
	s.lookUps.Add(1)
	return nil
}

func (s *fakeSession) BeforeCall(context.Context, tool.Spec, tool.Call) *tool.Error { return nil }
func (s *fakeSession) Approve()                                                     { s.approved = true }

func (s *fakeSession) IsApproved() bool               { return s.approved }
func (s *fakeSession) LosePage([]string, *tool.Error) {}
func (s *fakeSession) Plan(*tool.Set, plan.Plan)      {}
func (s *fakeSession) HasOwnPage() bool               { return false }
func (s *fakeSession) NetworkPolicy() string          { return "" }
func (s *fakeSession) Account() trace.Egress          { return trace.Egress{Requests: 3} }
func (s *fakeSession) Continue(used trace.Use)        { *s.used = used.Requests }
func (s *fakeSession) End() error                     { return nil }

// calls are the calls that a test's tools received.
type callLog struct {
	mu    sync.Mutex
	names []string
}

func (c *callLog) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names = append(c.names, name)
}

// program has the runs of a program with a record and the test's tools.
type program struct {
	*Runs
	drafts *drafts.Drafts
	store  store.Store
	calls  *callLog
	state  noteState

	decisions, lookUps atomic.Int32 // of calls, and of names
	used               int          // requests of earlier attempts, that the latest attempt was told
}

// open opens a program with the record of home. planner is that of its tasks; nil: none.
func open(t *testing.T, home string, planner run.Planner) *program {
	t.Helper()
	file := filepath.Join(home, "errand.toml")
	rules := "[[policy.rules]]\nverdict = \"deny\"\ntool = \"note.burn\"\nreason = \"nothing is burnt\"\n"
	must.Succeed(t, os.WriteFile(file, []byte(rules), 0o600))
	conf, err := config.Load(config.Options{Env: []string{"HOME=" + home, "ERRAND_CONFIG=" + file}})
	must.Succeed(t, err)
	s, err := sqlite.Open(t.Context(), filepath.Join(home, "data"), sqlite.Options{})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = s.Close() })
	p := &program{store: s, calls: &callLog{}, state: noteState{policy: conf.Gate.Digest(), forecast: tool.Forecast{Count: 1, Identity: "it", Reversible: true}}}
	set := noteTools(t, p.calls, &p.state)
	vault, storage := secrets.NewVault(true, nil), func() (store.Store, error) { return p.store, nil }
	settings := &setting.Recorder{
		Version: "test", Config: conf, Grants: func(string) []policy.Grant { return nil }, Vault: vault, Now: time.Now,
	}
	reader, err := planning.New(planning.Options{Config: conf, Vault: vault, Store: storage, Now: time.Now})
	must.Succeed(t, err)
	newID := run.IDs(time.Now, &counter{})
	p.drafts = drafts.New(drafts.Options{
		Store: storage, Vault: vault, Settings: settings, User: "ann", Now: time.Now, NewID: newID,
		Evaluate: func(ctx context.Context, d drafts.Draft, rec trace.Record, changed plan.Plan) (drafts.Evaluation, error) {
			return p.Evaluate(ctx, d, rec, changed)
		},
	})
	o := Options{
		Config: conf, Store: storage, Planner: reader, Drafts: p.drafts, Settings: settings, Vault: vault,
		Tools: func(context.Context) (*tool.Set, error) { return set, nil },
		Session: func(string, plan.Origin, func(trace.Note)) (Session, error) {
			return &fakeSession{lookUps: &p.lookUps, used: &p.used}, nil
		},
		Decide: func(r policy.Request) policy.Decision {
			p.decisions.Add(1)
			return conf.Gate.Decide(r)
		},
		PolicyDigest: func([]string) string { return p.state.policy },
		DemoHosts:    func() *DemoHosts { return nil }, Prune: func() {}, User: "ann", Now: time.Now, NewID: newID,
	}
	if planner != nil {
		o.TaskPlanner = func(context.Context, calls.PlannerRequest) (run.Planner, error) { return planner, nil }
	}
	p.Runs = New(o)
	return p
}

// counter is a source of random bytes that gives each id another value.
type counter struct{ n byte }

func (c *counter) Read(b []byte) (int, error) {
	c.n++
	for i := range b {
		b[i] = c.n
	}
	return len(b), nil
}

// noteState is what a test changes while a run waits: the digest of the policy, and the forecast
// of note.erase.
type noteState struct {
	policy   string
	forecast tool.Forecast
	fault    error
}

// eraser is note.erase or note.foresee.
type eraser struct {
	tool.Tool
	state *noteState
}

func (e eraser) Forecast(context.Context, tool.Call) (tool.Forecast, error) {
	return e.state.forecast, e.state.fault
}

// noteTools read, write and erase notes, and delete them without a forecast. Only the user may
// apply them, and a rule of the test denies burning one. note.tidy and note.foresee may change
// anything.
func noteTools(t *testing.T, made *callLog, state *noteState) *tool.Set {
	t.Helper()
	var all []tool.Tool
	for name, class := range map[string]tool.SideEffectClass{"note.read": tool.Read, "note.write": tool.Write, "note.erase": tool.Write, "note.delete": tool.Write, "note.burn": tool.Write, "note.apply": tool.Write, "note.tidy": tool.Write, "note.foresee": tool.Write} {
		spec := tool.Spec{
			Name: name, Description: "notes", ArgsSchema: json.RawMessage(`{"type":"object"}`), SideEffectClass: class, Effect: tool.EffectRead,
			RetryProfile: tool.RetryNone, CanAchieve: []string{}, Requires: []string{}, Effects: []string{}, Hosts: []string{}, Paths: []string{},
			Source: "builtin", Boundary: name == "note.apply",
			MayDestroy: name == "note.tidy" || name == "note.foresee", Reversible: name == "note.tidy",
		}
		if class == tool.Write {
			spec.Effect = tool.EffectCommit
		}
		var note tool.Tool = tool.Func(spec, func(_ context.Context, c tool.Call) (tool.Result, error) {
			made.add(c.Tool)
			return tool.Result{OK: true, Payload: map[string]any{"of": c.ActionID}}, nil
		})
		if name == "note.erase" || name == "note.foresee" {
			note = eraser{note, state}
		}
		all = append(all, note)
	}
	set, err := tool.NewSet(all...)
	must.Succeed(t, err)
	return set
}
