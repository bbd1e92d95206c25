package setting

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"time"

	"errand/app/config"
	"errand/app/secrets"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// Recorder writes the settings of runs, without secrets. A nil Recorder records nothing.
type Recorder struct {
	Version string // of the program
	Config  *config.Loaded
	Allow   []string // host patterns that the program was opened with
	Demo    bool
	Grants  func(runID string) []policy.Grant // that a run may use
	Vault   *secrets.Vault
	Now     func() time.Time
}

// Record is the setting that a run is planned in. The allowed hosts and the grants
// are the program's.
func (r *Recorder) Record(runID string, specs []tool.Spec, own RunSetting) (json.RawMessage, error) {
	if r == nil {
		return nil, nil
	}
	snapshot, err := config.Take(r.Config)
	if err != nil {
		return nil, message.Error("setting.record_setting", "cause", err)
	}
	base := Base{Version: r.Version, OS: runtime.GOOS, Config: snapshot, Tools: []RecordedTool{}}
	for _, spec := range specs {
		spec.Display = display.Tool{} // a replay shows the run as the program does now
		base.Tools = append(base.Tools, RecordedTool{spec, spec.Fingerprint()})
	}
	if own.Allow = r.Allow; own.Allow == nil {
		own.Allow = []string{}
	}
	own.Grants, own.Demo = r.Grants(runID), r.Demo
	return encode(r.Vault.CleanerOf(runID), base, own)
}

// encode writes both parts of a setting, without secrets.
func encode(c secrets.Cleaner, base, own any) (json.RawMessage, error) {
	var parts struct {
		Base json.RawMessage `json:"base"`
		Run  json.RawMessage `json:"own"`
	}
	var err1, err2 error
	parts.Base, err1 = c.JSONInOrder(base)
	parts.Run, err2 = c.JSONInOrder(own)
	if err := errors.Join(err1, err2); err != nil {
		return nil, message.Error("setting.record_setting", "cause", err)
	}
	return json.Marshal(parts)
}

// Renew is the setting of a run that is resumed: its own part as it was, in the
// program as it is now. Nil, which leaves the record's as it is, where nothing
// changed or nothing was recorded.
func (r *Recorder) Renew(runID string, earlier json.RawMessage, specs []tool.Spec) (json.RawMessage, error) {
	was, err := Read(earlier)
	if err != nil {
		return nil, nil // an old record, which can't be replayed anyway
	}
	b, err := r.Record(runID, specs, was.Run)
	if err != nil {
		return nil, err
	}
	now, err := Read(b)
	if err != nil || reflect.DeepEqual(was.Base, now.Base) && slices.Equal(was.Run.Allow, now.Run.Allow) && slices.Equal(was.Run.Grants, now.Run.Grants) {
		return nil, err
	}
	now.Run.PlanSource, now.Run.StartedAt = cmp.Or(was.Run.PlanSource, GivenEarlier), r.Now().UTC()
	return encode(secrets.Cleaner{}, now.Base, now.Run) // both are clean
}

// AddGrants is a setting with the grants that steps used and that were given after the
// run was planned. Nil, which leaves the record's as it is, where there are none
// or nothing was recorded.
func (r *Recorder) AddGrants(runID string, setting json.RawMessage, steps []trace.Step) (json.RawMessage, error) {
	var ids []string
	for _, s := range steps {
		ids = append(ids, policy.Decision{Flags: s.PolicyFlags}.Grants()...)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	s, err := Read(setting)
	if err != nil {
		return nil, nil // an old record, which can't be replayed anyway
	}
	before := len(s.Run.Grants)
	for _, g := range r.Grants(runID) {
		known := slices.ContainsFunc(s.Run.Grants, func(k policy.Grant) bool { return k.ID == g.ID })
		if slices.Contains(ids, g.ID) && !known {
			s.Run.Grants = append(s.Run.Grants, g)
		}
	}
	if len(s.Run.Grants) == before {
		return nil, nil
	}
	return encode(r.Vault.CleanerOf(runID), s.Base, s.Run)
}

// MarkGiven is a recorded setting whose plan the planner did not make; nil where
// nothing was recorded.
func (r *Recorder) MarkGiven(earlier json.RawMessage, by PlanSource) (json.RawMessage, error) {
	s, err := Read(earlier)
	if err != nil {
		return nil, nil // an old record, which can't be replayed anyway
	}
	s.Run.PlanSource = by
	return encode(secrets.Cleaner{}, s.Base, s.Run) // as it was recorded: without secrets
}

// Clean is a setting without the secrets that its run has learnt since it was
// recorded. Nil where there is none.
func (r *Recorder) Clean(runID string, setting json.RawMessage) (json.RawMessage, error) {
	s, err := Read(setting)
	if err != nil {
		return nil, nil // an old record, which can't be replayed anyway
	}
	return encode(r.Vault.CleanerOf(runID), s.Base, s.Run)
}
