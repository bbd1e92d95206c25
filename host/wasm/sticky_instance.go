package wasm

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/planner/message"
)

// isSticky keeps one instance between calls, which run one at a time.
type stickyInstance struct {
	mu     sync.Mutex
	isBusy bool
	queue  []chan struct{} // waiting calls; a channel is closed when its turn comes

	instance *engine.Instance // only the call whose turn it is may use it
	vars     map[string][]byte
}

// stickyFor returns the shared state of a kind of calls.
func (u *unit) stickyFor(kind string) *stickyInstance {
	if kind == writing {
		return &u.stickyInstances[1]
	}
	return &u.stickyInstances[0]
}

// acquireTurn waits for a turn, at most as long as a call may take. A plugin whose host
// function calls it again would wait for itself.
func (s *stickyInstance) acquireTurn(ctx context.Context, atMost time.Duration) error {
	s.mu.Lock()
	if !s.isBusy {
		s.isBusy = true
		s.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	s.queue = append(s.queue, turn)
	s.mu.Unlock()
	end := time.NewTimer(atMost)
	defer end.Stop()
	select {
	case <-turn:
		return nil
	case <-end.C:
	case <-ctx.Done():
	}
	s.mu.Lock()
	at := slices.Index(s.queue, turn)
	if at >= 0 {
		s.queue = slices.Delete(s.queue, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 { // the turn came in the meantime
		s.releaseTurn()
	}
	return errTurn
}

var errTurn = errors.New("the turn didn't come in time")

// releaseTurn passes the turn to the next call.
func (s *stickyInstance) releaseTurn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.isBusy = false
		return
	}
	close(s.queue[0])
	s.queue = slices.Delete(s.queue, 0, 1)
}

// callSticky runs a call that continues from the state of the last call. An unhealthy
// instance is discarded with its variables, because its state is unknown.
func (u *unit) callSticky(ctx context.Context, p *program, kind string, c *engine.Call) (engine.Outcome, error) {
	s := u.stickyFor(kind)
	if err := s.acquireTurn(ctx, c.Timeout); err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			return engine.Outcome{}, engine.InterruptedError(u.name)
		}
		return engine.Outcome{}, tool.NewError(tool.ToolTimeout, "busy", message.New("plugin.turn_taken", "name", u.name)).
			WithHint(message.New("plugin.use_state_fresh"))
	}
	defer s.releaseTurn()
	if s.vars == nil {
		s.vars = map[string][]byte{}
	}
	c.Extism.Vars = s.vars
	if s.instance == nil {
		i, err := p.Start(ctx, u.instance(kind), c)
		if err != nil {
			return engine.Outcome{}, err
		}
		s.instance = i
	}
	out, err := s.instance.Call(ctx, c)
	if !s.instance.IsHealthy() {
		s.close()
	}
	return out, err
}

// callAlone runs a call in a new instance that ends with the call.
func (u *unit) callAlone(ctx context.Context, p *program, kind string, c *engine.Call) (engine.Outcome, error) {
	i, err := p.Start(ctx, u.instance(kind), c)
	if err != nil {
		return engine.Outcome{}, err
	}
	defer i.Close()
	return i.Call(ctx, c)
}

func (s *stickyInstance) close() {
	if s.instance != nil {
		s.instance.Close()
	}
	s.instance, s.vars = nil, nil
}
