package jobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"errand/app/planning"
	"errand/host/jobs"
	"errand/host/tool"
	"errand/planner/message"
)

// Input is what a job does. It may have secrets.
type Input struct {
	Words         string   `json:"words"` // a goal, or a task for a language model
	MaxSteps      int      `json:"max_steps,omitempty"`
	MaxWallTimeMS int64    `json:"max_wall_time_ms,omitempty"`
	Tools         []string `json:"tools,omitempty"`
	MaxURLs       int      `json:"max_urls,omitempty"`    // pages that a task opens or fetches; 0: any number
	NoBrowser     bool     `json:"no_browser,omitempty"`  // pages are fetched without their scripts
	NoPictures    bool     `json:"no_pictures,omitempty"` // of pages
	Domains       []string `json:"domains,omitempty"`     // that a task may reach; none: as the configuration says
}

// Request asks for a job.
type Request struct {
	Type        jobs.Type
	SessionID   string // empty: a new one
	Input       Input
	CallbackURL string // where the end is delivered; empty: nowhere
	Key         string // the same key of the same token gives the same job; empty: each request a new one
}

// Limits of requests.
const (
	maxSession     = 128
	maxKey         = 255
	maxCallbackURL = 2000
	maxURLs        = 1000
	maxDomains     = 100
)

// CodeBadRequest is the code of a request with a value that can't be.
const CodeBadRequest = "bad_request"

// Create creates a job for the client of a token.
func (s *Service) Create(ctx context.Context, t jobs.Token, r Request) (View, error) {
	if err := s.check(ctx, r); err != nil {
		return View{}, s.o.Reader.CleanError(err)
	}
	input, err := json.Marshal(r.Input)
	if err != nil {
		return View{}, err
	}
	request, err := json.Marshal(r)
	if err != nil {
		return View{}, err
	}
	sum := sha256.Sum256(slices.Concat([]byte(t.ID+"\x00"), request))
	id := s.o.NewID()
	j, _, err := s.o.Queue.Create(ctx, jobs.New{
		ID: id, SessionID: cmp.Or(r.SessionID, "session-"+id), TokenID: t.ID, Type: r.Type, Input: input,
		Key: r.Key, Digest: hex.EncodeToString(sum[:]), CallbackURL: r.CallbackURL,
	})
	if err != nil {
		return View{}, err
	}
	return s.view(j), nil
}

// check returns what is wrong with a request.
func (s *Service) check(ctx context.Context, r Request) error {
	if err := planning.CheckGoal(r.Input.Words); err != nil {
		return err
	}
	switch {
	case r.SessionID != "" && !isSessionID(r.SessionID):
		return badField("session_id", maxSession)
	case len(r.Key) > maxKey || strings.ContainsFunc(r.Key, func(c rune) bool { return c < ' ' || c > '~' }):
		return badField("Idempotency-Key", maxKey)
	case r.Input.MaxURLs < 0 || r.Input.MaxURLs > maxURLs:
		return badField("max_urls", maxURLs)
	case len(r.Input.Domains) > maxDomains:
		return badField("allowed_domains", maxDomains)
	case r.Input.MaxWallTimeMS < 0 || r.Input.MaxWallTimeMS > s.o.MaxTime.Milliseconds():
		return badField("max_wall_time_ms", s.o.MaxTime.Milliseconds())
	}
	if r.CallbackURL != "" {
		u, err := url.Parse(r.CallbackURL)
		if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || len(r.CallbackURL) > maxCallbackURL {
			return badField("callback_url", maxCallbackURL)
		}
		if err := s.o.Reader.CheckCallback(r.CallbackURL); err != nil {
			return err
		}
	}
	switch r.Type {
	case jobs.GoalRun:
		if in := r.Input; in.MaxSteps != 0 || in.MaxURLs != 0 || in.NoBrowser || in.NoPictures || len(in.Tools)+len(in.Domains) > 0 {
			return tool.NewError(tool.ValidationError, CodeBadRequest, message.New("jobs.only_for_agent"))
		}
		return nil
	case jobs.AgentRun:
		p, err := s.o.Open() // with the configuration of now
		if err != nil {
			return err
		}
		defer func() { _ = p.Close() }()
		return p.CheckTask(ctx, r.Input.taskOptions())
	}
	return tool.NewError(tool.ValidationError, CodeBadRequest, message.New("jobs.unknown_type", "type", string(r.Type), "known", []jobs.Type{jobs.AgentRun, jobs.GoalRun}))
}

func badField(field string, limit any) *tool.Error {
	return tool.NewError(tool.ValidationError, CodeBadRequest, message.New("jobs.bad_field", "field", field, "limit", limit))
}

// isSessionID reports whether a text can name a session.
func isSessionID(id string) bool {
	return len(id) <= maxSession && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-") == ""
}
