package planner

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

// mixedTools mixes tools, doubles one, and mixes what each of them lists.
func mixedTools(r *rand.Rand, tools []plan.Capability) []plan.Capability {
	mixed := func(s []string) []string {
		s = slices.Clone(s)
		r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		return s
	}
	out := append(slices.Clone(tools), tools[r.IntN(len(tools))])
	for i, c := range out {
		out[i].CanAchieve, out[i].Requires, out[i].Effects, out[i].Params = mixed(c.CanAchieve), mixed(c.Requires), mixed(c.Effects), mixed(c.Params)
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// TestToolsInAnyOrder: whatever becomes of a request, the order in which the
// tools are given, and in which they list what they do, decides nothing: not a
// byte of the answer, nor a word of an error.
func TestToolsInAnyOrder(t *testing.T) {
	holds := request(visit("youtube"))
	holds.World = plan.World{BrowserRunning: true, BrowserLastURL: "https://youtube.com/"}
	needy := plan.Capability{Name: "web.search", CanAchieve: []string{"browser_search"}, Requires: []string{"b", "a"}, Params: []string{"url"}}
	alike := func(names ...string) []plan.Capability { // each as near to a goal as the next
		var out []plan.Capability
		for _, n := range names {
			out = append(out, plan.Capability{Name: n + ".search", CanAchieve: []string{"search_" + n}, Effects: []string{n + "_visible", n + "_read"}, Params: []string{"x", "y"}})
		}
		return out
	}
	other := queryTool
	other.ReadOnly = false
	tests := []struct {
		name   string
		r      Request
		status plan.Status // empty: an error
	}{
		{"success", request(visit("youtube"), search("", "a"), ask("time"), file("create", "folder", "/srv/x")), plan.Success},
		{"one of many", withTools(request(launch("notepad")), func() (out []plan.Capability) {
			for _, n := range []string{"c", "a", "d", "b"} {
				out = append(out, plan.Capability{Name: n, CanAchieve: []string{"app_launch"}, Params: []string{"target", "app_name"}})
			}
			return out
		}()...), plan.Success},
		{"helper with two effects", withTools(request(search("youtube", "a")), needy,
			plan.Capability{Name: "both", Effects: []string{"b", "a"}}, plan.Capability{Name: "too", Effects: []string{"a", "b"}}), plan.Success},
		{"already satisfied", holds, plan.AlreadySatisfied},
		{"no capability", withTools(request(search("youtube", "a")), alike("bing", "ebay", "adobe", "zoom", "vk")...), plan.NoCapability},
		{"no capability for two", withTools(request(search("youtube", "a"), launch("notepad")), alike("q", "p", "r")...), plan.NoCapability},
		{"nothing near", withTools(request(launch("notepad")), alike("q", "p", "r")...), plan.NoCapability},
		{"partial", withTools(request(search("youtube", "a"), ask("time")), append(alike("q", "p", "r"), queryTool)...), plan.Partial},
		{"blocked", withTools(request(search("youtube", "a")), append(alike("q", "p"), needy)...), plan.Blocked},
		{"refused", request(file("create", "folder", "notes")), plan.Blocked},
		{"a question", request(launch("")), ""},
		{"two definitions of two tools", withTools(request(ask("time")), queryTool, other, launchTool, plan.Capability{Name: launcher}), ""},
		{"two bad facts", withTools(request(ask("time")), plan.Capability{Name: "b", Effects: []string{"!"}}, plan.Capability{Name: "a", Effects: []string{"!!x"}}), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, wantErr := planner.Plan(tt.r)
			if wantErr == nil && want.Status() != tt.status || wantErr != nil && tt.status != "" {
				t.Fatalf("%s (%v), want %s", want.Status(), wantErr, tt.status)
			}
			r := rand.New(rand.NewPCG(1, 1))
			for range 50 {
				q := tt.r
				q.Capabilities = mixedTools(r, tt.r.Capabilities)
				got, err := planner.Plan(q)
				if wantErr != nil {
					if err == nil || err.Error() != wantErr.Error() {
						t.Fatalf("error %v, want %v", err, wantErr)
					}
					continue
				}
				if diff := cmp.Diff(marshal(t, want), marshal(t, got)); err != nil || diff != "" {
					t.Fatalf("another answer (%v) (-straight +mixed):\n%s", err, diff)
				}
			}
		})
	}
}

// TestProblemsInAnyOrder does the same between facts, where tools may be named
// in a reason too.
func TestProblemsInAnyOrder(t *testing.T) {
	a, b := tool("b.lamp", nil, []string{"lamp_blue", "hall_lit"}), tool("a.lamp", nil, []string{"lamp_red", "hall_dark"})
	locked := tool("c.lamp", []string{"key", "door"}, []string{"lamp_green"})
	tests := []struct {
		status plan.Status
		p      plan.Problem
	}{
		{plan.Success, plan.Problem{Goal: []string{"lamp_red", "lamp_blue"}, Capabilities: []plan.Capability{a, b}}},
		{plan.AlreadySatisfied, plan.Problem{World: []string{"x"}, Goal: []string{"x"}, Capabilities: []plan.Capability{a, b}}},
		{plan.NoCapability, plan.Problem{Goal: []string{"lamp_on"}, Capabilities: []plan.Capability{a, b, locked}}},
		{plan.Partial, plan.Problem{Goal: []string{"lamp_red", "lamp_on"}, Capabilities: []plan.Capability{a, b, locked}}},
		{plan.Blocked, plan.Problem{Goal: []string{"lamp_green"}, Capabilities: []plan.Capability{a, b, locked}}},
	}
	for _, tt := range tests {
		t.Run(string(tt.status), func(t *testing.T) {
			want := mustSolve(t, tt.p)
			if want.Status() != tt.status {
				t.Fatalf("%s, want %s", want.Status(), tt.status)
			}
			r := rand.New(rand.NewPCG(2, 1))
			for range 50 {
				q := tt.p
				q.Capabilities = mixedTools(r, tt.p.Capabilities)
				if diff := cmp.Diff(marshal(t, want), marshal(t, mustSolve(t, q))); diff != "" {
					t.Fatalf("another answer (-straight +mixed):\n%s", diff)
				}
			}
		})
	}
}
