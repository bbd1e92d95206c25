package jobs

import (
	"context"
	"time"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/jobs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// goOn goes on with a recorded run. It resumes the run only if mayResume.
func (s *Service) goOn(ctx context.Context, p Program, j jobs.Job, rec trace.Record, mayResume bool) (jobs.Outcome, error) {
	switch rec.Status {
	case trace.Running:
		return s.lookAgain(j, rec), nil
	case trace.Interrupted:
		return s.resume(ctx, p, j, rec, mayResume)
	case trace.NeedsApproval:
	default:
		return s.keep(j, statusOf(rec.Status), outcomeOf(rec), time.Time{}), nil
	}
	if rec.DraftID == "" {
		return s.goOnWithoutDraft(ctx, p, j, rec, mayResume)
	}
	d, err := p.ShowDraft(ctx, rec.DraftID)
	if err != nil {
		return jobs.Outcome{}, err
	}
	out := outcomeOf(rec)
	switch {
	case d.Withheld: // the secret in its words is gone
		_, _ = p.Reject(ctx, d.DraftID)
		return s.keep(j, jobs.Failed, out, time.Time{}), nil
	case isUndecided(d):
		return s.keep(j, jobs.Waiting, out, d.ExpiresAt.Add(time.Second)), nil
	case d.State == approval.StateExpired:
		out.Error = tool.NewError(tool.PolicyDenied, drafts.CodeDraftExpired, message.New("drafts.draft_expired", "draft", d.DraftID, "time", d.ExpiresAt.Local()))
		return s.keep(j, jobs.Failed, out, time.Time{}), nil
	case d.State == approval.StateCancelled:
		return s.keep(j, jobs.Cancelled, out, time.Time{}), nil
	case d.State == approval.StateFailed: // after the record was read
		return s.lookAgain(j, rec), nil
	case mayResume: // the program that applies it, or has applied it, may be dead
		return s.resume(ctx, p, j, rec, mayResume)
	}
	return s.lookAgain(j, rec), nil // another program applies it, or has applied it after the record was read
}

// resume resumes a run if mayResume.
func (s *Service) resume(ctx context.Context, p Program, j jobs.Job, rec trace.Record, mayResume bool) (jobs.Outcome, error) {
	if !mayResume {
		return s.lookAgain(j, rec), nil
	}
	return s.carryOut(ctx, p, j, time.Duration(rec.DurationMS)*time.Millisecond, func(ctx context.Context) error {
		_, err := p.Resume(ctx, runs.ResumeRequest{ID: j.ID, States: s.listen(j.ID)})
		return err
	})
}

// lookAgain is the outcome of a run that another program has: its record tells the end.
func (s *Service) lookAgain(j jobs.Job, rec trace.Record) jobs.Outcome {
	return s.keep(j, jobs.Running, outcomeOf(rec), s.o.Now().Add(lookAgain))
}

// isUndecided reports whether a draft waits for the user.
func isUndecided(d drafts.View) bool {
	return d.State == approval.StateDraft || d.State == approval.StateBlocked
}

// goOnWithoutDraft goes on with a run that needs the user and has no draft: it has to be told whether a
// call had its effect, or it needs a host that no draft can allow. Once the user has told it, the run
// resumes.
func (s *Service) goOnWithoutDraft(ctx context.Context, p Program, j jobs.Job, rec trace.Record, mayResume bool) (jobs.Outcome, error) {
	last := map[string]trace.Step{}
	for _, step := range rec.Steps {
		last[step.StepID] = step
	}
	answered := false
	for _, step := range last {
		if step.Effect == tool.Unknown {
			return s.keep(j, jobs.Waiting, outcomeOf(rec), s.o.Now().Add(lookEffect)), nil
		}
		answered = answered || step.Status == trace.Interrupted && step.EffectKey != "" // no call has read the answer yet
	}
	if answered && mayResume {
		return s.resume(ctx, p, j, rec, mayResume)
	}
	return s.keep(j, jobs.Failed, outcomeOf(rec), time.Time{}), nil
}
