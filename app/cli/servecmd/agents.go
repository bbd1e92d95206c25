package servecmd

import (
	"context"
	"log/slog"
	"net/http"
	"slices"

	"errand/app"
	"errand/app/config"
	"errand/app/i18n"
	"errand/app/mcp"
	"errand/host/jobs"
	"errand/host/mcp/server"
)

// agentServer serves agents of other programs over HTTP.
type agentServer struct {
	app    *app.App
	tokens jobs.Queue
	server *server.Server
}

// openAgents opens what serves agents. The caller closes it.
func (s commands) openAgents(ctx context.Context, o app.Options, log *slog.Logger) (*agentServer, error) {
	// They show no window: the user did not ask for one.
	o.Config.Env = append(slices.Clone(o.Config.Env), config.EnvName("browser.show")+"="+config.ShowNever)
	a, err := app.Open(o)
	if err != nil {
		return nil, err
	}
	g := &agentServer{app: a}
	if g.tokens, err = app.JobProgramOf(a).OpenQueue(ctx, slog.New(slog.DiscardHandler)); err == nil {
		g.server, err = mcp.New(ctx, mcp.Options{Agents: a.External, Text: i18n.English().Text, Version: app.Version, Log: log})
	}
	if err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

// handler serves programs with a token of the scope mcp.
func (g *agentServer) handler() http.Handler {
	return g.server.Handler(func(ctx context.Context, secret string) (owner string, ok bool, err error) {
		t, ok, err := g.tokens.FindToken(ctx, jobs.HashSecret(secret))
		return t.ID, ok && t.Allows(jobs.ScopeMCP), err
	})
}

// close ends the sessions of the agents and closes what was opened.
func (g *agentServer) close() {
	if g.server != nil {
		g.server.Close()
	}
	if g.tokens != nil {
		_ = g.tokens.Close()
	}
	_ = g.app.Close()
}
