package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"
)

// job is a job as the API shows it.
type job struct {
	JobID      string `json:"job_id"`
	Status     string
	DraftID    string `json:"draft_id"`
	RunID      string `json:"run_id"`
	StopReason string `json:"stop_reason"`
	Steps      int
	Error      *struct{ Code, Message string }

	number, kind string
	later        bool   // drafts are approved for the server, which runs them
	said         string // by the program about the last decision
}

// String is the job with its error.
func (j job) String() string {
	s := fmt.Sprintf("%s %s (%s) is %s, %q", j.kind, j.number, j.JobID, j.Status, j.StopReason)
	if j.Error != nil {
		s += ", " + j.Error.Code + ": " + j.Error.Message
	}
	return s
}

// hasEnded reports whether the job has its last status.
func (j job) hasEnded() bool {
	return j.Status == "done" || j.Status == "failed" || j.Status == "cancelled"
}

// load submits jobs to a server and decides about their drafts, as a client and a user do.
type load struct {
	server *server
	random *rand.Rand
	pause  time.Duration // between two looks at the jobs
	browse int           // every browse-th job uses the browser

	mu     sync.Mutex
	number int
	open   []job
	ended  []job
	faults []string
}

// atOnce is the number of a server's jobs that have not ended.
const atOnce = 4

// work keeps the server busy until stop is closed, and then until all jobs have ended or patience is
// over.
func (l *load) work(stop <-chan struct{}, patience time.Duration) {
	var deadline <-chan time.Time
	tick := time.NewTicker(l.pause)
	defer tick.Stop()
	for stopped := false; ; {
		select {
		case <-stop:
			if !stopped {
				stopped, deadline = true, time.After(patience)
			}
		default:
		}
		if stopped && len(l.open) == 0 {
			return
		}
		if !stopped && len(l.open) < atOnce {
			l.submit()
		}
		l.look()
		select {
		case <-tick.C:
		case <-deadline:
			for _, j := range l.open {
				l.complain("the job has not ended: %v; the last decision: %s; its draft: %s", j, j.said, l.server.draft(j.DraftID))
			}
			return
		}
	}
}

func (l *load) complain(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, l.server.name+": "+fmt.Sprintf(format, args...))
}

var kindNames = []string{"reads", "writes", "twice", "rejected", "denied", "malformed", "fails", "idles", "endless", "long", "cancelled", "goal", "goalwrites"}

// submit creates a job.
func (l *load) submit() {
	l.number++
	j := job{number: fmt.Sprint(l.number), kind: kindNames[l.number%len(kindNames)], later: l.number%2 == 0}
	if l.browse > 0 && l.number%l.browse == l.browse/2 {
		j.kind = "browses"
	}
	input := map[string]any{"task": fmt.Sprintf("soak %s %s %s", l.server.name, j.number, j.kind)}
	kind := "agent_run"
	switch j.kind {
	case "goal":
		kind, input = "goal_run", map[string]any{"goal": j.number + " * 7"}
	case "goalwrites":
		kind, input = "goal_run", map[string]any{"goal": "create a folder called Goal" + j.number + " in Documents"}
	}
	if err := os.WriteFile(l.server.path(effectsOf(j.number)), nil, 0o600); err != nil {
		l.complain("%v", err)
	}
	body := map[string]any{"session_id": "soak-" + j.number, "job_type": kind, "input_data": input}
	for {
		err := l.server.ask("POST", "/jobs/create", j.number, body, &j)
		switch {
		case err == nil:
			l.open = append(l.open, j)
			return
		case errors.Is(err, errRefused) || l.server.t.Context().Err() != nil:
			l.complain("create %s: %v", j.kind, err)
			return
		}
	} // the server was killed
}

// look asks for the jobs that have not ended, and decides about their drafts.
func (l *load) look() {
	var open []job
	for _, j := range l.open {
		draft := j.DraftID
		j.DraftID, j.Error = "", nil
		if err := l.server.ask("GET", "/jobs/"+j.JobID, "", nil, &j); err != nil {
			if errors.Is(err, errRefused) {
				l.complain("%v", err)
			}
			j.DraftID = draft
			open = append(open, j)
			continue
		}
		switch {
		case j.hasEnded():
			l.ended = append(l.ended, j)
			continue
		case j.kind == "cancelled" && l.random.IntN(4) == 0:
			_ = l.server.ask("POST", "/jobs/"+j.JobID+"/cancel", "", nil, &struct{}{}) // it may end meanwhile
		case j.Status == "waiting" && j.DraftID == "":
			j.said = l.answer(j)
		case j.Status == "waiting":
			j.said = l.decide(j)
		}
		open = append(open, j)
	}
	l.open = open
}

// decide approves or rejects the draft of a job.
func (l *load) decide(j job) string {
	switch {
	case j.kind == "rejected":
		return outcomeOf(l.server.run("reject", j.DraftID))
	case j.later:
		return outcomeOf(l.server.run("approve", j.DraftID, "--no-apply"))
	}
	return outcomeOf(l.server.run("approve", j.DraftID))
}

// answer tells whether the calls had their effect of which nobody can know, as the user does who looks
// for it.
func (l *load) answer(j job) string {
	var rec struct {
		Steps []struct {
			StepID   string `json:"step_id"`
			ToolName string `json:"tool_name"`
			Effect   string
			Args     struct{ Path, Text string }
		}
	}
	if err := json.Unmarshal(l.server.run("show", j.RunID), &rec); err != nil {
		l.complain("the record of %s: %v", j.RunID, err)
		return "nothing"
	}
	for _, s := range rec.Steps {
		if s.Effect != "UNKNOWN" {
			continue
		}
		said := "not-done"
		if b, err := os.ReadFile(s.Args.Path); err == nil && strings.Contains("\n"+string(b), "\n"+s.Args.Text) {
			said = "done"
		}
		l.server.run("answer", j.RunID, s.StepID+"="+said)
	}
	return outcomeOf(l.server.run("resume", j.RunID))
}

// outcomeOf is the status that a command printed, and its error.
func outcomeOf(out []byte) string {
	var said struct {
		Status string
		State  string
		Error  struct{ Code, Message string }
	}
	if err := json.Unmarshal(out, &said); err != nil {
		return fmt.Sprintf("%v in %.200q", err, out)
	}
	return fmt.Sprint(said.Status, said.State, " ", said.Error.Code, " ", said.Error.Message)
}
