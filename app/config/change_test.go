package config

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/plan"
	"errand/policy"
)

// TestTheLineChangesTheVerdict: whatever the configuration and the question, the
// line that is named, put where it says, makes the verdict what it says.
func TestTheLineChangesTheVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	home := t.TempDir()
	file := filepath.Join(home, "errand.toml")
	load := func(doc string) *Loaded {
		t.Helper()
		must.Succeed(t, os.WriteFile(file, []byte(doc), 0o600))
		l, err := Load(Options{File: file, Env: []string{"HOME=" + home}})
		if err != nil {
			t.Fatalf("%v in\n%s", err, doc)
		}
		return l
	}
	changed := map[string]int{}
	for range 400 {
		lists := map[string]string{}
		if r.IntN(2) == 0 {
			lists["allowed_domains"] = pick(`[]`, `["@catalogue", "!bad.example"]`, `["good.example", "!youtube.com"]`, `["*", "!bad.example"]`)
		}
		if r.IntN(2) == 0 {
			lists["allow_private"] = pick(`[]`, `["127.0.0.1:11434"]`)
		}
		if r.IntN(2) == 0 {
			lists["user_goal_tools"] = pick(`[]`, `["files.*"]`, `["x"]`)
		}
		rules := ""
		for range r.IntN(3) {
			rules += fmt.Sprintf("\n[[policy.rules]]\nverdict = %q\n%s\n", pick("deny", "ask", "allow"),
				pick(`tool = "files.*"`, `host = "youtube.com"`, `host = "bad.example"`, `origin = "agent"`, `args = { "/path" = "/a*" }`))
		}
		write := func() string {
			doc := "[policy]\n"
			for _, key := range []string{"allowed_domains", "allow_private", "user_goal_tools"} {
				if lists[key] != "" {
					doc += key + " = " + lists[key] + "\n"
				}
			}
			return doc + rules
		}
		l := load(write())
		url := pick("https://youtube.com/", "https://bad.example/", "http://good.example/", "http://127.0.0.1:8080/", "https://localhost/")
		q := policy.Request{Kind: policy.KindNavigate, URL: url, Origin: plan.UserGoal}
		if r.IntN(2) == 0 {
			q = policy.Request{
				Tool: pick("files.delete_folder", "x"), Class: pick("read", "write"), Effect: pick("file", "navigate"),
				Origin: plan.Origin(pick("user_goal", "agent", "upload")), Args: map[string]any{"path": "/a/b", "url": url},
			}
		}
		c, ok := l.Gate.Change(q)
		if !ok {
			continue
		}
		line, ok := l.Line(c)
		if !ok {
			t.Fatalf("%+v has no line in\n%s", c, write())
		}
		changed[c.Key]++
		before := write()
		switch key, value, _ := strings.Cut(line.Text, " = "); {
		case strings.HasPrefix(line.Text, "[["):
			rules += "\n" + line.Text + "\n"
		case key == "verdict":
			parts := strings.Split(rules, "\n[[policy.rules]]\n")
			_, rest, _ := strings.Cut(parts[c.Index+1], "\n")
			parts[c.Index+1] = line.Text + "\n" + rest
			rules = strings.Join(parts, "\n[[policy.rules]]\n")
		default:
			lists[key] = value
		}
		was, is := l.Gate.Decide(q), load(write()).Gate.Decide(q)
		if is.Verdict != c.Verdict || is.Verdict == was.Verdict {
			t.Fatalf("%+v\nis %s by %s in\n%s\nand %s by %s, not %s, in\n%s", q, was.Verdict, was.Rule, before, is.Verdict, is.Rule, c.Verdict, write())
		}
	}
	for _, key := range []string{"allowed_domains", "allow_private", "user_goal_tools", "rules"} {
		if changed[key] < 10 {
			t.Errorf("only %d changes of %s: the test looks at little", changed[key], key)
		}
	}
}

func TestLineWhere(t *testing.T) {
	home := t.TempDir()
	l, err := Load(Options{Env: []string{"HOME=" + home, `ERRAND_POLICY_ALLOWED_DOMAINS=["a.example"]`}})
	must.Succeed(t, err)
	line, ok := l.Line(policy.Change{Key: "allowed_domains", Add: []string{"b.example"}})
	if want := `ERRAND_POLICY_ALLOWED_DOMAINS=['a.example', 'b.example']`; !ok || line.Text != want {
		t.Errorf("%+v, want %s", line, want)
	}
	if line, ok = l.Line(policy.Change{Key: "user_goal_tools", Add: []string{"x"}}); !ok || !strings.Contains(i18n.English().Text(line.Location), "errand.toml") {
		t.Errorf("%+v", line)
	}
	if line, ok = l.Line(policy.Change{Key: "allowed_domains", Remove: "!c.example"}); ok {
		t.Errorf("an entry that is not there goes: %+v", line)
	}
}
