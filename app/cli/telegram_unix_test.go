//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/telegram/telegramtest"
)

// annChat is the chat of the user in these tests.
const annChat = 31

// telegramBot is the program as a bot, and the stand-in that it speaks to.
type telegramBot struct {
	*telegramtest.Server
	t    *testing.T
	home string
	env  []string
	cmd  *exec.Cmd
	said *syncBuffer
}

// syncBuffer is a buffer for several goroutines.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// newTelegram makes a home for a bot, which does not run yet.
func newTelegram(t *testing.T, env ...string) *telegramBot {
	b := &telegramBot{Server: telegramtest.Start(t), t: t, home: t.TempDir(), said: &syncBuffer{}}
	must.Succeed(t, os.MkdirAll(b.home+"/Documents", 0o700))
	must.ShareKey(t, b.home+"/data/errand")
	b.env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+b.home, "XDG_CONFIG_HOME="+b.home+"/config", "XDG_DATA_HOME="+b.home+"/data",
		"XDG_CACHE_HOME="+cache, "XDG_RUNTIME_DIR="+b.home, "USER=ann", "LANG=C", "ERRAND_BROWSER_SHOW=never", "ERRAND_TELEGRAM_BASE_URL="+b.URL())
	b.env = append(b.env, env...)
	t.Cleanup(func() {
		b.kill()
		if t.Failed() {
			for _, m := range b.Messages(annChat) {
				t.Logf("%d (%d edits): %s %q", m.ID, m.Edits, m.Text, m.Buttons)
			}
			t.Log(b.said)
		}
	})
	return b
}

// errand runs a command beside the bot, without its token.
func (b *telegramBot) errand(args ...string) string {
	b.t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = b.env
	out, err := c.CombinedOutput()
	if err != nil {
		b.t.Logf("errand %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// start starts the bot.
func (b *telegramBot) start() {
	b.t.Helper()
	b.run("telegram")
}

// run starts a command that serves the bot.
func (b *telegramBot) run(args ...string) {
	b.t.Helper()
	b.cmd = exec.Command(os.Args[0], args...)
	b.cmd.Env = append(b.env, "TELEGRAM_BOT_TOKEN="+telegramtest.Token)
	b.cmd.Stderr, b.cmd.Stdout = b.said, b.said
	polls := b.Calls("getUpdates")
	must.Succeed(b.t, b.cmd.Start())
	poll.Await(b.t, "the bot polls", func() bool { return b.Calls("getUpdates") > polls })
}

// kill ends the bot with SIGKILL, if it runs.
func (b *telegramBot) kill() {
	if b.cmd != nil && b.cmd.ProcessState == nil {
		_ = b.cmd.Process.Kill()
		_ = b.cmd.Wait()
	}
}

// interrupt ends the bot with Ctrl+C.
func (b *telegramBot) interrupt() {
	b.t.Helper()
	must.Succeed(b.t, b.cmd.Process.Signal(syscall.SIGINT))
	_ = b.cmd.Wait()
}

// pair pairs Ann's chat.
func (b *telegramBot) pair() {
	b.t.Helper()
	code := strings.Fields(b.errand("telegram", "pair"))[0]
	b.Say(annChat, code)
	b.Await(b.t, annChat, "can now give Errand goals")
}

// exists reports whether a file in the home exists.
func (b *telegramBot) exists(path string) bool {
	_, err := os.Stat(filepath.Join(b.home, path))
	return err == nil
}

// make makes files in the home.
func (b *telegramBot) make(paths ...string) {
	b.t.Helper()
	for _, path := range paths {
		path = filepath.Join(b.home, path)
		must.Succeed(b.t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(b.t, os.WriteFile(path, []byte("x"), 0o600))
	}
}

// TestTelegramPairing: only the code of `errand telegram pair` pairs a chat, once, and nobody else gets an answer.
func TestTelegramPairing(t *testing.T) {
	b := newTelegram(t)
	if out := b.errand("telegram", "chats"); !strings.Contains(out, "no chat is paired") {
		t.Errorf("chats = %s", out)
	}
	const stranger = 66
	b.start()
	first := strings.Fields(b.errand("telegram", "pair"))[0]
	code := strings.Fields(b.errand("telegram", "pair"))[0]
	b.Say(stranger, first) // a new code replaces it
	b.Say(stranger, "/start")
	b.Say(stranger, "create folder Evil in documents")
	group := b.NewMessage(annChat, code)
	group["chat"] = map[string]any{"id": -5, "type": "group"}
	b.Post("message", group)
	channel := b.NewMessage(annChat, code)
	channel["chat"] = map[string]any{"id": -6, "type": "channel"}
	b.Post("channel_post", channel)
	forwarded := b.NewMessage(stranger, code)
	forwarded["forward_origin"] = map[string]any{"type": "user", "date": 1, "sender_user": map[string]any{"id": annChat, "first_name": "Ann"}}
	b.Post("message", forwarded)
	b.Say(annChat, "/start "+strings.ToLower(code))
	b.Await(t, annChat, "can now give Errand goals")
	b.Say(stranger, code) // it is used up
	b.Say(annChat, "/help")
	b.Await(t, annChat, "/stop")
	if m := b.Messages(stranger); len(m) > 0 {
		t.Errorf("a stranger was told %+v", m)
	}
	if b.exists("Documents/Evil") {
		t.Error("a stranger's goal was done")
	}
	out := b.errand("telegram", "chats")
	if !strings.Contains(out, "31") || !strings.Contains(out, "@ann31") || strings.Contains(out, "66") {
		t.Errorf("chats = %s", out)
	}

	// After the end of the pairing, nothing is told or done.
	b.errand("telegram", "unpair", "31")
	before := len(b.Messages(annChat))
	b.Say(annChat, "create folder Late in documents")
	b.pairOther(stranger)
	if b.exists("Documents/Late") || len(b.Messages(annChat)) != before {
		t.Errorf("an unpaired chat was answered: %+v", b.Messages(annChat))
	}
	if strings.Contains(b.said.String(), telegramtest.Token) {
		t.Error("the token was printed")
	}
}

// pairOther pairs another chat. Its messages come after all that were sent before.
func (b *telegramBot) pairOther(chat int64) {
	b.t.Helper()
	b.Say(chat, strings.Fields(b.errand("telegram", "pair"))[0])
	b.Await(b.t, chat, "can now give Errand goals")
}

// TestTelegramWrongCodes: after five wrong codes, the right one pairs nothing.
func TestTelegramWrongCodes(t *testing.T) {
	b := newTelegram(t)
	b.start()
	code := strings.Fields(b.errand("telegram", "pair"))[0]
	for range 5 {
		b.Say(66, "22222222")
	}
	b.Say(66, code)
	b.pair() // a new code works
	if m := b.Messages(66); len(m) > 0 {
		t.Errorf("a stranger was told %+v", m)
	}
}

// TestTelegramGoals: goals run and are answered in the language of their words, and a follow-up means what the
// chat spoke about.
func TestTelegramGoals(t *testing.T) {
	b := newTelegram(t)
	b.start()
	b.pair()
	b.Say(annChat, "create folder Trip in documents")
	b.Await(t, annChat, "Documents/Trip")
	if !b.exists("Documents/Trip") {
		t.Error("the folder is not there")
	}
	b.Say(annChat, "создай папку Поездка в документах")
	b.Await(t, annChat, "Поездка", "Создан")
	b.Say(annChat, "17 * 3")
	b.Await(t, annChat, "51")
	b.Say(annChat, "<b>colourless</b> green & ideas")
	b.Await(t, annChat, "✖")
	forwarded := b.NewMessage(annChat, "create folder Evil in documents")
	forwarded["forward_origin"] = map[string]any{"type": "hidden_user", "date": 1, "sender_user_name": "Eve"}
	b.Post("message", forwarded)
	b.Await(t, annChat, "forwarded")
	sticker := b.NewMessage(annChat, "")
	sticker["sticker"] = map[string]any{"file_id": "s"}
	b.Post("message", sticker)
	b.Await(t, annChat, "I understand text")
	b.SayVoice(annChat, "v1", []byte("sound"))
	b.Await(t, annChat, "voice.command")
	if b.exists("Documents/Evil") {
		t.Error("a forwarded goal was done")
	}
	b.interrupt()
	for _, kept := range []string{b.said.String(), b.errand("runs", "--json"), b.errand("show", "last", "--json")} {
		if strings.Contains(kept, telegramtest.Token) || strings.Contains(kept, "AAsecret") {
			t.Errorf("the token is in %s", kept)
		}
	}
}

// TestTelegramApproval: what needs an approval shows everything that the command line shows. One press applies
// it once, however often it comes; a late press does nothing.
func TestTelegramApproval(t *testing.T) {
	b := newTelegram(t)
	b.make("Documents/Old/a.txt", "Documents/Old/b.txt", "Documents/keep.txt")
	b.start()
	b.pair()
	b.Say(annChat, "delete folder Old in documents")
	draft := b.Await(t, annChat, "Approve this step", "files.delete_folder", "Documents/Old", "path:")
	if got := []string{draft.Buttons[0].Text, draft.Buttons[1].Text}; !strings.HasPrefix(got[0], "✅") || !strings.HasPrefix(got[1], "✖") {
		t.Errorf("buttons = %q", got)
	}
	if b.exists("Documents/Old") == false {
		t.Fatal("it was deleted before the approval")
	}
	press := b.NewPress(draft, draft.Buttons[0].Data, "press-1")
	id := b.Post("callback_query", press)
	b.Await(t, annChat, "Deleted")
	if b.exists("Documents/Old") {
		t.Error("it is still there")
	}
	b.make("Documents/Old/new.txt")
	b.Repeat("callback_query", press, id)    // the same update again
	b.Post("callback_query", press)          // the same press under another id
	b.Press(t, draft, draft.Buttons[0].Text) // another press of the old button
	b.Say(annChat, "17 * 3")
	b.Await(t, annChat, "51")
	if !b.exists("Documents/Old/new.txt") {
		t.Error("a repeated press acted again")
	}
	if out := b.errand("show", "last", "--json"); out == "" {
		t.Error("no record")
	}

	// A rejection.
	b.Say(annChat, "delete file keep.txt in documents")
	draft = b.Await(t, annChat, "Approve this step", "keep.txt")
	b.Press(t, draft, "✖")
	b.Await(t, annChat, "Rejected")
	b.Press(t, draft, "✅")
	b.Say(annChat, "18 * 3")
	b.Await(t, annChat, "54")
	if !b.exists("Documents/keep.txt") {
		t.Error("a rejected file was deleted")
	}
}

// TestTelegramInServe: `errand serve --telegram` serves the chats beside the page, and ends both with Ctrl+C.
func TestTelegramInServe(t *testing.T) {
	b := newTelegram(t, "ERRAND_TEST_PAGE=yes")
	b.run("serve", "--telegram", "--addr", "127.0.0.1:0")
	b.pair()
	b.Say(annChat, "create folder Trip in documents")
	b.Await(t, annChat, "Documents/Trip")
	if !strings.Contains(b.said.String(), "http://127.0.0.1:") {
		t.Errorf("no page: %s", b.said)
	}
	b.interrupt()
}
