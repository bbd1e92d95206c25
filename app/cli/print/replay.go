package print

import (
	"encoding/json"

	"errand/app/replay"
)

// PrintReplay prints whether a replay gave the same as its record.
func (s *Console) PrintReplay(r replay.Result) {
	s.Print("%s", r.Goal)
	if d := r.Difference; d != nil {
		where := d.Where
		if d.StepID != "" {
			where += " " + d.StepID
		}
		s.Print("%s in the %s: %s", Paint(Yellow, "differs"), where, d.Field)
		s.Print("  recorded  %s", oneLine(d.Recorded))
		s.Print("  now       %s", oneLine(d.Now))
	} else {
		s.Print("%s as recorded", Paint(Green, "the same"))
	}
	for _, n := range r.NotCompared {
		s.Note("not compared: %s", oneLine(n))
	}
	if r.Recorded != r.Now {
		s.Note("recorded by version %s, replayed by %s", r.Recorded, r.Now)
	}
}

// oneLine is a value as short JSON, or a text as it is.
func oneLine(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	if v == nil {
		return "(nothing)"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return Shorten(string(b), 400)
}
