package page

import (
	"context"

	"errand/host/browser/address"
	"errand/host/trace"
)

// LoadInto loads rawURL in a page of a visible browser, for the call of ctx, and waits until it is
// loaded and quiet. It takes no picture, and doesn't wait where the page asks for consent or a
// captcha. The page becomes the current one. moves: rawURL is of another document than the page's.
func (b *Browser) LoadInto(ctx context.Context, t *Tab, rawURL string, moves bool) (Page, error) {
	release, err := t.take(ctx)
	if err != nil {
		return Page{}, b.OpenError(ctx, rawURL, err)
	}
	defer release()
	b.tabs.mu.Lock()
	t.caller = subjectOf(ctx)
	b.tabs.mu.Unlock()
	t.update(func(s *state) {
		s.refusal, s.proxy, s.download, s.asking, s.startLoader = nil, "", false, 0, s.loader
		if moves { // it takes the place of the one that is there
			s.blank = s.loader
		}
	})
	page, err := load(ctx, t, rawURL, func(ctx context.Context, t *Tab) error {
		if found, there, err := findObstacle(ctx, t); err == nil && there {
			b.notes.Add(userOf(t), trace.PageNote{
				Event: trace.PageChallenge, Challenge: string(found.Kind), Provider: found.Provider, Evidence: found.Evidence, URL: address.StripUser(rawURL),
			})
		}
		return nil
	})
	if err != nil {
		if t.snapshot().looped {
			err = errLoop
		}
		return Page{}, b.OpenError(ctx, rawURL, err)
	}
	t.update(func(s *state) { s.handedOver = true })
	b.Select(t)
	return page, nil
}
