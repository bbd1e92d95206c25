package run

import (
	"context"
	"slices"

	"errand/host/realpath"
	"errand/host/run/subject"
	"errand/host/tool"
)

// batchSubjects has the subject of each prepared call of a batch. A call may change the
// files of later calls: a plan makes a file and uploads it. Such changes are part of what
// the user approved, if the earlier call names the file or reports it. Others are not, also
// if they are made before the earlier call or while it runs.
type batchSubjects struct {
	verdicts []Verdict
	subjects []*subject.Subject  // nil: not prepared
	entries  []map[string]string // of the folders of each subject, when it was last as approved
	changed  []bool              // not as approved, before an earlier call could change it
	declared []string            // paths that the calls so far name as changed, or report
	index    realpath.Index      // of the calls, by the paths of their subjects, present or past
}

// setSubject sets the subject of a call.
func (b *batchSubjects) setSubject(i int, s *subject.Subject) {
	b.subjects[i] = s
	for _, f := range s.Files {
		b.index.Add(f.Path, i)
		if f.Real != f.Path {
			b.index.Add(f.Real, i)
		}
	}
}

func newBatchSubjects(verdicts []Verdict, prepared []Verdict) batchSubjects {
	b := batchSubjects{verdicts: verdicts, subjects: make([]*subject.Subject, len(verdicts)), entries: make([]map[string]string, len(verdicts)), changed: make([]bool, len(verdicts))}
	for i, v := range verdicts {
		if slices.ContainsFunc(prepared, func(p Verdict) bool { return p.ActionID == v.ActionID }) {
			s := v.subject()
			b.setSubject(i, &s)
		}
	}
	return b
}

// affectedCalls returns the calls after i that the call i may change.
func (b *batch) affectedCalls(i int) (later []int) {
	if b.e.d.o.Granted == nil || b.e.d.o.Inspect == nil || b.subjects.subjects == nil {
		return nil
	}
	v := b.subjects.verdicts[i]
	spec := v.effectiveSpec()
	if spec.SideEffectClass == tool.Read {
		return nil
	}
	folders := spec.Writable()
	paths := slices.Clone(folders)
	for _, f := range v.Files {
		paths = append(paths, f.Path, f.Real)
	}
	for _, j := range b.subjects.index.Related(paths...) {
		if s := b.subjects.subjects[j]; j != i && !b.done[j] && !b.started[j] && s.Overlaps(v.Files, folders) {
			later = append(later, j)
		}
	}
	return later
}

// isChanging reports whether a running call names files of the call i, and may change them.
func (b *batch) isChanging(i int) bool {
	s := b.subjects
	return s.subjects != nil && s.subjects[i] != nil && slices.ContainsFunc(s.verdicts, func(v Verdict) bool {
		at := b.index[v.ActionID]
		return b.started[at] && !b.done[at] && v.effectiveSpec().SideEffectClass != tool.Read && s.subjects[i].Overlaps(v.Files, nil)
	})
}

// checkAffected notes, before the call i, which later calls are not as approved.
func (b *batch) checkAffected(ctx context.Context, i int) {
	for _, j := range b.affectedCalls(i) {
		b.subjects.entries[j] = b.entries(ctx, j)
		now, ok := b.present(ctx, j)
		if _, same := b.subjects.subjects[j].Compare(now); !ok || !same {
			b.subjects.changed[j] = true
		}
	}
}

// updateAffected takes, after the call i, what it declares to have changed as part of the
// approval.
func (b *batch) updateAffected(ctx context.Context, i int) {
	for _, j := range b.affectedCalls(i) {
		now, ok := b.present(ctx, j)
		if !ok || b.subjects.changed[j] {
			continue
		}
		c := subject.Change{
			Old: *b.subjects.subjects[j], Now: now, Before: b.subjects.entries[j], After: b.entries(ctx, j), Declared: b.subjects.declared,
		}
		if c.IsExplained() {
			b.subjects.setSubject(j, &now)
		}
	}
}

// entries returns the states of the entries in the folders of a call's subject. If the call
// destroys nothing, only entries that the subject covers count.
func (b *batch) entries(ctx context.Context, j int) map[string]string {
	if b.e.d.o.Entries == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTimeout)
	defer cancel()
	spec, s := b.subjects.verdicts[j].effectiveSpec(), b.subjects.subjects[j]
	files := slices.DeleteFunc(slices.Clone(s.Files), func(f tool.FileState) bool { return !f.IsDeep() && len(s.Destroys) == 0 })
	entries, err := catchPanic(func() map[string]string { return b.e.d.o.Entries(ctx, spec, files) })
	if err != nil {
		return nil
	}
	return entries
}

// present returns the present subject of a call.
func (b *batch) present(ctx context.Context, j int) (subject.Subject, bool) {
	d, v, call := b.e.d, b.subjects.verdicts[j], b.calls[j]
	t, known := d.o.Tools.Get(call.Tool)
	args, err := tool.CopyArgs(call.Args)
	if !known || err != nil {
		return subject.Subject{}, false
	}
	call.Args, call.Effect = args, v.Effect
	ctx = tool.WithCaller(ctx, v.Spec.Caller(call))
	var fault *tool.Error
	if v.Forecast, fault = d.forecast(ctx, t, v.effectiveSpec(), call); fault != nil {
		return subject.Subject{}, false
	}
	v.Files, fault = d.inspect(ctx, v.effectiveSpec(), call)
	return v.subject(), fault == nil
}
