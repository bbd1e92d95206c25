package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// idleSession is how long a session over HTTP stays without a request.
const idleSession = 30 * time.Minute

// Handler serves clients over streamable HTTP. find returns who a bearer token belongs to; ok is
// false for a token that may not use the server. A session belongs to the one who began it.
func (s *Server) Handler(find func(ctx context.Context, secret string) (owner string, ok bool, err error)) http.Handler {
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Logger: s.o.Log, SessionTimeout: idleSession,
	})
	verify := func(ctx context.Context, secret string, _ *http.Request) (*auth.TokenInfo, error) {
		owner, ok, err := find(ctx, secret)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: owner, Expiration: time.Now().Add(time.Hour)}, nil // it is looked up for each request
	}
	return auth.RequireBearerToken(verify, nil)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMessage))
		if err != nil {
			http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		stream := http.NewResponseController(w) // a stream of events has no end of its own
		_ = stream.SetReadDeadline(time.Time{})
		_ = stream.SetWriteDeadline(time.Time{})
		inner.ServeHTTP(w, r)
	}))
}
