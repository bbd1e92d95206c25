package telegram

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"errand/host/store"
	"errand/host/telegram"
	"errand/planner/message"
)

// PairingTime is how long a code is valid, and pairingAttempts how many wrong codes it outlives.
const (
	PairingTime     = 10 * time.Minute
	pairingAttempts = 5
)

// codeLetters are those of codes: none looks like another.
const codeLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

const codeLength = 8

// NewCode makes a code that pairs one chat, and keeps its hash in place of an earlier one.
func NewCode(ctx context.Context, chats store.Chats, now time.Time) (string, error) {
	var code strings.Builder
	for code.Len() < codeLength {
		var b [1]byte
		if _, err := rand.Read(b[:]); err != nil {
			return "", err
		}
		if n := int(b[0]); n < 256/len(codeLetters)*len(codeLetters) { // so that all letters are as likely
			code.WriteByte(codeLetters[n%len(codeLetters)])
		}
	}
	text := code.String()
	err := chats.SavePairing(ctx, store.Pairing{Hash: hashCode(text), Expires: now.Add(PairingTime), Attempts: pairingAttempts})
	return text[:4] + "-" + text[4:], err
}

func hashCode(code string) string {
	sum := sha256.Sum256([]byte("errand telegram " + code))
	return hex.EncodeToString(sum[:])
}

// codeIn returns the code that a message has, as it was typed or came by a link.
func codeIn(text string) (string, bool) {
	for _, command := range []string{"/start", "/pair"} {
		if rest, ok := strings.CutPrefix(text, command+" "); ok {
			text = rest
		}
	}
	code := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(strings.TrimSpace(text)))
	return code, len(code) == codeLength && strings.Trim(code, codeLetters) == ""
}

// pair pairs a chat whose message has the code. Anybody else gets no answer.
func (b *Bot) pair(ctx context.Context, in telegram.Incoming) error {
	code, ok := codeIn(in.Text)
	if !ok {
		return nil
	}
	c := store.Chat{Bot: b.me.ID, ID: in.Chat, Name: b.o.Program.Clean(in.From.Name), PairedAt: b.o.Program.Now()}
	paired, err := b.o.Chats.PairChat(ctx, hashCode(code), c)
	if err != nil || !paired {
		if err == nil {
			b.o.Log.Warn("wrong_code", "chat", in.Chat)
		}
		return err
	}
	if b.o.Paired != nil {
		b.o.Paired(c)
	}
	b.later(func() {
		b.say(b.language(in.Language, in.Chat), in.Chat, message.New("telegram.paired"))
	})
	return nil
}
