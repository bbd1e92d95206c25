package plancheck

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes outcomes in the JUnit form that build servers read: one
// suite a file.
func WriteJUnit(w io.Writer, outcomes []Outcome) error {
	var suites junitSuites
	for _, o := range outcomes {
		n := len(suites.Suites)
		if n == 0 || suites.Suites[n-1].Name != o.Case.File {
			suites.Suites = append(suites.Suites, junitSuite{Name: o.Case.File})
			n++
		}
		suite := &suites.Suites[n-1]
		c := junitCase{
			Name: o.Case.Name, Class: o.Case.File, File: o.Case.File, Line: o.Case.Line,
			Time: fmt.Sprintf("%.6f", o.Duration.Seconds()),
		}
		switch {
		case o.Err != nil:
			suite.Errors++
			c.Error = &junitProblem{Message: o.Err.Error(), Type: string(o.Kind())}
		case len(o.Diffs) > 0:
			suite.Failures++
			c.Failure = &junitProblem{Message: "differs in " + differing(o), Type: string(o.Kind()), Text: Text(o)}
		}
		suite.Tests++
		suite.Cases = append(suite.Cases, c)
	}
	for i := range suites.Suites {
		var seconds float64
		for _, c := range suites.Suites[i].Cases {
			var t float64
			if _, err := fmt.Sscanf(c.Time, "%f", &t); err == nil {
				seconds += t
			}
		}
		suites.Suites[i].Time = fmt.Sprintf("%.6f", seconds)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
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
