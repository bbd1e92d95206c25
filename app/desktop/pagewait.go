package desktop

import (
	"time"

	"errand/host/trace"
)

// heard takes in what a page did. It answers the run where a person is called to
// it. The caller holds l.mu.
func (l *live) heard(data map[string]any) (called *Run) {
	event, _ := data["event"].(string)
	seconds, waits := data["waits_seconds"].(int)
	switch {
	case waits:
		w := PageWait{Until: time.Now().Add(time.Duration(seconds) * time.Second).UnixMilli()}
		w.Kind, _ = data["kind"].(string)
		w.URL, _ = data["url"].(string)
		return l.wait(&w)
	case event == "challenge_solved":
		l.wait(nil)
	}
	return nil
}

// waitOver ends a wait that nobody saw to: its step, which is not named, has then
// come to an end other than done. The caller holds l.mu.
func (l *live) waitOver(status string) {
	if status != string(trace.Running) && status != string(trace.Done) {
		l.wait(nil)
	}
}

func (l *live) wait(w *PageWait) *Run {
	if w == nil && l.view.Waits == nil || l.view.RunID == "" {
		return nil
	}
	l.view.Waits = w
	l.send(RunEvent{Run: l.snapshot()})
	if w == nil {
		return nil
	}
	return l.snapshot()
}
