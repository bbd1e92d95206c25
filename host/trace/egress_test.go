package trace_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/trace"
)

// TestEgress: what several stretches of a run let out is summed up, also once it
// was JSON.
func TestEgress(t *testing.T) {
	stretch := func(e trace.Egress) trace.Event {
		b := must.JSON(t, trace.EventOf("", time.Time{}, e))
		var read trace.Event
		must.Succeed(t, json.Unmarshal(b, &read))
		return read
	}
	rec := trace.Record{Events: []trace.Event{
		stretch(trace.Egress{Requests: 3, Connections: 2, Hosts: 2, Sent: 900, Received: 5_000_000_000, MaxRequests: 10}),
		{Kind: trace.KindConnection, StepID: "a1", Data: map[string]any{"host": "a.example:443", "verdict": "allow", "rule": "allowlist.listed"}},
		{Kind: trace.KindConnection, StepID: "a2", Data: map[string]any{"host": "b.example:443", "verdict": "deny", "rule": "guard.budget", "reason": "spent"}},
		{Kind: trace.KindEgress, Data: map[string]any{"requests": "many"}},
		stretch(trace.Egress{Requests: 4, Connections: 1, Hosts: 1, Sent: 200, Received: 1, Stopped: 1, MaxRequests: 20, MaxBytes: 8 << 30}),
	}, Steps: []trace.Step{{StepID: "a1"}, {StepID: "a2"}}}
	sum, noted := trace.EgressOf(rec)
	want := trace.Egress{Requests: 7, Stopped: 1, Connections: 3, Hosts: 2, Sent: 1100, Received: 5_000_000_001, MaxRequests: 20, MaxBytes: 8 << 30}
	if !noted || sum != want {
		t.Errorf("%+v, %v, want %+v", sum, noted, want)
	}
	if use := trace.UseOf(rec); use.Requests != 7 || use.Bytes != 5_000_001_101 || !slices.Equal(use.Hosts, []string{"a.example"}) {
		t.Errorf("used %+v", use)
	}
	killed := trace.Record{Events: append(rec.Events,
		trace.EventOf("", time.Time{}, trace.ConnectionNote{Host: "a.example:443", Verdict: "allow", Rule: "list", Sent: 10, Received: 90}),
		trace.EventOf("", time.Time{}, trace.ConnectionNote{Host: "[2001:db8::1]:443", Verdict: "allow", Rule: "list"}),
		trace.EventOf("", time.Time{}, trace.ConnectionNote{Host: "c.example:443", Verdict: "ask", Rule: "list"}),
	)}
	if use := trace.UseOf(killed); use.Requests != 9 || use.Bytes != 5_000_001_201 || !slices.Equal(use.Hosts, []string{"a.example", "2001:db8::1"}) {
		t.Errorf("with an attempt that was killed: used %+v", use)
	}
	if _, noted := trace.EgressOf(trace.Record{}); noted {
		t.Error("a record without any has one")
	}
}
