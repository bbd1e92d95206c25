package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// inspectTimeout limits the inspection of the files of one call.
const inspectTimeout = 30 * time.Second

// subject is the part of the machine's state that the approval of a call covers.
type subject struct {
	files    []tool.FileState
	identity string // of the forecast
	goesTo   string // destination of the forecast
	destroys []string
	count    int // of what it destroys
}

// Identity returns a fingerprint of the files that the call names and of what it would
// destroy, in their state at the time of the verdict. It is empty if there are none.
func (v Verdict) Identity() string { return v.subject().fingerprint() }

func (v Verdict) subject() subject {
	s := subject{files: v.Files}
	if v.Forecast != nil {
		f := v.Forecast
		s.identity, s.goesTo, s.destroys, s.count = f.Identity, f.Destination, f.Destroys, f.Count
	}
	return s
}

func (s subject) fingerprint() string {
	if len(s.files) == 0 && s.identity == "" && s.goesTo == "" {
		return ""
	}
	b, err := json.Marshal([]any{s.files, s.identity, s.goesTo})
	if err != nil { // texts and numbers
		return "unhashable"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

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
func (d *Dispatcher) checkSubject(ctx context.Context, call *tool.Call, v Verdict, approved *subject) (ending, bool) {
	if d.o.Granted == nil || approved == nil {
		return ending{}, false
	}
	files, fault := d.inspect(ctx, v.effectiveSpec(), *call)
	if fault != nil {
		return ending{trace.Failed, fault}, true
	}
	v.Files = files
	if path, same := approved.compare(v.subject()); !same {
		return ending{trace.NeedsApproval, targetChanged(call.ActionID, path)}, true
	}
	for _, f := range approved.files { // the call opens its places
		if p, ok := call.Place(f.Path); ok && p.Real != f.Real {
			return ending{trace.NeedsApproval, targetChanged(call.ActionID, f.Path)}, true
		}
	}
	call.Files = approved.files
	return ending{}, false
}

// compare reports whether nothing has changed, and else the first path that has, if it is
// known.
func (s subject) compare(now subject) (path string, same bool) {
	for i, f := range s.files {
		if i >= len(now.files) || now.files[i] != f {
			return f.Path, false
		}
	}
	return "", len(s.files) == len(now.files) && s.identity == now.identity && s.goesTo == now.goesTo
}

func targetChanged(action, path string) *tool.Error {
	m := message.New("run.target_changed", "action", action)
	if path != "" {
		m = message.New("run.file_changed", "action", action, "path", path)
	}
	return needsApproval(policy.Decision{Reason: m})
}

// overlaps reports whether a call that names these files may change the subject.
func (s subject) overlaps(files []tool.FileState, folders []string) bool {
	return slices.ContainsFunc(s.files, func(mine tool.FileState) bool {
		near := func(a, b string) bool { return realpath.Contains(a, b) || realpath.Contains(b, a) }
		return slices.ContainsFunc(files, func(f tool.FileState) bool {
			return near(f.Path, mine.Path) || f.Real != "" && near(f.Real, mine.Real)
		}) || slices.ContainsFunc(folders, func(f string) bool { return realpath.Contains(f, mine.Path) || realpath.Contains(f, mine.Real) })
	})
}
