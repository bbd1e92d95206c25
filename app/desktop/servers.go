package desktop

import (
	"context"
	"crypto/rand"

	"errand/app/desktop/view"
	"errand/app/servers"
	"errand/host/tool"
	"errand/planner/message"
)

// serverAPI is the part of [API] for servers of the Model Context Protocol.
type serverAPI struct {
	*session

	token    string // of review; guarded by mu
	reviewed *servers.Review
}

// Servers lists the servers of the configuration. It starts none.
func (a *serverAPI) Servers() ([]view.Server, error) {
	return query(a.session, pluginTimeout, []view.Server{}, func(_ context.Context, e *Engine) ([]view.Server, error) {
		return view.NewServers(e.Servers.List()), nil
	})
}

// ReviewServer starts a server or connects to it, and compares its tools with what the user agreed to.
func (a *serverAPI) ReviewServer(name string) (view.ServerReview, error) {
	return query(a.session, pluginTimeout, view.ServerReview{}, func(ctx context.Context, e *Engine) (view.ServerReview, error) {
		r, err := e.Servers.Review(ctx, name)
		if err != nil {
			return view.ServerReview{}, err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.token, a.reviewed = rand.Text(), r
		return view.NewServerReview(a.token, r), nil
	})
}

// AgreeServer accepts the latest review.
func (a *serverAPI) AgreeServer(ask view.ServerAgreement) error {
	_, err := query(a.session, pluginTimeout, "", func(_ context.Context, e *Engine) (string, error) {
		a.mu.Lock()
		r, token := a.reviewed, a.token
		a.mu.Unlock()
		if r == nil || token != ask.Token {
			return "", tool.NewError(tool.ValidationError, "no_proposal", message.New("window.no_proposal")).WithHint(message.New("window.show_again"))
		}
		return "", e.Servers.Agree(r, ask.Reading)
	})
	return err
}

// WithdrawServer removes the user's agreement to a server.
func (a *serverAPI) WithdrawServer(name string) error {
	_, err := query(a.session, pluginTimeout, "", func(_ context.Context, e *Engine) (string, error) {
		_, err := e.Servers.Withdraw(name)
		return "", err
	})
	return err
}
