// Package replay carries recorded runs out again, offline, with the recorded results in
// place of the tools, and reports the first difference.
package replay

import (
	"context"
	"slices"
	"time"

	"errand/app/config"
	"errand/app/grants"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// Result is the outcome of a replay.
type Result struct {
	RunID string `json:"run_id"`
	Goal  string `json:"goal"`
	// Recorded and Now are the versions of the program that wrote the record and
	// that replayed it.
	Recorded string `json:"recorded_version"`
	Now      string `json:"version"`

	IsSame     bool        `json:"same"`
	Difference *Difference `json:"difference"` // the first one; nil: Same
	Compared   Compared    `json:"compared"`
	// NotCompared is what the record can't answer for, such as what redaction
	// changed. It is never a difference.
	NotCompared []NotCompared `json:"not_compared"`
}

// Options are what a [Replayer] works with.
type Options struct {
	// Record finds a run by its id, or in a file that [history.History.Export] wrote.
	Record func(ctx context.Context, idOrFile string) (trace.Record, error)
	// Decide is the program's own policy, as of now.
	Decide  func(policy.Request) policy.Decision
	Now     func() time.Time
	Seal    func(hash string) string // as the program's records have it
	Version string                   // of the program
	Rego    OpenRego
}

// OpenRego opens the policies in Rego of a recorded configuration, and returns what closes them.
type OpenRego func(*config.Loaded) (policy.Decider, func() error, error)

// Replayer replays runs of the record and of files. It may be used by several
// goroutines at once.
type Replayer struct{ o Options }

// New makes a replayer. It opens nothing.
func New(o Options) *Replayer { return &Replayer{o} }

// Difference is one thing that the record says otherwise than its replay.
type Difference struct {
	Location string `json:"where"`             // one of the Where constants
	StepID   string `json:"step_id,omitempty"` // of an action of the plan, or of a step
	Field    string `json:"field"`             // a JSON pointer (RFC 6901) into a document, else the field's name
	Recorded any    `json:"recorded"`          // nil: it is not there
	Now      any    `json:"now"`               // nil: it is not there
}

// Where a difference is, in the order in which they are looked for.
const (
	WhereSetting        = "setting"
	WhereInterpretation = "interpretation"
	WherePlan           = "plan" // the planner's whole answer
	WhereStep           = "step"
	WhereRun            = "run"    // how it ended
	WherePolicy         = "policy" // of [Replayer.PolicyToday]
)

// Compared counts what was compared with the record until the first difference.
type Compared struct {
	Interpretation bool `json:"interpretation"`
	Plan           bool `json:"plan"`
	Actions        int  `json:"actions"` // of the plan
	Steps          int  `json:"steps"`
}

// NotCompared is one thing that was left out of a replay, and why.
type NotCompared struct {
	Location string          `json:"where"`
	StepID   string          `json:"step_id,omitempty"`
	Field    string          `json:"field"`
	Why      message.Message `json:"why"`
}

// Reasons why something was not compared.
var (
	WhyRedacted    = message.New("replay.redacted")
	WhyGiven       = message.New("replay.plan_given")
	WhyNotRecorded = message.New("replay.not_recorded")
	WhyEarlier     = message.New("replay.judged_earlier")
)

// Replay repeats a run of the record, or of a file that [history.History.Export] wrote. It
// interprets and plans with the recorded setting, decides by the recorded policy, and
// answers each call from its recorded step. It uses no network and no tools, and changes
// nothing. A difference is a [Result], not an error. A run without a recorded setting is a
// *tool.Error with code no_setting; an invalid file is one with a code of package bundle.
func (rp *Replayer) Replay(ctx context.Context, idOrFile string) (Result, error) {
	rec, err := rp.o.Record(ctx, idOrFile)
	if err != nil {
		return Result{}, err
	}
	return Run(ctx, rec, rp.o.Version, rp.o.Seal, rp.o.Rego)
}

// Run replays a record in the given version of the program. Seal and rego are as in [Options]; a
// nil seal changes no hash, and without rego a run with such policies can't be replayed.
func Run(ctx context.Context, rec trace.Record, version string, seal func(hash string) string, rego OpenRego) (Result, error) {
	recorded, err := setting.Read(rec.Setting)
	if err != nil {
		return Result{}, err
	}
	app, err := openRecorded(recorded, rec.StartedAt, rego)
	if err != nil {
		return Result{}, err
	}
	defer app.close()
	r := &replayRun{rec: rec, setting: recorded, app: app, seal: seal, out: Result{
		RunID: rec.RunID, Goal: rec.Goal, Recorded: recorded.Base.Version, Now: version, NotCompared: []NotCompared{},
	}}
	if r.fingerprints() {
		r.repeat(ctx)
	}
	if err := ctx.Err(); err != nil { // what was compared says nothing of the record then
		return Result{}, err
	}
	r.out.IsSame = r.out.Difference == nil
	return r.out, nil
}

// replayRun is one replay under way. It goes on until the first difference.
type replayRun struct {
	rec       trace.Record
	setting   setting.Setting
	app       *recordedProgram
	seal      func(hash string) string
	documents struct { // documents of the record
		interpretation, result, answers any
		plan                            plan.Plan // zero: there is none
	}
	out Result
}

// addDifference notes the first difference; it answers false, for a comparison to
// return.
func (r *replayRun) addDifference(d Difference) bool {
	if r.out.Difference == nil {
		r.out.Difference = &d
	}
	return false
}

// compareField holds one plain field against the record.
func (r *replayRun) compareField(where, stepID, field string, recorded, now any) bool {
	return recorded == now || r.addDifference(Difference{where, stepID, field, recorded, now})
}

func (r *replayRun) leave(where, stepID, field string, why message.Message) {
	r.out.NotCompared = append(r.out.NotCompared, NotCompared{where, stepID, field, why})
}

// document holds a JSON document against the recorded one. Where is its name;
// stepOf says which action a pointer leads into.
func (r *replayRun) document(where string, recorded, now any, stepOf func(pointer string) string) bool {
	d := comparison{leave: func(pointer string) { r.leave(where, stepOf(pointer), pointer, WhyRedacted) }}
	pointer, was, is, differ := d.first("", recorded, now)
	if !differ {
		return true
	}
	return r.addDifference(Difference{where, stepOf(pointer), pointer, was, is})
}

// fingerprints: a tool of the setting is the one that its fingerprint was taken
// of. Another version of the program may take it otherwise, and redaction may
// have changed what it was taken of.
func (r *replayRun) fingerprints() bool {
	if r.setting.Base.Version != r.out.Now {
		return true
	}
	if base, err := secrets.TreeOf(r.setting.Base); err != nil || secrets.IsMarked(base) {
		r.leave(WhereSetting, "", "/base/tools", WhyRedacted)
		return true
	}
	for _, t := range r.setting.Base.Tools {
		if !r.compareField(WhereSetting, "", "/base/tools/"+t.Name+"/fingerprint", t.Fingerprint, t.Spec.Fingerprint()) {
			return false
		}
	}
	return true
}

// PolicyToday judges the recorded plan by this program's own policy, as of now,
// and lists each action whose verdict or rule is no longer the recorded one.
func (rp *Replayer) PolicyToday(ctx context.Context, idOrFile string) ([]Difference, error) {
	rec, err := rp.o.Record(ctx, idOrFile)
	if err != nil {
		return nil, err
	}
	recorded, err := setting.Read(rec.Setting)
	if err != nil {
		return nil, err
	}
	then, err := openRecorded(recorded, rec.StartedAt, rp.o.Rego)
	if err != nil {
		return nil, err
	}
	defer then.close()
	differences := []Difference{}
	p, err := recordedPlan(rec.Result)
	if err != nil {
		return nil, err
	}
	if p.IsZero() {
		return differences, nil
	}
	for _, action := range p.Actions() {
		i := slices.IndexFunc(recorded.Base.Tools, func(t setting.RecordedTool) bool { return t.Name == action.Tool })
		if i < 0 {
			continue
		}
		ask := func(at time.Time) policy.Request {
			q := grants.CallRequest(recorded.Base.Tools[i].Spec, action, p.Origin(), at)
			q.Voice = recorded.Run.Voice != nil
			return q
		}
		was, is := then.decide(ask(then.at)), rp.o.Decide(ask(rp.o.Now()))
		if was.Verdict != is.Verdict {
			differences = append(differences, Difference{WherePolicy, action.ActionID, "verdict", was.Verdict.String(), is.Verdict.String()})
		}
		if was.Rule != is.Rule {
			differences = append(differences, Difference{WherePolicy, action.ActionID, "rule", was.Rule, is.Rule})
		}
	}
	return differences, nil
}
