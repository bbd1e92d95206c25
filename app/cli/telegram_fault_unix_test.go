//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/telegram/telegramtest"
)

// content returns what a file in the home has.
func (b *telegramBot) content(path string) string {
	data, _ := os.ReadFile(filepath.Join(b.home, path))
	return string(data)
}

// TestTelegramQuestions: questions come with their choices as buttons, and a reply answers in own words. A reply
// to another revision, and one to a draft that waits for approval, is no goal.
func TestTelegramQuestions(t *testing.T) {
	b := newTelegram(t)
	b.start()
	b.pair()
	b.Say(annChat, "create notes in documents")
	q := b.Await(t, annChat, "a file or a folder")
	texts := []string{}
	for _, button := range q.Buttons {
		texts = append(texts, button.Text)
	}
	if got := strings.Join(texts, "|"); got != "a folder|a file|✖ Cancel" {
		t.Errorf("buttons = %s", got)
	}
	b.Press(t, q, "a folder")
	draft := b.Await(t, annChat, "Approve this step", "Documents/notes")
	if draft.ID != q.ID {
		t.Errorf("the draft is message %d, want %d", draft.ID, q.ID)
	}
	if b.exists("Documents/notes") {
		t.Error("it was created before the approval")
	}
	b.Reply(draft, "create folder Evil in documents")
	b.Await(t, annChat, "Choose one of the buttons")
	b.Press(t, q, "a file") // of the question that was answered
	b.Await(t, annChat, "This has changed")
	b.Press(t, b.Await(t, annChat, "Approve this step"), "✅")
	b.Await(t, annChat, "Created")
	if !b.exists("Documents/notes") || b.exists("Documents/Evil") {
		t.Error("the folder is not there, or another one is")
	}

	b.Say(annChat, "создай папку")
	q = b.Await(t, annChat, "Как")
	b.Reply(q, "Отчёты")
	draft = b.Await(t, annChat, "Одобрить 1 шаг", "Отчёты")
	b.Press(t, draft, "✅")
	b.Await(t, annChat, "Создано")
	b.Reply(q, "Ещё")
	b.Await(t, annChat, "Выполнено.")

	// A question with words that a choice leaves out shows them, and can be cancelled.
	b.Say(annChat, "open mail")
	q = b.Await(t, annChat, "What should I open?")
	if !strings.Contains(q.Text, "open <s>mail</s>") {
		t.Errorf("question = %s", q.Text)
	}
	b.Press(t, q, "✖")
	b.Await(t, annChat, "Rejected")
}

// TestTelegramConfirmations: a destructive step among others, and a plan that changes many things, need a second
// press each.
func TestTelegramConfirmations(t *testing.T) {
	b := newTelegram(t)
	for i := range 7 {
		b.make(fmt.Sprintf("Downloads/%d.pdf", i))
	}
	b.start()
	b.pair()
	b.Say(annChat, "delete all pdfs in downloads")
	draft := b.Await(t, annChat, "Approve", "0.pdf", "6.pdf")
	b.Press(t, draft, "✅")
	again := b.Await(t, annChat, "changes 7 things at once", "0.pdf", "6.pdf")
	files := b.Files(annChat)
	if len(files) != 1 || !strings.Contains(string(files[0].Data), "goes to the trash") || strings.Count(string(files[0].Data), "path: ") != 7 {
		t.Errorf("files = %+v", files)
	}
	if !b.exists("Downloads/0.pdf") {
		t.Fatal("one press deleted them")
	}
	b.Press(t, draft, "✅") // the first button again asks again
	b.Press(t, again, "✅")
	b.Press(t, again, "✅")
	b.Await(t, annChat, "Deleted")
	if left, _ := filepath.Glob(b.home + "/Downloads/*.pdf"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestTelegramChangedDraft: a button works only for what its message shows, and a draft that was approved
// elsewhere is not approved again.
func TestTelegramChangedDraft(t *testing.T) {
	b := newTelegram(t)
	b.make("Documents/a.txt", "Documents/b.txt", "Documents/c.txt")
	b.start()
	b.pair()
	b.Say(annChat, "delete a.txt in documents and delete b.txt in documents")
	draft := b.Await(t, annChat, "Approve these 2 steps")
	id := strings.Split(draft.Buttons[0].Data, ":")[1]
	b.errand("edit", id, "--drop", "a2")
	b.Press(t, draft, "✅")
	shown := b.Await(t, annChat, "This has changed")
	if !b.exists("Documents/a.txt") {
		t.Error("a changed draft was applied")
	}
	b.errand("reject", id)
	b.Press(t, shown, "✅")
	b.Await(t, annChat, "Rejected")
	if !b.exists("Documents/a.txt") || !b.exists("Documents/b.txt") {
		t.Error("a rejected draft was applied")
	}

	b.Say(annChat, "delete c.txt in documents")
	draft = b.Await(t, annChat, "Approve this step", "c.txt")
	id = strings.Split(draft.Buttons[0].Data, ":")[1]
	if out := b.errand("approve", id); !strings.Contains(out, "Deleted") {
		t.Errorf("approve = %s", out)
	}
	b.make("Documents/c.txt")
	b.Press(t, draft, "✅")
	b.Await(t, annChat, "Done.")
	if !b.exists("Documents/c.txt") {
		t.Error("it was applied twice")
	}
}

// TestTelegramKilled: a program that is killed after an effect and before its answer does nothing again, and tells
// the chat how it stands.
func TestTelegramKilled(t *testing.T) {
	b := newTelegram(t)
	b.make("Documents/log.txt", "Documents/Old/a.txt")
	b.start()
	b.pair()

	// The effect is there, the answer is held up, and the update was not confirmed.
	never := make(chan struct{})
	defer close(never)
	b.Fail("sendMessage", telegramtest.Failure{Until: never})
	b.Fail("getUpdates", telegramtest.Failure{Until: never})
	id := b.Say(annChat, "append hello to log.txt in documents")
	poll.Await(t, "the effect", func() bool { return strings.Contains(b.content("Documents/log.txt"), "hello") })
	b.kill()
	b.Restore()
	b.start()
	b.Await(t, annChat, "was interrupted while it worked on", "append hello")
	b.Say(annChat, "17 * 3")
	b.Await(t, annChat, "51")
	if n := strings.Count(b.content("Documents/log.txt"), "hello"); n != 1 {
		t.Errorf("appended %d times", n)
	}
	if left := b.Unconfirmed(); len(left) > 0 && left[0] <= id {
		t.Errorf("unconfirmed: %d", left)
	}

	// The same for an approval: the press comes again after the kill.
	b.Say(annChat, "delete folder Old in documents")
	draft := b.Await(t, annChat, "Approve this step")
	press := b.NewPress(draft, draft.Buttons[0].Data, "press-k")
	b.Fail("sendMessage", telegramtest.Failure{Until: never})
	b.Post("callback_query", press)
	poll.Await(t, "the effect", func() bool { return !b.exists("Documents/Old") })
	b.kill()
	b.Restore()
	b.make("Documents/Old/new.txt")
	b.start()
	b.Await(t, annChat, "Errand was interrupted")
	b.Post("callback_query", press)
	b.Say(annChat, "18 * 3")
	b.Await(t, annChat, "54")
	if !b.exists("Documents/Old/new.txt") {
		t.Error("the folder was deleted again")
	}
}

// TestTelegramFaults: a pause that Telegram asks for, an answer that is lost, a message that was deleted, and an
// update that comes twice.
func TestTelegramFaults(t *testing.T) {
	b := newTelegram(t)
	b.make("Documents/Old/a.txt")
	b.start()
	b.pair()
	b.Fail("getUpdates", telegramtest.Failure{}, telegramtest.Failure{Status: 429, RetryAfter: 1, Text: "Too Many Requests"})
	b.Fail("sendMessage", telegramtest.Failure{Status: 429, RetryAfter: 1, Text: "Too Many Requests: retry after 1"}, telegramtest.Failure{})
	body := b.NewMessage(annChat, "append hello to log.txt in documents")
	b.make("Documents/log.txt")
	id := b.Post("message", body)
	b.Repeat("message", body, id)
	b.Await(t, annChat, "log.txt")
	b.Say(annChat, "delete folder Old in documents")
	draft := b.Await(t, annChat, "Approve this step")
	b.Delete(draft)
	b.Fail("answerCallbackQuery", telegramtest.Failure{Status: 400, Text: "Bad Request: query is too old and response timeout expired or query ID is invalid"})
	b.Press(t, draft, "✅")
	b.Await(t, annChat, "Deleted")
	if n := strings.Count(b.content("Documents/log.txt"), "hello"); n != 1 {
		t.Errorf("appended %d times", n)
	}
	b.interrupt()
	if strings.Contains(b.said.String(), "AAsecret") {
		t.Errorf("the token was printed: %s", b.said)
	}
}

// TestTelegramEnds: the bot says why it can't serve, and exits.
func TestTelegramEnds(t *testing.T) {
	other := telegramtest.Token[:len(telegramtest.Token)-1] + "x"
	for name, tt := range map[string]struct {
		env  []string
		want string
	}{
		"no token":      {nil, "there is no bot token in TELEGRAM_BOT_TOKEN"},
		"another token": {[]string{"TELEGRAM_BOT_TOKEN=" + other}, "Telegram does not know this token"},
		"no form":       {[]string{"TELEGRAM_BOT_TOKEN=hunter22"}, "does not have the form"},
		"denied":        {[]string{"TELEGRAM_BOT_TOKEN=" + telegramtest.Token, "ERRAND_TELEGRAM_BASE_URL=https://api.telegram.org", `ERRAND_POLICY_ALLOWED_DOMAINS=["!api.telegram.org"]`}, "policy does not allow the address"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTelegram(t)
			c := exec.Command(os.Args[0], "telegram")
			c.Env = append(b.env, tt.env...)
			out, err := c.CombinedOutput()
			if err == nil || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v, %s", err, out)
			}
			if strings.Contains(string(out), "AAsecret") || strings.Contains(string(out), "hunter22") {
				t.Errorf("the token was printed: %s", out)
			}
		})
	}
}

// TestTelegramConflict: of two programs that receive the updates of one bot, one gives up.
func TestTelegramConflict(t *testing.T) {
	b := newTelegram(t)
	lost := telegramtest.Failure{Status: 409, Text: "Conflict: terminated by other getUpdates request"}
	b.Fail("getUpdates", lost, lost, lost)
	b.cmd = exec.Command(os.Args[0], "telegram")
	b.cmd.Env = append(b.env, "TELEGRAM_BOT_TOKEN="+telegramtest.Token)
	b.cmd.Stderr = b.said
	if err := b.cmd.Run(); err == nil || !strings.Contains(b.said.String(), "another program receives the updates") {
		t.Errorf("%v, %s", err, b.said)
	}
}

// TestTelegramVoice: a recording becomes text by the user's program, which gets no token. What it is not sure of
// is confirmed, and nothing runs unasked. /stop ends the program.
func TestTelegramVoice(t *testing.T) {
	dir := t.TempDir()
	program, said := filepath.Join(dir, "recognise"), filepath.Join(dir, "said.json")
	must.Succeed(t, os.WriteFile(program, []byte(`#!/bin/sh
test -n "$TELEGRAM_BOT_TOKEN" && exit 9
grep -q sound "$1" || exit 8
if test -e "`+dir+`/slow"; then touch "`+dir+`/began"; sleep 1000; fi
cat "`+said+`"
`), 0o700))
	command, err := json.Marshal([]string{program, "{file}"})
	must.Succeed(t, err)
	b := newTelegram(t, "ERRAND_VOICE_COMMAND="+string(command))
	b.start()
	b.pair()
	say := func(transcript string, confidence float64) {
		t.Helper()
		data, err := json.Marshal(map[string]any{"transcript": transcript, "confidence": confidence})
		must.Succeed(t, err)
		must.Succeed(t, os.WriteFile(said, data, 0o600))
		b.SayVoice(annChat, "voice-"+transcript[:4], []byte("sound of it"))
	}
	say("create folder Heard in documents", 0.93)
	b.Await(t, annChat, "93% sure", "create folder Heard")
	draft := b.Await(t, annChat, "Approve this step", "Documents/Heard")
	if b.exists("Documents/Heard") {
		t.Error("a spoken goal ran unasked")
	}
	b.Press(t, draft, "✅")
	b.Await(t, annChat, "Created")
	if out := b.errand("show", "last", "--json"); !strings.Contains(out, "voice-crea") || !strings.Contains(out, "0.93") {
		t.Errorf("record = %s", out)
	}

	say("создай папку Тихо в документах", 0.41)
	q := b.Await(t, annChat, "Тихо", "Вы сказали")
	b.Press(t, q, q.Buttons[0].Text)
	draft = b.Await(t, annChat, "Одобрить 1 шаг", "Тихо")
	b.Press(t, draft, "✖")
	b.Await(t, annChat, "Отклонено")

	must.Succeed(t, os.WriteFile(dir+"/slow", nil, 0o600))
	say("create folder Never in documents", 0.9)
	poll.Await(t, "the program runs", func() bool { _, err := os.Stat(dir + "/began"); return err == nil })
	b.Say(annChat, "17 * 3") // waits for its turn
	b.Say(annChat, "/stop")
	b.Await(t, annChat, "Остановлено до начала")
	must.Succeed(t, os.Remove(dir+"/slow"))
	b.Say(annChat, "18 * 3")
	b.Await(t, annChat, "54")
	if b.exists("Documents/Never") {
		t.Error("a stopped goal was done")
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "errand", "voice-*")); len(left) > 0 {
		t.Errorf("recordings left: %q", left)
	}
}
