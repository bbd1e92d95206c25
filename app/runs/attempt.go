package runs

import (
	"encoding/json"
	"time"

	"errand/app/access"
	"errand/app/drafts"
	"errand/app/runs/dialog"
	"errand/app/runs/gate"
	"errand/app/runs/notebook"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// attempt is one attempt of a run: from its request to its end, or from a draft or an
// interruption on. Its fields belong to the goroutine that runs it.
type attempt struct {
	runs      *Runs
	request   Request
	session   Session
	id        string
	started   time.Time
	resumed   time.Time     // when this attempt began; zero: started
	earlierMs int64         // milliseconds that earlier attempts took
	paused    time.Duration // how long this attempt of a task waited for the user
	report    Report

	earlierSteps []trace.Step // of earlier attempts, as recorded
	follows      []string     // runs whose readings count as its own
	readBefore   []trace.Step // these readings
	turns        []trace.Turn // of earlier attempts of a task
	earlier      *trace.Run   // the record of what went before; nil: this is the first attempt
	dialog       dialog.Dialog
	proposal     drafts.Proposal // of a draft that failed, for the one that replaces it
	tools        *tool.Set       // nil before it was needed
	folders      access.Folders
	refused      *tool.Error // the user refused a host or a folder; nil: no
	world        plan.World
	setting      json.RawMessage // what it was planned in; kept in its record

	planRecord notebook.PlanRecord

	task     *taskRun       // nil: the request has none
	payloads map[string]any // of the calls of a plan, by id

	gate *gate.Gate
	rec  *recorder
	log  trace.Log // nil before the record was opened
}

// open gives the attempt a session: its way to the network and its browser. end closes it.
func (x *attempt) open() (end func(), err error) {
	o := &x.runs.o
	x.folders.Config, x.folders.Grants, x.folders.Runs = o.Config, o.Folders, append(x.folders.Runs, x.id)
	x.report = Report{RunID: x.id, Status: trace.Failed, Steps: []trace.Step{}}
	x.rec = &recorder{runID: x.id, vault: o.Vault, now: o.Now, listen: x.request.Progress, states: x.request.States}
	if x.session, err = o.Session(x.id, x.request.Origin, x.rec.note); err != nil {
		return nil, err
	}
	x.gate = &gate.Gate{
		RunID: x.id, Session: x.session, Voice: x.request.Voice != nil, Approved: x.request.Yes,
		Ask: o.Decide, PolicyDigest: o.PolicyDigest, Seal: o.Vault.Seal, Now: x.runs.now,
	}
	if x.request.Task != nil {
		x.task = &taskRun{attempt: x}
	}
	return func() {
		if !x.canContinue() {
			o.Vault.Forget(x.id)
		}
		_ = x.session.End()
	}, nil
}

// elapsed returns how long the run took so far, including earlier attempts. A task's time does not
// include that of the user.
func (x *attempt) elapsed() time.Duration {
	began := x.started
	if !x.resumed.IsZero() {
		began = x.resumed
	}
	return time.Duration(x.earlierMs)*time.Millisecond + x.runs.now().Sub(began) - x.paused
}

// canContinue reports whether the run may go on after this attempt, because its draft
// has not ended.
func (x *attempt) canContinue() bool {
	d := x.report.Draft
	return !x.request.DryRun && (x.report.Status == trace.NeedsApproval || d != nil && !d.State.Final())
}

// seal seals a hash for the record. A dry run has none, and makes no key.
func (x *attempt) seal(hash string) string {
	if x.request.DryRun {
		return hash
	}
	return x.runs.o.Vault.Seal(hash)
}

// clean removes the run's secrets.
func (x *attempt) clean() cleaner { return x.runs.o.Vault.CleanerOf(x.id) }
