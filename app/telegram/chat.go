package telegram

import (
	"context"
	"sync"

	"errand/app/i18n"
)

// maxQueue is how many messages of a chat wait for their turn.
const maxQueue = 8

// chat does what one paired chat asks for, one after another.
type chat struct {
	id   int64
	bot  *Bot
	jobs chan job

	mu       sync.Mutex
	language *i18n.Language
	cancel   context.CancelFunc // of what is under way; nil: nothing is
	current  string             // the run or the draft that is under way
	stops    int                // how often the user has stopped everything
	closed   bool
}

// job is something to do for an update.
type job struct {
	update int64
	do     func(context.Context)
	ref    string // the run or the draft that it is about
	stops  int    // of its chat, when it was added
}

// chat returns a chat, by its id. tag is the language of the user's app; empty: unknown.
func (b *Bot) chat(id int64, tag string) *chat {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.chats[id]
	if c == nil {
		c = &chat{id: id, bot: b, jobs: make(chan job, maxQueue), language: i18n.ForTag(tag)}
		b.chats[id] = c
		b.owns.Go(c.work) // ends with Run
	}
	return c
}

// language returns the language for a chat whose app has a language.
func (b *Bot) language(tag string, id int64) *i18n.Language {
	if l := i18n.ForTag(tag); l != nil {
		return l
	}
	return b.chat(id, tag).spoken()
}

func (c *chat) spoken() *i18n.Language {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.language
}

// speak sets the language of later messages to the chat; empty: it stays.
func (c *chat) speak(tag string) {
	if tag == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.language = i18n.ForTag(tag)
}

// add adds something to do. It returns false if too much waits already.
func (c *chat) add(j job) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	j.stops = c.stops
	select {
	case c.jobs <- j:
		return true
	default:
		return false
	}
}

// stop interrupts what is under way, and what waits is not done. It returns false if there is nothing.
func (c *chat) stop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stops++
	if c.cancel == nil {
		return false
	}
	c.cancel()
	return true
}

// stopOnly interrupts a run if it is still the one under way. What waits goes on.
func (c *chat) stopOnly(ref string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel == nil || c.current != ref {
		return false
	}
	c.cancel()
	return true
}

// end stops the chat when the program ends.
func (c *chat) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	c.stops++
	if c.cancel != nil {
		c.cancel()
	}
	close(c.jobs)
}

func (c *chat) work() {
	for j := range c.jobs {
		ctx, ok := c.begin(j)
		if ok {
			j.do(ctx)
			c.finish()
		} else {
			c.bot.sayStopped(c)
		}
		c.bot.settle(j.update)
	}
}

// begin begins a job, unless the user has stopped everything since it was added.
func (c *chat) begin(j job) (context.Context, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if j.stops != c.stops {
		return nil, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel, c.current = cancel, j.ref
	return ctx, true
}

func (c *chat) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel()
	c.cancel = nil
}
