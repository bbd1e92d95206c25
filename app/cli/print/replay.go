package print

import (
	"encoding/json"

	"errand/app/replay"
	"errand/planner/message"
)

// PrintReplay prints whether a replay gave the same result as its record.
func (s *Console) PrintReplay(r replay.Result) {
	s.Printf("%s", r.Goal)
	if d := r.Difference; d != nil {
		s.Printf("%s", PaintMessage(Yellow, "cli.replay_differs", "where", placeOf(d.Location, d.StepID), "field", d.Field))
		s.Columns([][]string{
			{s.Text("cli.replay_recorded"), s.oneLine(d.Recorded)},
			{s.Text("cli.replay_now"), s.oneLine(d.Now)},
		})
	} else {
		s.Printf("%s", PaintMessage(Green, "cli.replay_same"))
	}
	for _, n := range r.NotCompared {
		s.Note("cli.replay_not_compared", "where", placeOf(n.Location, n.StepID), "field", n.Field, "why", n.Why)
	}
	if r.Recorded != r.Now {
		s.Note("cli.replay_versions", "recorded", r.Recorded, "now", r.Now)
	}
}

// placeOf names the compared part of a record.
func placeOf(where, step string) message.Message {
	return message.New("cli.replay_place", "where", where, "step", step)
}

// oneLine returns a text unchanged, and another value as short JSON.
func (s *Console) oneLine(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case message.Message:
		return s.TextOf(v)
	case nil:
		return s.Text("cli.replay_nothing")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return Shorten(string(b), 400)
}
