// Package junit writes outcomes of checks in the JUnit form that build servers
// read.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// Case is the outcome of one check.
type Case struct {
	File    string // the file that it stands in; cases of one file are a suite
	Line    int    // 0 where there is none
	Name    string
	Time    time.Duration
	Failure *Problem // what came out otherwise
	Error   *Problem // why it could not be checked
}

// Problem is what went wrong with a check.
type Problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Time     string     `xml:"time,attr"`
	Cases    []testcase `xml:"testcase"`
	total    time.Duration
}

type testcase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Time    string   `xml:"time,attr"`
	Failure *Problem `xml:"failure"`
	Error   *Problem `xml:"error"`
}

// Write writes cases, those of a file next to each other, as one document.
func Write(w io.Writer, cases []Case) error {
	var doc suites
	for _, c := range cases {
		n := len(doc.Suites)
		if n == 0 || doc.Suites[n-1].Name != c.File {
			doc.Suites = append(doc.Suites, suite{Name: c.File})
			n++
		}
		s := &doc.Suites[n-1]
		s.Tests++
		if c.Error != nil {
			s.Errors++
		} else if c.Failure != nil {
			s.Failures++
		}
		s.total += c.Time
		s.Time = seconds(s.total)
		s.Cases = append(s.Cases, testcase{c.Name, c.File, c.File, c.Line, seconds(c.Time), c.Failure, c.Error})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }
