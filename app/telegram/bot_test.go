package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/store"
	"errand/host/telegram"
	"errand/host/telegram/telegramtest"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// program is a program with one draft, which every goal becomes.
type program struct {
	mu        sync.Mutex
	draft     drafts.View
	answers   []map[string]string
	approvals []runs.ApproveRequest
	slow      bool // a goal runs until it is stopped
}

func (p *program) Start(ctx context.Context, r runs.Request) (runs.Report, error) {
	if p.slow {
		<-ctx.Done()
		return runs.Report{RunID: r.RunID, Status: trace.Interrupted}, nil
	}
	return runs.Report{RunID: r.RunID, Status: trace.NeedsApproval, Draft: &p.draft}, nil
}

func (p *program) Approve(_ context.Context, r runs.ApproveRequest) (runs.Report, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.approvals = append(p.approvals, r)
	return runs.Report{Status: trace.Done, Answer: message.Verbatim(strings.Repeat("<done> & ", 1000))}, nil
}

func (p *program) Answer(_ context.Context, _ string, answers map[string]string, _ runs.Permit) (drafts.View, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = append(p.answers, answers)
	d := p.draft
	d.Questions = nil
	return d, nil
}

func (p *program) ShowDraft(context.Context, string) (drafts.View, error) { return p.draft, nil }
func (p *program) RejectBy(context.Context, string, string) (drafts.View, error) {
	d := p.draft
	d.State = approval.StateCancelled
	return d, nil
}

func (p *program) Record(context.Context, string) (trace.Record, error) {
	return trace.Record{}, tool.NewError(tool.ValidationError, trace.CodeRunNotFound, message.Verbatim("x"))
}

func (p *program) Permit(context.Context, string, grants.Access, bool) (string, error) {
	return "", nil
}
func (p *program) NewRunID() string           { return "01run" }
func (p *program) LanguageOf(string) string   { return "en" }
func (p *program) Clean(text string) string   { return strings.ReplaceAll(text, "hunter22", "***") }
func (p *program) KeepTimers(context.Context) {}
func (p *program) Now() time.Time             { return time.Now() }
func (p *program) approved() []runs.ApproveRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.approvals)
}

func (p *program) answered() []map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.answers)
}

// storedChats are the methods of a store that these tests don't use.
type storedChats interface{ store.Chats }

// pairedChats says that every chat is paired, and claims every update once.
type pairedChats struct {
	storedChats
	mu      sync.Mutex
	claimed map[int64]bool
}

func (c *pairedChats) IsPaired(context.Context, int64, int64) (bool, error) { return true, nil }
func (c *pairedChats) SettleUpdate(context.Context, int64, int64) error     { return nil }
func (c *pairedChats) UnsettledUpdates(context.Context, int64) ([]store.ChatUpdate, error) {
	return nil, nil
}

func (c *pairedChats) ClaimUpdate(_ context.Context, u store.ChatUpdate) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := !c.claimed[u.ID]
	c.claimed[u.ID] = true
	return fresh, nil
}

// texts shows every argument of a draft.
type texts struct{}

func (texts) Draft(_ *i18n.Language, d drafts.View) string {
	var out strings.Builder
	for _, a := range d.Actions {
		fmt.Fprintln(&out, a.ActionID, a.Tool, a.Args)
	}
	return out.String()
}
func (texts) Answer(l *i18n.Language, m message.Message) string { return l.Text(m) }

// serveBot serves a program with a stand-in until the test ends.
func serveBot(t *testing.T, p *program) *telegramtest.Server {
	t.Helper()
	s := telegramtest.Start(t)
	client, err := telegram.New(telegram.Options{BaseURL: s.URL(), Token: telegramtest.Token, Client: http.DefaultClient})
	must.Succeed(t, err)
	b := New(Options{Program: p, Client: client, Chats: &pairedChats{claimed: map[int64]bool{}}, Texts: texts{}, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		must.Succeed(t, <-ended)
	})
	return s
}

func action(id, text string) drafts.Action {
	a := drafts.Action{}
	a.Action.Action = plan.Action{ActionID: id, Tool: "files.delete_file", Args: map[string]any{"path": text}, Preview: message.Verbatim("delete " + text)}
	a.Status = drafts.ActionProposed
	return a
}

func buttons(m telegramtest.Message) (texts []string) {
	for _, b := range m.Buttons {
		texts = append(texts, b.Text)
	}
	return texts
}

// TestPages: a pick list has at most eight choices a page, in their order, and the chosen one is the answer.
func TestPages(t *testing.T) {
	q := plan.Question{ID: "which", Question: message.Verbatim("Which <one>?")}
	for i := range 20 {
		q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(fmt.Sprintf("%02d %s", i, strings.Repeat("long & ", 60))), Value: fmt.Sprintf("v%d", i)})
	}
	p := &program{draft: drafts.View{DraftID: "01draft", Revision: "aaaabbbbcccc", State: approval.StateDraft, Language: "en", Questions: []plan.Question{q}}}
	s := serveBot(t, p)
	s.Say(5, "delete it")
	m := s.Await(t, 5, "Which <one>?")
	for page, want := range []struct {
		first string
		count int
		rest  string
	}{{"00", 8, "More ›|✖ Cancel"}, {"08", 8, "‹ Back|More ›|✖ Cancel"}, {"16", 4, "‹ Back|✖ Cancel"}} {
		texts := buttons(m)
		if len(texts) < want.count || !strings.HasPrefix(texts[0], want.first) || strings.Join(texts[want.count:], "|") != want.rest {
			t.Fatalf("page %d: %q", page, texts)
		}
		if page < 2 {
			s.Press(t, m, "More")
			first := texts[0]
			poll.Await(t, "the next page", func() bool {
				m = s.Messages(5)[0]
				return len(m.Buttons) > 0 && m.Buttons[0].Text != first
			})
		}
	}
	s.Press(t, m, "17")
	poll.Await(t, "the answer", func() bool { return len(p.answered()) == 1 })
	if got := p.answered()[0]["which"]; got != "v17" {
		t.Errorf("answer %q, want v17", got)
	}
}

// TestDestructiveSteps: each destructive step among others has a question of its own, then the count has one. What
// was not confirmed is not approved.
func TestDestructiveSteps(t *testing.T) {
	for _, tt := range []struct {
		name      string
		presses   string // y: yes, w: without, in turn, then the count
		confirmed []string
	}{
		{"all", "yyy", []string{"a1", "a2", "a3"}},
		{"some", "ywy", []string{"a1", "a3"}},
		{"none", "www", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{draft: drafts.View{DraftID: "01draft", Revision: "aaaabbbbcccc", State: approval.StateDraft, Language: "en", Confirm: 9, Destructive: []string{"a1", "a2", "a3"}}}
			for i := range 9 {
				a := action(fmt.Sprintf("a%d", i+1), strings.Repeat("x<y", 300)+" hunter22")
				a.Count = 1
				p.draft.Actions = append(p.draft.Actions, a)
			}
			s := serveBot(t, p)
			s.Say(5, "delete all of it")
			m := s.Await(t, 5, "Approve these 9 steps")
			s.Press(t, m, "✅ Approve")
			for i, press := range tt.presses {
				m = s.Await(t, 5, "destroys something", fmt.Sprintf("a%d ", i+1))
				s.Press(t, m, map[rune]string{'y': "✅", 'w': "Without"}[press])
			}
			m = s.Await(t, 5, "things at once")
			if n := len(p.approved()); n > 0 {
				t.Fatalf("%d approvals before the last press", n)
			}
			s.Press(t, m, "✅ Yes, all")
			s.Await(t, 5, "<done> & ")
			r := p.approved()[0]
			if !slices.Equal(r.Confirmed, tt.confirmed) || r.Confirm == 0 || r.Revision != "aaaabbbbcccc" || !strings.HasPrefix(r.Callback, "tg:callback:press") {
				t.Errorf("approval = %+v", r)
			}
			poll.Await(t, "the files", func() bool { return len(s.Files(5)) == 2 })
			for _, f := range s.Files(5) {
				if strings.Contains(string(f.Data), "hunter22") {
					t.Errorf("%s has a secret", f.Name)
				}
			}
			if files := s.Files(5); len(files) != 2 || !strings.Contains(string(files[0].Data), "a9 files.delete_file") || files[1].Name != "answer.txt" {
				t.Errorf("%d files", len(files))
			}
		})
	}
}

// TestPlanThatWasNotShown: a plan whose file could not be sent has no button that approves it.
func TestPlanThatWasNotShown(t *testing.T) {
	p := &program{draft: drafts.View{DraftID: "01draft", Revision: "aaaabbbbcccc", State: approval.StateDraft, Language: "en", Actions: []drafts.Action{action("a1", strings.Repeat("x", 5000))}}}
	s := serveBot(t, p)
	s.Fail("sendDocument", telegramtest.Failure{Status: 400, Text: "Bad Request: no"})
	s.Say(5, "delete it")
	m := s.Await(t, 5, "can't be approved here")
	if got := buttons(m); !slices.Equal(got, []string{"✖ Reject"}) {
		t.Errorf("buttons = %q", got)
	}
}

// TestStopButton: the button stops the run of its message, and no later one.
func TestStopButton(t *testing.T) {
	p := &program{slow: true}
	s := serveBot(t, p)
	s.Say(5, "wait")
	m := s.Await(t, 5, "Working")
	s.Post("callback_query", s.NewPress(m, "stop:01another", "old"))
	poll.Await(t, "an answer", func() bool { return len(s.Answers()) == 1 })
	if got := s.Answers()[0].Text; got != "Nothing is running." {
		t.Errorf("a button of another run: %s", got)
	}
	s.Press(t, m, "⏹")
	s.Await(t, 5, "Stopped")
}
