package rego_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/config/policyfile"
	"errand/app/rego"
	"errand/app/rego/regotest"
	"errand/build/must"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/policytest"
	policyrego "errand/policy/rego"
)

// open opens policies; the first is a.rego, the second b.rego.
func open(t testing.TB, c rego.Compiler, texts ...string) (*rego.Policy, []rego.Problem) {
	t.Helper()
	var files []policyfile.File
	for i, text := range texts {
		files = append(files, policyfile.File{Name: string(rune('a'+i)) + ".rego", Text: text})
	}
	p, problems, err := rego.Open(t.Context(), files, rego.Options{Compiler: c})
	must.Succeed(t, err)
	if p != nil {
		t.Cleanup(func() { must.Succeed(t, p.Close()) })
	}
	return p, problems
}

func call(tool, class string) policy.Request {
	return policy.Request{
		Kind: policy.KindCall, Origin: plan.UserGoal, Tool: tool, Class: class, Effect: "commit", Args: map[string]any{"path": "/home/ann/a.txt", "n": 3},
		At: time.Date(2027, 1, 4, 20, 0, 0, 0, time.UTC),
	}
}

// TestDecisions has policies, requests, and the decisions of a chain with lenient and with default
// settings.
func TestDecisions(t *testing.T) {
	c := regotest.Compiler(t)
	agent := call("files.move", "write")
	agent.Origin = plan.Agent
	approved := call("files.move", "write")
	approved.Approved = true
	read := call("files.move", "write")
	read.Readings = []policy.UntrustedRead{{Step: "a1", Tool: "web.fetch"}}
	page := policy.Request{Kind: policy.KindNavigate, Origin: plan.UserGoal, URL: "https://a.example/x", At: start}
	private := policy.Request{Kind: policy.KindFetch, Origin: plan.UserGoal, URL: "http://10.0.0.1/", At: start}
	for _, tt := range []struct {
		name   string
		policy string
		r      policy.Request
		want   string // verdict, rule and place
	}{
		{"no rule holds", `deny contains "x" if input.tool == "y"`, call("files.list", "read"), "allow read"},
		{"deny", `deny contains "not moved" if input.tool == "files.move"`, call("files.move", "write"), "deny rego:errand.deny not moved a.rego:3"},
		{"an approval lifts no ban", `deny contains "not moved" if input.tool == "files.move"`, approved, "deny rego:errand.deny not moved a.rego:3"},
		{"ask", `ask contains sprintf("may %s?", [input.tool])`, call("files.list", "read"), "ask rego:errand.ask may files.list? a.rego:3"},
		{"an approval lifts a question", "ask contains \"sure?\"", approved, "allow approved"},
		{"deny before ask", "ask contains \"sure?\"\ndeny contains \"no\"", call("files.list", "read"), "deny rego:errand.deny no a.rego:4"},
		{"allow", `allow if input.tool == "files.move"`, call("files.move", "write"), "allow rego:errand.allow a.rego:3"},
		{"allow, but what was read asks", `allow if input.tool == "files.move"`, read, "ask untrusted_text"},
		{"ask before allow", "allow := true\nask contains \"sure?\"", call("files.move", "write"), "ask rego:errand.ask sure? a.rego:4"},
		{"allow that is false", `default allow := false`, call("files.move", "write"), "ask default.ask"},
		{"allow by a branch", `allow if { input.tool == "x" } else := true if input.class == "write"`, call("files.move", "write"), "allow rego:errand.allow a.rego:3"},
		{"no allow by a branch", `allow if { input.tool == "x" } else := false if input.class == "write"`, call("files.move", "write"), "ask default.ask"},
		{"a value of allow", `allow := input.class == "write"`, call("files.move", "write"), "allow rego:errand.allow a.rego:3"},
		{"the actor", `deny contains "agents don't move" if { input.actor.kind == "agent"; input.action == "call" }`, agent, "deny rego:errand.deny agents don't move a.rego:3"},
		{"an argument", `deny contains "odd" if input.args.n == 3`, call("files.list", "read"), "deny rego:errand.deny odd a.rego:3"},
		{"the hour", `deny contains "after work" if time.clock(time.parse_rfc3339_ns(input.at))[0] >= 18`, call("files.list", "read"), "deny rego:errand.deny after work a.rego:3"},
		{"a page", `deny contains "not there" if { input.action == "open"; endswith(input.host, ".example") }`, page, "deny rego:errand.deny not there a.rego:3"},
		{"allow lists no host", `allow := true`, page, "ask allowlist.unlisted"},
		{"allow opens no private address", `allow := true`, private, "deny floor.private_address"},
		{"a message that is no text", `deny contains {"code": 7} if true`, call("files.list", "read"), `deny rego:errand.deny {"code":7} a.rego:3`},
		{"rules that contradict each other", "p := 1 if input.class\np := 2 if input.tool\ndeny contains \"x\" if p == 3", call("files.list", "read"), "deny rego.failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, problems := open(t, c, "package errand\n\n"+tt.policy)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			settings, err := policy.New(policy.Settings{})
			must.Succeed(t, err)
			chain := policy.NewChain(settings, p)
			got, steps := chain.Explain(tt.r)
			text := got.Verdict.String() + " " + got.Rule
			for _, key := range []string{"message", "file"} {
				if v, ok := got.Reason.Params[key].(string); ok && v != "" && strings.HasPrefix(got.Rule, "rego:") {
					text += " " + v
				}
			}
			if line, ok := got.Reason.Params["line"]; ok {
				text += fmt.Sprintf(":%v", line)
			}
			if text != tt.want {
				t.Errorf("%s, want %s", text, tt.want)
			}
			if strings.HasPrefix(got.Rule, "rego:") {
				if !slices.Contains(got.Flags, got.Rule) {
					t.Errorf("the flags %q lack the rule", got.Flags)
				}
				if last := steps[len(steps)-1]; last.Name != "rego" || last.Rule != got.Rule {
					t.Errorf("explained by %+v", last)
				}
			}
		})
	}
}

var start = time.Date(2027, 1, 4, 20, 0, 0, 0, time.UTC)

// TestPackages tests rules of several files and packages: a package below errand decides too, another
// one only helps.
func TestPackages(t *testing.T) {
	p, problems := open(t, regotest.Compiler(t),
		"package errand\n\nimport data.lists\n\ndeny contains \"listed\" if input.tool in lists.bad\n",
		"package lists\n\nbad := {\"files.move\"}\n\ndeny contains \"not asked\" if true\n",
		"package errand.work.hours\n\nask contains \"late\" if input.class == \"write\"\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if d := p.Decide(call("files.move", "write")); d.Rule != "rego:errand.deny" {
		t.Errorf("%+v", d)
	}
	if d := p.Decide(call("files.copy", "write")); d.Rule != "rego:errand.work.hours.ask" {
		t.Errorf("%+v", d)
	}
	if d := p.Decide(call("files.list", "read")); d.Verdict != policy.Allow {
		t.Errorf("%+v", d)
	}
}

// TestFaults has policies that can't be compiled, with the file and line of what is wrong.
func TestFaults(t *testing.T) {
	c := regotest.Compiler(t)
	for _, tt := range []struct {
		name, policy string
		line         int
		want         string
	}{
		{"not Rego", "package errand\n\ndeny contains if {", 3, "unexpected"},
		{"a function of the network", "package errand\n\ndeny contains \"x\" if {\n\thttp.send({\"url\": \"https://a.example/\"})\n}", 4, "http.send is not allowed"},
		{"the clock", "package errand\n\ndeny contains \"x\" if time.now_ns() > 3", 3, "time.now_ns is not allowed"},
		{"chance", "package errand\n\nask contains \"x\" if rand.intn(\"a\", 3) == 1", 3, "rand.intn is not allowed"},
		{"an unknown function", "package errand\n\ndeny contains \"x\" if nothing(3)", 3, "undefined function nothing"},
		{"an unsafe variable", "package errand\n\ndeny contains x if true", 3, "unsafe"},
		{"types that don't fit", "package errand\n\nn := 1 + count(3)\n\ndeny contains \"x\" if n == 1", 3, "count"},
		{"deny that is no set", "package errand\n\ndeny if input.tool == \"x\"", 3, "deny contains"},
		{"allow that is a set", "package errand\n\nallow contains \"x\" if true", 3, "allow if"},
		{"a rule that needs itself", "package errand\n\np if q\n\nq if p\n\ndeny contains \"x\" if p", 3, "recursive"},
		{"the reserved package", "package errand_entry\n\nx := 1", 1, "reserved"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, problems := open(t, c, tt.policy)
			if p != nil || len(problems) == 0 {
				t.Fatalf("opened, %v", problems)
			}
			if f := problems[0]; f.File != "a.rego" || f.Line != tt.line || !strings.Contains(f.Message, tt.want) {
				t.Errorf("%+v, want line %d and %q", f, tt.line, tt.want)
			}
		})
	}
}

// TestTimeLimit tests that a policy that takes too long denies, in time, and works for the next
// request.
func TestTimeLimit(t *testing.T) {
	p, problems := open(t, regotest.Compiler(t), `package errand

deny contains "never" if {
	input.tool == "slow"
	n := numbers.range(1, 3000)
	count([1 | some i in n; some j in n; some k in n; i * j * k == 7]) == 8
}
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d := p.Decide(call("slow", "read"))
	if d.Verdict != policy.Deny || d.Rule != policyrego.RuleTimeout || !slices.Contains(d.Flags, policyrego.FlagTimeout) {
		t.Errorf("%+v", d)
	}
	if d := p.Decide(call("files.list", "read")); d.Verdict != policy.Allow {
		t.Errorf("afterwards %+v", d)
	}
}

// TestCompilerIsMissing tests that policies without a compiler are an error.
func TestCompilerIsMissing(t *testing.T) {
	files := []policyfile.File{{Name: "a.rego", Text: "package errand"}}
	for _, c := range []rego.Compiler{{}, {Path: filepath.Join(t.TempDir(), "none")}} {
		if p, _, err := rego.Open(t.Context(), files, rego.Options{Compiler: c}); err == nil || p != nil {
			t.Errorf("%+v: opened", c)
		}
	}
}

// TestKept tests that a policy is compiled once, and again if its kept form was changed.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "starts")
	real := regotest.Compiler(t)
	script := filepath.Join(dir, "compiler")
	must.Succeed(t, os.WriteFile(script, []byte("#!/bin/sh\necho start >>"+log+"\nexec "+real.Path+" \"$@\"\n"), 0o755))
	o := rego.Options{Compiler: rego.Compiler{Path: script}, CacheDir: filepath.Join(dir, "cache"), KeyFile: filepath.Join(dir, "key")}
	openText := func(text string) *rego.Policy {
		t.Helper()
		p, problems, err := rego.Open(t.Context(), []policyfile.File{{Name: "a.rego", Text: text}, {Name: "a_test.rego", Text: "package none"}}, o)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		t.Cleanup(func() { must.Succeed(t, p.Close()) })
		return p
	}
	starts := func() int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), "start")
	}
	first := openText("package errand\ndeny contains \"x\" if input.class == \"write\"")
	again := openText("package errand\ndeny contains \"x\" if input.class == \"write\"")
	if starts() != 1 || first.Digest() != again.Digest() || again.Decide(call("files.move", "write")).Verdict != policy.Deny {
		t.Errorf("%d starts, digests %s and %s", starts(), first.Digest(), again.Digest())
	}
	if other := openText("package errand"); starts() != 2 || other.Digest() == first.Digest() {
		t.Errorf("%d starts after a change, digest %s", starts(), other.Digest())
	}
	must.Succeed(t, filepath.WalkDir(o.CacheDir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".wasm" {
			err = os.WriteFile(path, []byte("changed"), 0o600)
		}
		return err
	}))
	if changed := openText("package errand\ndeny contains \"x\" if input.class == \"write\""); starts() != 3 || changed.Digest() != first.Digest() {
		t.Errorf("%d starts after the kept form was changed, digest %s", starts(), changed.Digest())
	}
}

// TestRunsTests tests the outcomes of tests of policies.
func TestRunsTests(t *testing.T) {
	results, problems, err := regotest.Compiler(t).Test(t.Context(), []policyfile.File{
		{Name: "a.rego", Text: "package errand\n\ndeny contains \"no\" if input.tool == \"x\"\n"},
		{Name: "a_test.rego", Text: "package errand_test\n\nimport data.errand\n\ntest_good if count(errand.deny) == 1 with input as {\"tool\": \"x\"}\n\ntest_bad if {\n\tprint(\"saw\", errand.deny)\n\tcount(errand.deny) == 1 with input as {\"tool\": \"y\"}\n}\n\ntodo_test_later if false\n"},
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	want := []rego.TestResult{
		{Package: "data.errand_test", Name: "test_good", File: "a_test.rego", Line: 5, Outcome: "pass"},
		{Package: "data.errand_test", Name: "test_bad", File: "a_test.rego", Line: 7, Outcome: "fail", Output: "saw set()\n"},
		{Package: "data.errand_test", Name: "todo_test_later", File: "a_test.rego", Line: 12, Outcome: "skip"},
	}
	if d := cmp.Diff(want, results); d != "" {
		t.Error(d)
	}
}

// TestContract runs the contract of deciders on a chain with a policy in Rego.
func TestContract(t *testing.T) {
	p, problems := open(t, regotest.Compiler(t), "package errand\n\ndeny contains \"x\" if input.tool == \"never.used\"")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	policytest.Run(t, policy.Chain{}, func(t *testing.T, s policy.Settings) policy.Decider {
		settings, err := policy.New(s)
		must.Succeed(t, err)
		return policy.NewChain(settings, p)
	})
}

// BenchmarkDecide is one decision by a policy with rules of each kind.
func BenchmarkDecide(b *testing.B) {
	p, problems := open(b, regotest.Compiler(b), "package errand\n\nlocked := {\"mail.send\", \"pay.bill\"}\n\ndeny contains sprintf(\"%s is locked\", [input.tool]) if input.tool in locked\n\nask contains \"late\" if {\n\tinput.class == \"write\"\n\tendswith(input.at, \"T23:00:00Z\")\n}\n\nallow if startswith(input.args.path, \"/home/ann/\")\n")
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	r := call("files.move", "write")
	for b.Loop() {
		if d := p.Decide(r); d.Rule != "rego:errand.allow" {
			b.Fatal(d)
		}
	}
}

// BenchmarkOpen opens a policy that was compiled before.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	o := rego.Options{Compiler: regotest.Compiler(b), CacheDir: filepath.Join(dir, "cache"), KeyFile: filepath.Join(dir, "key")}
	files := []policyfile.File{{Name: "a.rego", Text: "package errand\n\ndeny contains \"x\" if input.tool == \"x\"\n"}}
	for b.Loop() {
		p, _, err := rego.Open(b.Context(), files, o)
		if err != nil {
			b.Fatal(err)
		}
		must.Succeed(b, p.Close())
	}
}
