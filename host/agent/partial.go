package agent

import (
	"context"
	"strings"
	"time"

	"errand/policy/redact"
)

// Limits of the text that is shown while it comes. The whole answer follows anyway.
const (
	partialEvery = 100 * time.Millisecond
	maxPartial   = 64 << 10 // bytes
)

// partial returns what hears the text of the next answer while it comes; nil if it is not shown.
func (p *Planner) partial(ctx context.Context) func(string) {
	if p.o.Partial == nil {
		return nil
	}
	turn, shown, last := p.turn+1, "", time.Time{}
	return func(text string) {
		if len(text) > maxPartial || time.Since(last) < partialEvery || ctx.Err() != nil {
			return
		}
		settled := text[:redact.Settled(text)]
		if strings.HasPrefix(shown, settled) && strings.HasPrefix(text, shown) { // it has no more, or holds back more
			return
		}
		shown, last = settled, time.Now()
		p.o.Partial(turn, p.clean(settled))
	}
}
