package plancheck

import (
	"io"
	"strings"

	"errand/app/plancheck/junit"
	"errand/planner/message"
)

// WriteJUnit writes outcomes in the JUnit form that build servers read: one
// suite a file. say renders messages.
func WriteJUnit(w io.Writer, outcomes []Outcome, say func(message.Message) string) error {
	cases := make([]junit.Case, len(outcomes))
	for i, o := range outcomes {
		cases[i] = junit.Case{File: o.Case.File, Line: o.Case.Line, Name: o.Case.Name, Time: o.Duration}
		switch {
		case o.Err != nil:
			cases[i].Error = &junit.Problem{Message: say(message.FromError(o.Err)), Type: string(o.Kind())}
		case len(o.Diffs) > 0:
			cases[i].Failure = &junit.Problem{Message: say(message.New("plan_check.differs", "fields", differences(o))), Type: string(o.Kind()), Text: Text(o, say)}
		}
	}
	return junit.Write(w, cases)
}

func differences(o Outcome) []string {
	var fields []string
	for _, d := range o.Diffs {
		fields = append(fields, d.Field)
	}
	return fields
}

// Text is a difference as a person reads it. say renders messages.
func Text(o Outcome, say func(message.Message) string) string {
	var b strings.Builder
	if o.Err != nil {
		b.WriteString(say(message.New("plan_check.text_error", "cause", o.Err)) + "\n")
	}
	for _, d := range o.Diffs {
		b.WriteString(say(message.New("plan_check.text_difference", "field", d.Field, "want", d.Want, "got", d.Got)) + "\n")
	}
	if !o.Reason.IsZero() {
		b.WriteString(say(message.New("plan_check.text_reason", "reason", o.Reason)) + "\n")
	}
	return b.String()
}
