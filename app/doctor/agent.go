package doctor

import (
	"context"
	"time"

	"errand/host/resident"
	"errand/planner/message"
)

// Agent is what the doctor knows of the resident process.
type Agent struct {
	Status  resident.Status
	Running bool
	// Fits reports that the next goal uses the process as it is.
	Fits bool
	Idle time.Duration // after which it ends without a page
}

// agentTimeout limits the question to the process.
const agentTimeout = 3 * time.Second

// checkAgent describes the process that keeps the browser window open.
func (d *Doctor) checkAgent(ctx context.Context) Check {
	const name = "browser window"
	ctx, cancel := context.WithTimeout(ctx, agentTimeout)
	defer cancel()
	a, err := d.Agent(ctx)
	if resident.IsSilent(err) {
		return Check{name, Warn, message.FromError(err), noHint}
	}
	if err != nil {
		return Check{name, Warn, message.FromError(err), message.New("doctor.stop_agent")}
	}
	s := a.Status
	pairs := []any{"pid", s.PID, "program", s.Program, "since", s.Since.Local().Format("2006-01-02 15:04")}
	switch {
	case !a.Running:
		return Check{name, OK, message.New("doctor.agent_none"), noHint}
	case !a.Fits:
		return Check{name, OK, message.New("doctor.agent_other", pairs...), noHint}
	case s.Pages > 0:
		return Check{name, OK, message.New("doctor.agent_pages", append(pairs, "browser", s.Browser, "pages", s.Pages)...), noHint}
	}
	left := max(a.Idle-time.Duration(s.IdleSeconds)*time.Second, 0)
	return Check{name, OK, message.New("doctor.agent_idle", append(pairs, "minutes", int((left+time.Minute-1)/time.Minute))...), noHint}
}

// checkNotifications tells whether timers and reminders can be shown.
func (d *Doctor) checkNotifications(ctx context.Context) Check {
	const name = "notifications"
	ctx, cancel := context.WithTimeout(ctx, agentTimeout)
	defer cancel()
	if err := d.Notifications(ctx); err != nil {
		return Check{name, Warn, message.FromError(err), message.New("doctor.no_notifications_hint")}
	}
	return Check{name, OK, message.New("doctor.notifications"), noHint}
}

// checkUnshown warns of timers that rang where nothing showed them.
func (d *Doctor) checkUnshown(ctx context.Context) []Check {
	const name = "timers"
	switch count, err := d.Unshown(ctx); {
	case err != nil:
		return []Check{{name, Warn, message.FromError(err), noHint}}
	case count > 0:
		return []Check{{name, Warn, message.New("doctor.unshown", "count", count), message.New("doctor.unshown_hint")}}
	}
	return nil
}
