package run

import (
	"context"
	"time"

	"errand/host/run/subject"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// inspectTimeout limits the inspection of the files of one call.
const inspectTimeout = 30 * time.Second

// Identity returns a fingerprint of the site on which the call acts, of the files that it
// names and of what it would destroy, in their state at the time of the verdict. It is
// empty if there are none.
func (v Verdict) Identity() string { return v.subject().Fingerprint() }

func (v Verdict) subject() subject.Subject { return subject.Of(v.Site, v.Files, v.Forecast) }

// inspect returns the states of the files that a call with an effect names.
func (d *Dispatcher) inspect(ctx context.Context, spec tool.Spec, call tool.Call) ([]tool.FileState, *tool.Error) {
	if d.o.Inspect == nil || spec.SideEffectClass == tool.Read {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTimeout)
	defer cancel()
	type fileStates struct {
		files []tool.FileState
		err   *tool.Error
	}
	f, err := catchPanic(func() fileStates {
		files, fault := d.o.Inspect(ctx, spec, call)
		return fileStates{files, fault}
	})
	if err != nil {
		return nil, tool.NewError(tool.ExecutionError, "check_failed", message.New("run.check_failed", "tool", spec.Name, "cause", err))
	}
	return f.files, f.err
}

// locate resolves the paths in a call's arguments, for policy and for the tool.
func (d *Dispatcher) locate(spec tool.Spec, call *tool.Call) *tool.Error {
	call.Places = nil
	if d.o.Locate == nil {
		return nil
	}
	places, err := catchPanic(func() []tool.Place { return d.o.Locate(spec, *call) })
	if err != nil {
		return tool.NewError(tool.ExecutionError, "check_failed", message.New("run.check_failed", "tool", spec.Name, "cause", err))
	}
	call.Places = places
	return nil
}

// checkSubject checks, right before the call of an approved run, that the files are in the
// state that the user approved, and hands their states to the tool.
func (d *Dispatcher) checkSubject(ctx context.Context, call *tool.Call, v Verdict, approved *subject.Subject) (ending, bool) {
	if d.o.Granted == nil || approved == nil {
		return ending{}, false
	}
	files, fault := d.inspect(ctx, v.effectiveSpec(), *call)
	if fault != nil {
		return ending{trace.Failed, fault}, true
	}
	v.Files = files
	if path, same := approved.Compare(v.subject()); !same {
		return ending{trace.NeedsApproval, targetChanged(call.ActionID, path)}, true
	}
	for _, f := range approved.Files { // the call opens its places
		if p, ok := call.Place(f.Path); ok && p.Real != f.Real {
			return ending{trace.NeedsApproval, targetChanged(call.ActionID, f.Path)}, true
		}
	}
	call.Files = approved.Files
	return ending{}, false
}

func targetChanged(action, path string) *tool.Error {
	m := message.New("run.target_changed", "action", action)
	if path != "" {
		m = message.New("run.file_changed", "action", action, "path", path)
	}
	return needsApproval(policy.Decision{Reason: m})
}
