package junit_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"errand/app/plancheck/junit"
	"errand/build/must"
)

// TestWrite: a suite for each file, counted, and whatever stands in a message
// stays XML.
func TestWrite(t *testing.T) {
	var out strings.Builder
	must.Succeed(t, junit.Write(&out, []junit.Case{
		{File: "a.toml", Line: 3, Name: "good", Time: time.Second},
		{File: "a.toml", Name: "bad", Time: time.Second, Failure: &junit.Problem{Message: `<"&'>`, Type: "x", Text: "]]>\x01"}},
		{File: "b.toml", Name: "broken", Error: &junit.Problem{Message: "m"}},
	}))
	for _, want := range []string{
		`<testsuite name="a.toml" tests="2" failures="1" errors="0" time="2.000000">`,
		`<testsuite name="b.toml" tests="1" failures="0" errors="1" time="0.000000">`,
		`<testcase name="good" classname="a.toml" file="a.toml" line="3" time="1.000000">`,
		`message="&lt;&#34;&amp;&#39;&gt;"`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
	var any struct{}
	if err := xml.Unmarshal([]byte(out.String()), &any); err != nil {
		t.Error(err)
	}
}
