// Package telegram is the face for a chat of Telegram: goals in words, questions, approvals and results. It
// keeps nothing of its own. Drafts and runs are those of the record, so a chat goes on where a program that
// died left it.
package telegram

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/host/speech"
	"errand/host/store"
	"errand/host/telegram"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Program is what the chats use of the program.
type Program interface {
	Start(ctx context.Context, r runs.Request) (runs.Report, error)
	Approve(ctx context.Context, r runs.ApproveRequest) (runs.Report, error)
	Answer(ctx context.Context, draft string, answers map[string]string, permit runs.Permit) (drafts.View, error)
	ShowDraft(ctx context.Context, id string) (drafts.View, error)
	RejectBy(ctx context.Context, id, key string) (drafts.View, error)
	Record(ctx context.Context, id string) (trace.Record, error)
	Permit(ctx context.Context, runID string, access grants.Access, always bool) (id string, err error)
	NewRunID() string
	LanguageOf(words string) string // the tag of their language
	Clean(text string) string       // without secrets
	KeepTimers(ctx context.Context)
	Now() time.Time
}

// Texts writes drafts and answers as the command line prints them, without colours.
type Texts interface {
	Draft(l *i18n.Language, d drafts.View) string // all that an approval covers
	Answer(l *i18n.Language, answer message.Message) string
}

// Options of a bot.
type Options struct {
	Program Program
	Client  *telegram.Client
	Chats   store.Chats
	Texts   Texts
	// Hear returns what is said in a recording. Nil: recordings are refused.
	Hear    func(ctx context.Context, file string) (speech.Speech, error)
	Private string // a folder for recordings, which others can't read
	Log     *slog.Logger
	// Started is called when the bot receives updates. Nil: it is not.
	Started func(bot telegram.User)
	// Paired is called when a chat was paired. Nil: it is not.
	Paired func(store.Chat)
}

// Times of the poll.
const (
	pollTime    = 50 * time.Second
	maxBackoff  = 30 * time.Second
	minBackoff  = 500 * time.Millisecond
	maxConflict = 3                  // polls in a row that another program ended
	idIdle      = 6 * 24 * time.Hour // after a week without updates their ids begin again
	endTimeout  = 10 * time.Second   // for the last messages
)

// Bot serves the paired chats of one bot.
type Bot struct {
	*outbox

	mu    sync.Mutex
	chats map[int64]*chat
	owns  sync.WaitGroup
}

// New returns a bot. It sends nothing.
func New(o Options) *Bot { return &Bot{outbox: &outbox{o: o}, chats: map[int64]*chat{}} }

// Run serves the chats until ctx ends. It returns an error if the token is wrong, or if another program
// receives the updates of the bot.
func (b *Bot) Run(ctx context.Context) error {
	err := b.serve(ctx)
	b.mu.Lock()
	for _, c := range b.chats {
		c.end()
	}
	b.mu.Unlock()
	b.owns.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (b *Bot) serve(ctx context.Context) error {
	backoff := newBackoff(b.o.Log)
	for {
		me, err := b.o.Client.Me(ctx)
		if err == nil {
			b.me = me
			break
		}
		if err := backoff.wait(ctx, err); err != nil {
			return err
		}
	}
	if b.o.Started != nil {
		b.o.Started(b.me)
	}
	if err := b.tellUnsettled(ctx); err != nil {
		return err
	}
	var offset int64 // the next poll confirms what is below it
	last := b.o.Program.Now()
	for ctx.Err() == nil {
		updates, err := b.o.Client.Updates(ctx, offset, pollTime)
		if err == nil {
			for _, u := range updates {
				if err = b.take(ctx, u); err != nil { // it comes again
					break
				}
				offset, last = u.ID+1, b.o.Program.Now()
			}
		}
		if err != nil {
			if err := backoff.wait(ctx, err); err != nil {
				return err
			}
			continue
		}
		backoff.reset()
		if b.o.Program.Now().Sub(last) > idIdle {
			offset = 0
		}
	}
	return nil
}

// backoff waits after errors of the network.
type backoff struct {
	log       *slog.Logger
	next      time.Duration
	conflicts int
}

func newBackoff(log *slog.Logger) *backoff { return &backoff{log: log, next: minBackoff} }

func (w *backoff) reset() {
	if w.next > minBackoff {
		w.log.Warn("telegram_answers")
	}
	w.next, w.conflicts = minBackoff, 0
}

// wait waits after an error, or returns it if waiting can't help.
func (w *backoff) wait(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := tool.AsError(err)
	switch e.Code {
	case telegram.CodeToken:
		return e
	case telegram.CodeConflict:
		if w.conflicts++; w.conflicts >= maxConflict {
			return e
		}
	}
	if e.Class == tool.PolicyDenied {
		return e
	}
	pause := max(w.next, time.Duration(e.RetryAfterMS)*time.Millisecond)
	w.log.Warn("telegram_silent", "code", e.Code, "error", i18n.English().Text(e.Message), "again_in", pause)
	w.next = min(w.next*2, maxBackoff)
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
