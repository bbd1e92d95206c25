package replay

import (
	"context"
	"math"
	"slices"
	"time"

	"errand/app/config"
	"errand/app/conversation"
	"errand/app/external"
	"errand/app/planning"
	"errand/app/runs"
	"errand/app/runs/calls"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/question"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// recordedProgram is the program as it was when a run was planned: it interprets,
// plans and decides, and has no store, no network, no browser and no plugin. Its
// clock is fixed at the time of the run.
type recordedProgram struct {
	planner *planning.Planner
	conf    *config.Loaded
	gate    policy.Chain
	grants  []policy.Grant
	vault   *secrets.Vault
	at      time.Time
	closer  func() error // of the policies in Rego; nil: there are none
}

func openRecorded(s setting.Setting, at time.Time, rego OpenRego) (*recordedProgram, error) {
	conf, err := s.Base.Config.Load()
	if err != nil {
		return nil, setting.InvalidError(message.FromError(err))
	}
	conf.Paths.Work = s.Run.Work
	gate, err := conf.Gate.WithAllowed(s.Run.Allow...)
	if err != nil {
		return nil, setting.InvalidError(message.FromError(err))
	}
	p := &recordedProgram{conf: conf, gate: policy.NewChain(gate), grants: s.Run.Grants, vault: secrets.NewVault(conf.Policy.Redaction, nil), at: at}
	if len(conf.Rego) > 0 {
		if rego == nil {
			return nil, setting.InvalidError(message.New("replay.needs_rego"))
		}
		decider, closer, err := rego(conf)
		if err != nil {
			return nil, setting.InvalidError(message.FromError(err))
		}
		p.gate, p.closer = policy.NewChain(gate, decider), closer
	}
	if p.planner, err = planning.New(planning.Options{Config: conf, Vault: p.vault, Now: p.now, Apps: s.Run.Apps.Find}); err != nil {
		p.close()
		return nil, setting.InvalidError(message.FromError(err))
	}
	return p, nil
}

func (p *recordedProgram) close() {
	if p.closer != nil {
		_ = p.closer()
	}
}

func (p *recordedProgram) now() time.Time { return p.at }

// decide is the recorded policy's decision.
func (p *recordedProgram) decide(r policy.Request) policy.Decision {
	d := p.gate.Decide(r)
	if policy.CanGrant(d) && len(p.grants) > 0 {
		d = p.gate.WithGrants(p.grants...).Decide(r)
	}
	return external.Restrict(p.conf.MCP.Server, r, d)
}

// runs is the entry of runs, for one with the recorded id and the answers of a tape.
func (p *recordedProgram) runs(t *tape) *runs.Runs {
	// As parallel as the plan allows: the order of independent calls depended on timing, and
	// an interrupted call must not block others.
	conf := *p.conf
	conf.Run.Parallel = math.MaxInt
	return runs.New(runs.Options{
		Config: &conf, Planner: p.planner, Vault: p.vault, Now: p.now, NewID: func() string { return t.r.rec.RunID },
		Tools: func(context.Context) (*tool.Set, error) {
			set, err := t.tools()
			if err != nil {
				t.r.addDifference(Difference{WhereSetting, "", "/base/tools", nil, message.FromError(err)})
			}
			return set, err
		},
		TaskPlanner: func(context.Context, calls.PlannerRequest) (run.Planner, error) { return t.task, nil },
		Question:    question.About,
		Folders: func(...string) []policy.Grant {
			return slices.DeleteFunc(slices.Clone(p.grants), func(g policy.Grant) bool { return g.Folder == "" })
		},
		Session:       func(string, plan.Origin, func(trace.Note)) (runs.Session, error) { return offline{}, nil },
		PolicyDigest:  func([]string) string { return "" },
		DemoHosts:     func() *runs.DemoHosts { return nil },
		Prune:         func() {},
		Conversations: &conversation.Keeper{Recorded: t.r.setting.Run.Context},
		Replay:        &runs.Replay{Questions: t.r.askedFolders(), World: t.r.setting.Run.World, Entries: t.r.setting.Run.Entries, Log: &trace.Memory{}, Actions: t.triedActions, Dispatch: t.dispatch},
	})
}

// offline is a session that opens nothing.
type offline struct{}

func (offline) CheckReach(context.Context, tool.Spec, tool.Call) *tool.Error { return nil }
func (offline) BeforeCall(context.Context, tool.Spec, tool.Call) *tool.Error { return nil }
func (offline) Approve()                                                     {}
func (offline) IsApproved() bool                                             { return false }
func (offline) LosePage([]string, *tool.Error)                               {}
func (offline) Plan(*tool.Set, plan.Plan)                                    {}
func (offline) HasOwnPage() bool                                             { return false }
func (offline) NetworkPolicy() string                                        { return "" }
func (offline) Account() trace.Egress                                        { return trace.Egress{} }
func (offline) Continue(trace.Use)                                           {}
func (offline) End() error                                                   { return nil }
