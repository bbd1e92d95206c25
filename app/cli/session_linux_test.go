package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/build/tier"
)

// step is a row of a table in testdata/session: what the user says, and what is there afterwards.
type step struct {
	line   int
	words  string // "!" before them: they fail; "?": Errand asks for approval or an answer
	page   string // that is in front, without https://; "": no browser is left
	title  string
	tabs   int
	scroll string   // top, middle or bottom
	served []string // the pages that the demo site served
	prints string   // a regular expression
}

// Words of steps that are no goals.
const (
	approve     = "<approve>"      // the last draft
	killApprove = "<approve+kill>" // the resident process is killed after the site has served the page
)

// readSession reads a table.
func readSession(t *testing.T, name string) (steps []step) {
	t.Helper()
	for i, line := range strings.Split(string(must.ReadFile(t, filepath.Join("testdata/session", name))), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) != 7 {
			t.Fatalf("%s:%d: %d cells, want 7", name, i+1, len(cells))
		}
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		tabs, err := strconv.Atoi(cells[3])
		must.Succeed(t, err)
		steps = append(steps, step{i + 1, cells[0], cells[1], cells[2], tabs, cells[4], strings.Fields(cells[5]), cells[6]})
	}
	return steps
}

// conversation is a session with the program on a screen, in one language.
type conversation struct {
	*screen
	tools  *devtools
	served int    // lines of the log that were looked at
	draft  string // that was asked about last
	said   []string
}

// log returns the pages that the demo site served since the last call, by the log of the resident
// process, which outlives it.
func (c *conversation) log() (pages []string) {
	c.t.Helper()
	b, err := os.ReadFile(filepath.Join(c.home, ".local/state/errand/agentd.log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.t.Fatal(err)
	}
	all := regexp.MustCompile(`msg="demo page" url="?https://([^"\s]*)`).FindAllStringSubmatch(string(b), -1)
	for _, m := range all[c.served:] {
		pages = append(pages, m[1])
	}
	c.served = len(all)
	return pages
}

var draftToApprove = regexp.MustCompile(`errand approve (\S+)`)

// say does what a step says, and returns what is printed and the exit code.
func (c *conversation) say(words string) (string, int) {
	c.t.Helper()
	args := []string{"demo", words}
	if strings.HasPrefix(words, "<") {
		args = []string{"approve", c.draft}
	} else {
		c.said = append(c.said, words)
	}
	cmd := c.command(args...)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	var served <-chan struct{}
	agent := 0
	if words == killApprove {
		agent, served = c.demoAgent(), c.tools.holdAnswers("intel")
	}
	must.Succeed(c.t, cmd.Start())
	if agent != 0 {
		c.await(served)
		must.Succeed(c.t, syscall.Kill(agent, syscall.SIGKILL))
	}
	err := cmd.Wait()
	if m := draftToApprove.FindStringSubmatch(out.String()); m != nil {
		c.draft = m[1]
	}
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		return out.String(), exit.ExitCode()
	}
	must.Succeed(c.t, err)
	return out.String(), 0
}

func (c *conversation) await(served <-chan struct{}) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 30*time.Second)
	defer cancel()
	select {
	case <-served:
	case <-ctx.Done():
		c.t.Fatal("the site has not served the page")
	}
}

// demoAgent is the id of the resident process, which has to be the only one.
func (c *conversation) demoAgent() int {
	c.t.Helper()
	agents := c.agents()
	if len(agents) != 1 {
		c.t.Fatalf("%d resident processes", len(agents))
	}
	pid, err := strconv.Atoi(agents[0])
	must.Succeed(c.t, err)
	return pid
}

// look returns a row with what is there now.
func (c *conversation) look(s step) step {
	c.t.Helper()
	got := step{line: s.line, words: s.words, prints: s.prints, served: c.log()}
	if s.page == "" {
		poll.Await(c.t, "the browser ends", func() bool { return c.tools.browsers() == 0 })
		return got
	}
	p, scroll := c.tools.front()
	got.page, got.title, got.scroll = strings.TrimPrefix(p.URL, "https://"), p.Title, scroll
	got.tabs = len(c.tools.pages())
	if n, windows := c.tools.browsers(), c.tools.windows(); n != 1 || windows != 1 || len(c.agents()) != 1 {
		c.t.Errorf("%d: %s: %d browsers with %d windows of %d processes", s.line, s.words, n, windows, len(c.agents()))
	}
	return got
}

func (s step) String() string {
	return strings.Join([]string{s.words, s.page, s.title, fmt.Sprint(s.tabs), s.scroll, strings.Join(s.served, " "), s.prints}, " | ")
}

// recorded lists the goals of the record, the first one first.
func (c *conversation) recorded() (goals []string) {
	c.t.Helper()
	var list struct {
		Runs []struct{ Goal string } `json:"runs"`
	}
	must.Succeed(c.t, json.Unmarshal([]byte(c.run("runs", "--json", "--limit", "200")), &list))
	for _, r := range list.Runs {
		goals = append(goals, r.Goal)
	}
	slices.Reverse(goals)
	return goals
}

// TestSession says what a table has, step by step, in one visible browser: each step does what is
// said, once. In its middle the resident process is killed. The shorter tier has one language.
func TestSession(t *testing.T) {
	program := filepath.Join(buildProgram(t), "errand") // it is there until both have ended
	for _, tt := range []struct{ name, table, language string }{
		{"Russian", "ru.txt", "ru_RU.UTF-8"},
		{"English", "en.txt", "en_US.UTF-8"},
	}[:tier.Size(1, 2)] {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScreen(t, nil)
			s.program = program
			s.env = append(s.env, "LANG="+tt.language, "XDG_STATE_HOME=")
			c := &conversation{screen: s, tools: attachDevTools(t, s)}
			c.follow(readSession(t, tt.table), filepath.Join("testdata/session", tt.table))
		})
	}
}

// follow takes the steps, and compares the record with what was said.
func (c *conversation) follow(steps []step, table string) {
	t := c.t
	t.Helper()
	if len(steps) < 30 {
		t.Errorf("%d steps, want 30", len(steps))
	}
	var rows, inRecord []string
	for _, s := range steps {
		words, want := strings.TrimLeft(s.words, "!?"), 0
		switch s.words[0] {
		case '!':
			want = 1
		case '?':
			want = 4
		}
		out, code := c.say(words)
		if code != want || !regexp.MustCompile("(?m)"+s.prints).MatchString(out) {
			t.Errorf("%s:%d: %s: exit code %d, want %d, and %q in\n%s", table, s.line, s.words, code, want, s.prints, out)
		}
		got := c.look(s)
		if rows = append(rows, got.String()); got.String() != s.String() && os.Getenv("UPDATE") == "" {
			t.Errorf("%s:%d: there is\n%s, want\n%s", table, s.line, got, s)
		}
		if words[0] != '<' && !regexp.MustCompile(unrecorded).MatchString(words) {
			inRecord = append(inRecord, words)
		}
	}
	if got := c.recorded(); !slices.Equal(got, inRecord) {
		t.Errorf("the record has %q, want %q", got, inRecord)
	}
	if os.Getenv("UPDATE") != "" {
		b := must.ReadFile(t, table)
		head := b[:strings.Index(string(b), "\n\n")+2]
		must.Succeed(t, os.WriteFile(table, append(head, strings.Join(rows, "\n")+"\n"...), 0o600))
	}
}

// unrecorded are words about runs, which make none.
const unrecorded = `^(undo|show the last run|clear the context|отмени|покажи последний запуск|очисти контекст)$`
