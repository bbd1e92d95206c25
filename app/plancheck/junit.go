package plancheck

import (
	"fmt"
	"io"
	"strings"

	"errand/app/plancheck/junit"
)

// WriteJUnit writes outcomes in the JUnit form that build servers read: one
// suite a file.
func WriteJUnit(w io.Writer, outcomes []Outcome) error {
	cases := make([]junit.Case, len(outcomes))
	for i, o := range outcomes {
		cases[i] = junit.Case{File: o.Case.File, Line: o.Case.Line, Name: o.Case.Name, Time: o.Duration}
		switch {
		case o.Err != nil:
			cases[i].Error = &junit.Problem{Message: o.Err.Error(), Type: string(o.Kind())}
		case len(o.Diffs) > 0:
			cases[i].Failure = &junit.Problem{Message: "differs in " + differing(o), Type: string(o.Kind()), Text: Text(o)}
		}
	}
	return junit.Write(w, cases)
}

func differing(o Outcome) string {
	var fields []string
	for _, d := range o.Diffs {
		fields = append(fields, d.Field)
	}
	return strings.Join(fields, ", ")
}

// Text is a difference as a person reads it.
func Text(o Outcome) string {
	var b strings.Builder
	if o.Err != nil {
		fmt.Fprintf(&b, "    %v\n", o.Err)
	}
	for _, d := range o.Diffs {
		fmt.Fprintf(&b, "    %s\n      - want %s\n      + got  %s\n", d.Field, d.Want, d.Got)
	}
	if o.Why != "" {
		fmt.Fprintf(&b, "    because: %s\n", o.Why)
	}
	return b.String()
}
