package app

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"errand/app/agent"
	"errand/app/runs"
	"errand/host/jobs"
	"errand/host/jobs/queue"
	"errand/host/keyfile"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// JobProgram is the opened program as jobs use it.
type JobProgram struct{ *App }

// JobProgramOf returns the program as jobs use it.
func JobProgramOf(a *App) JobProgram { return JobProgram{a} }

// Ask has a language model do a task.
func (p JobProgram) Ask(ctx context.Context, r runs.Request, o agent.TaskOptions) (runs.Report, error) {
	return p.ModelAgent.Ask(ctx, r, o)
}

// CheckTask returns why a language model can't do a task.
func (p JobProgram) CheckTask(ctx context.Context, o agent.TaskOptions) error {
	return p.ModelAgent.Check(ctx, o)
}

// callbackRequest asks policy about a callback.
func (p JobProgram) callbackRequest(address string) policy.Request {
	return policy.Request{Kind: policy.KindFetch, Origin: plan.API, Tool: "jobs.callback", URL: address, At: p.now()}
}

// CheckCallback returns why policy doesn't let an address be contacted. Whether its name leads to a
// private network is checked when it is contacted.
func (p JobProgram) CheckCallback(address string) error {
	d := p.grants.Decide(p.callbackRequest(address))
	if d.Verdict == policy.Allow {
		return nil
	}
	return tool.NewError(tool.PolicyDenied, "callback_denied", message.New("jobs.callback_denied", "reason", d.Reason)).WithHint(message.New("jobs.callback_denied_hint"))
}

// CallbackClient contacts addresses that policy allows.
func (p JobProgram) CallbackClient() (*http.Client, error) {
	g, err := p.guard()
	if err != nil {
		return nil, err
	}
	client := g.Client(p.callbackRequest(""))
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client, nil
}

// CleanError returns a typed error without secrets.
func (p JobProgram) CleanError(err error) *tool.Error {
	return p.vault.Cleaner().Error(tool.AsError(err))
}

// NewJobID makes the id of a job, which is also that of its run.
func (p JobProgram) NewJobID() string { return p.newID() }

// MaxJobTime is the most that a job may take.
func (p JobProgram) MaxJobTime() time.Duration {
	return time.Duration(p.conf.Jobs.MaxTimeMS) * time.Millisecond
}

// existingQueue opens the queue of jobs if there is one, else it returns nil.
func (p JobProgram) existingQueue(ctx context.Context) (jobs.Queue, error) {
	if p.conf.Jobs.DatabaseURL == "" {
		if _, err := os.Stat(filepath.Join(p.conf.Paths.Data, queue.File)); err != nil {
			return nil, nil
		}
	}
	return p.OpenQueue(ctx, slog.New(slog.DiscardHandler))
}

// OpenQueue opens the queue of jobs. The caller closes it.
func (p JobProgram) OpenQueue(ctx context.Context, log *slog.Logger) (jobs.Queue, error) {
	if err := p.conf.Paths.CheckData(); err != nil {
		return nil, err
	}
	key, err := keyfile.Open(p.conf.Paths.HashKey())
	if err != nil {
		return nil, message.Error("app.open_hash_key", "cause", err)
	}
	q, err := queue.Open(ctx, queue.Options{
		Dir: p.conf.Paths.Data, DatabaseURL: p.conf.Jobs.DatabaseURL, Key: key,
		Workers: p.conf.Jobs.Workers, Queue: p.conf.Jobs.Queue, MaxTime: p.MaxJobTime() + time.Minute, Log: log,
	})
	if err != nil {
		return nil, err
	}
	return q, nil
}
