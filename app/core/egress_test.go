package core

import (
	"testing"
)

func TestEgressX(t *testing.T) {
	a, _ := opened(t, Options{})
	r, err := a.EgressTest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v %v %v %v", r.Passed, r.Hits, r.Untried, r.Broken)
	for _, w := range r.Report.Ways {
		t.Logf("%+v", w)
	}
	for _, w := range r.Report.Works {
		t.Logf("%+v", w)
	}
}
