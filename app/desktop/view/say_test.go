package view

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/message"
	"errand/planner/plan"
)

func TestSay(t *testing.T) {
	stopped := message.New("window.status.interrupted")
	event := RunEvent{
		RunID: "r", Run: &Run{Answer: stopped, Plan: Plan{Steps: []Step{{Action: plan.Action{Tool: "t", Preview: stopped}, Error: &Failure{Message: stopped}}}}},
		Steps: []Step{{PolicyReason: message.Verbatim("as it is"), Result: []Fact{{Name: "n", Value: stopped}}}, {}},
	}
	before := must.JSON(t, event)
	said := Say(i18n.ForTag("ru"), event)
	step := said.Run.Plan.Steps[0]
	got := []message.Message{said.Run.Answer, step.Preview, step.Error.Message, said.Steps[0].PolicyReason, said.Steps[0].Result[0].Value, said.Steps[1].Preview}
	want := []message.Message{
		message.Verbatim("Остановлено"), message.Verbatim("Остановлено"), message.Verbatim("Остановлено"),
		message.Verbatim("as it is"), message.Verbatim("Остановлено"),
		{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if after, _ := json.Marshal(event); string(after) != string(before) {
		t.Errorf("the event itself was changed: %s", after)
	}
	if b, _ := json.Marshal(said.Steps[0].Result); string(b) != `[{"name":"n","value":"Остановлено"}]` {
		t.Errorf("JSON %s", b)
	}
	if said := Say[*Failure](i18n.ForTag("ru"), nil); said != nil {
		t.Errorf("nil is %v", said)
	}
}

func TestHintFor(t *testing.T) {
	command := message.New("policy.allow_host_hint", "pattern", "example.org")
	tests := []struct {
		name string
		code string
		hint message.Message
		want message.Message
	}{
		{"none", "run_not_found", message.Message{}, message.Message{}},
		{"no command", "run_not_found", message.Verbatim("ask who wrote it"), message.Verbatim("ask who wrote it")},
		{"a command, and the window has a hint", "challenge_page", command, message.New("window_hint.challenge_page")},
		{"a host that is not listed", "allowlist.unlisted", command, message.New("window_hint.policy_allow_host_hint", "pattern", "example.org")},
		{"a call that waits for this host", "needs_approval", command, message.New("window_hint.policy_allow_host_hint", "pattern", "example.org")},
		{"an option", "challenge_page", message.Verbatim("run it with --show"), message.New("window_hint.challenge_page")},
		{"a command alone", "unknown_language", message.New("cli.see_help", "command", "errand run"), message.New("window.on_command_line", "hint", message.New("cli.see_help", "command", "errand run"))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := HintFor(tt.code, tt.hint); !got.Equal(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestWindowHintsWithoutCommands checks that the window's hints name no commands.
func TestWindowHintsWithoutCommands(t *testing.T) {
	for _, tag := range i18n.Tags() {
		doc := must.ReadFile(t, "../../i18n/"+tag+".toml")
		_, table, _ := strings.Cut(string(doc), "\n[window_hint]\n")
		table, _, _ = strings.Cut(table, "\n[")
		hints := 0
		for line := range strings.Lines(table) {
			if namesCommand().MatchString(line) {
				t.Errorf("%s.toml: %s", tag, line)
			}
			hints++
		}
		if hints < 20 {
			t.Errorf("%s.toml has %d hints", tag, hints)
		}
	}
}
