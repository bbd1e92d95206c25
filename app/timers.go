package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"errand/app/planning"
	"errand/app/runs"
	"errand/app/schedule"
	"errand/host/desktop/bus"
	"errand/host/desktop/notify"
	host "errand/host/resident"
	"errand/host/store"
	"errand/host/timers"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// maxScheduledRuns is among how many of the newest runs that of a goal for later is looked for.
const maxScheduledRuns = 200

// noticeTimeout bounds the question whether the desktop shows notifications.
const noticeTimeout = 2 * time.Second

// Timers is what is due later.
type Timers struct{ app *App }

// TimersOf returns what is due later in a program.
func TimersOf(a *App) Timers { return Timers{a} }

// tools returns the tools for timers.
func (t Timers) tools() []tool.Tool {
	a := t.app
	return timers.Tools(timers.Options{Store: a.storage, Now: func() time.Time { return a.now() }, Changed: func(ctx context.Context) bool {
		return a.Agent().wake(ctx)
	}, Notifies: func(ctx context.Context) bool {
		ctx, cancel := context.WithTimeout(ctx, noticeTimeout)
		defer cancel()
		return notify.Check(ctx) == nil
	}})
}

// List lists what is pending, by its time.
func (t Timers) List(ctx context.Context) ([]store.Timer, error) {
	if !t.hasRecord() {
		return []store.Timer{}, nil
	}
	s, err := t.app.storage()
	if err != nil {
		return nil, err
	}
	return s.Timers(ctx)
}

// Unshown returns what rang and was not shown, because nothing here shows notifications.
func (t Timers) Unshown(ctx context.Context) ([]schedule.Notice, error) {
	if !t.hasRecord() {
		return nil, nil
	}
	s, err := t.app.storage()
	if err != nil {
		return nil, err
	}
	return schedule.Unshown(ctx, s, t.app.now(), t.app.Agent().findScheduled)
}

// TakeUnshown returns what rang and was not shown, as texts that the caller shows now. It returns each once.
func (t Timers) TakeUnshown(ctx context.Context) ([]message.Message, error) {
	notices, err := t.Unshown(ctx)
	if err != nil || len(notices) == 0 {
		return nil, err
	}
	s, err := t.app.storage()
	if err != nil {
		return nil, err
	}
	said := make([]message.Message, len(notices))
	for i, n := range notices {
		said[i] = n.Message(t.zone())
	}
	return said, schedule.Settle(ctx, s, t.app.now(), notices)
}

// zone is the zone in which times are said.
func (t Timers) zone() *time.Location { return t.app.now().Location() }

// hasRecord reports whether there is a record, which is not made only to look for timers.
func (t Timers) hasRecord() bool {
	return t.app.conf.Paths.Data != "" && store.HasRecord(t.app.conf.Paths.Data)
}

// KeepTimers starts the resident process if something is due later and it does not run. A program calls
// it when it has used the record anyway. It reports false if something is due that no process will show.
func (a Agent) KeepTimers(ctx context.Context) (kept bool) {
	all, err := TimersOf(a.App).List(ctx)
	return err != nil || len(all) == 0 || a.wake(ctx)
}

// wake makes the resident process look at the timers, and starts it if there is none. It reports whether
// there is one.
func (a Agent) wake(ctx context.Context) bool {
	if s := a.ownScheduler.Load(); s != nil { // this is the process
		s.Wake()
		return true
	}
	if _, ok := a.place(); !ok || len(a.o.Program) == 0 || a.o.Demo {
		return false
	}
	answer, err := a.client().Do(ctx, host.Request{Do: host.DoWake, Bus: bus.SessionAddress()}, host.Events{}, nil)
	return err == nil && answer.Err == nil
}

// scheduler shows and runs what is due.
func (a Agent) scheduler(log *slog.Logger) *schedule.Scheduler {
	s := schedule.New(schedule.Options{
		Store: a.storage, HasStore: TimersOf(a.App).hasRecord, Now: func() time.Time { return a.now() }, Log: log,
		Show: func(ctx context.Context, n schedule.Notice) error {
			if a.o.Text == nil {
				return message.Error("timer.no_notifications")
			}
			return notify.Show(ctx, a.o.Text(n.Message(TimersOf(a.App).zone())))
		},
		Start: a.startScheduled,
		Ended: a.findScheduled,
		Read:  a.readScheduled,
		Changed: func(pending bool) {
			if err := a.autostart().Set(pending); err != nil && log != nil {
				log.Warn("autostart", "error", err)
			}
		},
	})
	a.ownScheduler.Store(s)
	return s
}

// autostart is the entry that brings the resident process back at login.
func (a Agent) autostart() schedule.Autostart {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || a.o.Demo || a.conf.Paths.Config == "" || len(a.o.Program) == 0 {
		return schedule.Autostart{}
	}
	words, err := a.command()
	if err != nil {
		return schedule.Autostart{}
	}
	return schedule.Autostart{Folder: filepath.Join(filepath.Dir(a.conf.Paths.Config), "autostart"), Command: words}
}

// startScheduled runs a goal that is due, and says how it ended. Nothing that needs approval runs, and
// no host is allowed: it waits as a draft.
func (a Agent) startScheduled(ctx context.Context, words string) message.Message {
	report, err := a.Start(ctx, runs.Request{Origin: plan.Schedule, Words: words})
	switch {
	case err != nil:
		return message.FromError(err)
	case report.Draft != nil:
		return message.New("timer.waits_for_approval", "draft", report.DraftID)
	case report.Error != nil:
		return report.Error.Message
	case report.Status == trace.Done && !report.Answer.IsZero():
		return report.Answer
	case report.Status == trace.Done:
		return message.New("timer.goal_done")
	}
	return message.New("timer.goal_not_done", "run", report.RunID)
}

// findScheduled says how the run ended that a claim of a goal started.
func (a Agent) findScheduled(ctx context.Context, c store.TimerClaim) (message.Message, bool) {
	s, err := a.storage()
	if err != nil {
		return message.Message{}, false
	}
	all, err := s.Runs(ctx, maxScheduledRuns)
	if err != nil {
		return message.Message{}, false
	}
	var found trace.Run
	for _, r := range all { // the newest come first
		result, err := planning.ReadResult(r.Result)
		made, planned := result.Plan()
		isOther := err == nil && planned && made.Origin() != plan.Schedule
		if !isOther && r.Goal == c.Text && !r.StartedAt.Before(c.ClaimedAt.Add(-time.Second)) {
			found = r
		}
	}
	switch {
	case !slices.Contains([]trace.Status{trace.Done, trace.Failed, trace.Denied, trace.NeedsApproval}, found.Status):
		return message.Message{}, false
	case found.DraftID != "":
		return message.New("timer.waits_for_approval", "draft", found.DraftID), true
	case found.Error != nil:
		return found.Error.Message, true
	case found.Status != trace.Done:
		return message.New("timer.goal_not_done", "run", found.RunID), true
	case found.Answer.IsZero():
		return message.New("timer.goal_done"), true
	}
	return found.Answer, true
}

// textOf writes a message that the resident process makes itself.
func (a Agent) textOf(m message.Message) string {
	if a.o.Text == nil {
		return m.String()
	}
	return a.o.Text(m)
}

// readScheduled reads the text of a page that is watched. The run is in the record, as any other.
func (a Agent) readScheduled(ctx context.Context, address string) ([]string, error) {
	report, err := a.Start(ctx, runs.Request{Origin: plan.Schedule, Words: a.textOf(message.New("timer.look_words", "address", address)), Goals: []plan.Goal{{GoalType: plan.BrowserNavigate, Target: address, Action: plan.ReadAction, ObjectType: "page"}}})
	switch {
	case err != nil:
		return nil, err
	case report.Draft != nil:
		return nil, message.Error("timer.waits_for_approval", "draft", report.DraftID)
	case report.Error != nil:
		return nil, report.Error
	case report.Status != trace.Done:
		return nil, message.Error("timer.goal_not_done", "run", report.RunID)
	}
	for _, step := range slices.Backward(report.Steps) {
		if payload, ok := step.Payload.(map[string]any); ok {
			if text, ok := payload["text"].(string); ok {
				return strings.Split(text, "\n"), nil
			}
		}
	}
	return nil, message.Error("timer.goal_not_done", "run", report.RunID)
}

// Line says one in a line.
func (t Timers) Line(timer store.Timer) message.Message { return timers.Line(timer, t.zone()) }

// Cancel cancels one by its id, in a run that can be undone, and returns what it was. The words are the goal of the
// run, in a language. Without a report there was no run: the id is unknown, for example.
func (t Timers) Cancel(ctx context.Context, id, language string, words func(message.Message) string) (store.Timer, runs.Report, error) {
	all, err := t.List(ctx)
	if err != nil {
		return store.Timer{}, runs.Report{}, err
	}
	i := slices.IndexFunc(all, func(timer store.Timer) bool { return strings.EqualFold(timer.ID, id) })
	if i < 0 {
		return store.Timer{}, runs.Report{}, tool.NewError(tool.ValidationError, "no_such_timer", message.New("timer.unknown_id", "id", id)).WithHint(message.New("timer.unknown_id_hint"))
	}
	timer := all[i]
	specs, err := t.app.Tools(ctx)
	if err != nil {
		return timer, runs.Report{}, err
	}
	args, err := json.Marshal(map[string]string{"id": timer.ID})
	if err != nil {
		return timer, runs.Report{}, err
	}
	p, err := t.app.PlanCall(planning.Call{Tool: timers.CancelName, Args: args, Language: language}, specs)
	if err != nil {
		return timer, runs.Report{}, err
	}
	report, err := t.app.Start(ctx, runs.Request{Origin: plan.UserGoal, Yes: true, Plan: &runs.Plan{
		Plan: p, Words: words(message.New("timer.cancel_words", "kind", timer.Kind, "text", timer.Text, "id", timer.ID)),
	}})
	return timer, report, err
}
