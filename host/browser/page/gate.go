package page

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/initiator"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// decideTimeout limits one decision. A timeout means no.
const decideTimeout = 5 * time.Second

// Rules of this package, for requests that policy doesn't see.
const (
	ruleNoPolicy  = "browser.no_policy" // no Decide was given
	ruleNoAnswer  = "browser.no_answer" // Decide panicked or took too long
	ruleScheme    = "browser.scheme"    // not http or https
	ruleBadURL    = "browser.bad_url"
	rulePopup     = "browser.popup"
	ruleRedirect  = "browser.unknown_redirect" // a hop whose origin is unknown
	ruleLocalData = "browser.local_data"       // data: and blob: inside a page, which reach no network

	ruleNotEnforced = "browser.not_enforced" // let out by the user's own browser, against policy
)

// gate answers every paused request. It refuses everything that is not explicitly allowed
// in time.
type gate struct {
	b *Browser

	mu         sync.Mutex
	hops       *initiator.Ring[pausedRequest, hop]             // allowed requests, for their redirects
	challenges *initiator.Ring[proto.FetchRequestID, struct{}] // proxy challenges that were answered

	requests *initiator.Requests
}

// hop is an allowed request, with the document that made it.
type hop struct{ url, page string }

func newGate(b *Browser) *gate {
	return &gate{
		b:          b,
		hops:       initiator.NewRing[pausedRequest, hop](4096),
		challenges: initiator.NewRing[proto.FetchRequestID, struct{}](4096),
		requests:   initiator.NewRequests(),
	}
}

// pausedRequest identifies a paused request. Ids are unique only within a session.
type pausedRequest struct {
	session proto.TargetSessionID
	id      proto.FetchRequestID
}

// refusal is a top-level navigation that was refused.
type refusal struct {
	url      string
	decision policy.Decision
}

// handlePaused decides a request in a new goroutine. from is the session of the event, ""
// for the browser's.
func (g *gate) handlePaused(from proto.TargetSessionID, e *proto.FetchRequestPaused) {
	if e.ResponseStatusCode != nil || e.ResponseErrorReason != "" { // the request was decided before
		g.b.downloads.HandleResponse(from, e)
		return
	}
	to := g.b.bindSession(g.b.life, from, chromium.CallTimeout)
	go func() {
		allowed := false
		reason := proto.NetworkErrorReasonBlockedByClient
		defer func() { // even after a panic below
			if p := recover(); p != nil {
				g.b.notes.Add(userOf(g.b.tabs.ofFrame(e.FrameID)), trace.BrowserNote{Event: "gate_failed", Error: fmt.Sprint(p)})
			}
			if !allowed {
				_ = proto.FetchFailRequest{RequestID: e.RequestID, ErrorReason: reason}.Call(to)
			}
		}()
		if check := g.b.opts.Proxy.Check(); check != "" && e.Request.URL == check && isPriming(g.b, e.FrameID) {
			allowed = proto.FetchContinueRequest{RequestID: e.RequestID}.Call(to) == nil
			return
		}
		top := e.ResourceType == proto.NetworkResourceTypeDocument && g.b.tabs.isTop(e.FrameID)
		if top {
			// Aborted keeps the current page; the other reason would show an error page.
			reason = proto.NetworkErrorReasonAborted
		}
		d := g.evaluate(from, e, top)
		g.record(e, top, d)
		if d.Verdict != policy.Allow {
			return
		}
		allowed = proto.FetchContinueRequest{RequestID: e.RequestID}.Call(to) == nil
	}()
}

func (g *gate) evaluate(by proto.TargetSessionID, e *proto.FetchRequestPaused, top bool) policy.Decision {
	if g.b.tabs.isUnwanted(e.FrameID) {
		return policy.Decision{Rule: rulePopup, Reason: message.New("browser.popup_closed")}
	}
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return policy.Decision{Rule: ruleBadURL, Reason: message.New("browser.bad_url")}
	}
	if !top && (u.Scheme == "data" || u.Scheme == "blob") {
		return policy.Decision{Verdict: policy.Allow, Rule: ruleLocalData}
	}
	if d, ok := webScheme(u); !ok {
		return d
	}
	g.mu.Lock()
	from, known := g.hops.Get(pausedRequest{by, e.RedirectedRequestID})
	g.mu.Unlock()
	if e.RedirectedRequestID != "" && !known {
		return policy.Decision{Rule: ruleRedirect, Reason: message.New("browser.unknown_redirect")}
	}
	kind := policy.KindSubresource
	if top {
		kind = policy.KindNavigate
	}
	r := g.b.tabs.subject(e.FrameID)
	r.Kind, r.URL, r.From, r.Page = kind, e.Request.URL, from.url, from.page
	if !known {
		r.Page = g.pageOf(e, u, top)
	}
	d := decide(g.b.life, g.b.decider(actorOf(g.b.tabs.ofFrame(e.FrameID))), r)
	if d.Verdict == policy.Allow {
		g.mu.Lock()
		g.hops.Put(pausedRequest{by, e.RequestID}, hop{e.Request.URL, r.Page})
		g.mu.Unlock()
		if g.b.opts.Admit != nil { // for navigations too: a tunnel has no path, which a pattern may require
			g.b.opts.Admit(e.Request.Method, address.StripUser(e.Request.URL))
		}
	}
	return d
}

// record writes the decision to the record, and reports a refused navigation to its page.
func (g *gate) record(e *proto.FetchRequestPaused, top bool, d policy.Decision) {
	kind := "subresource"
	if top {
		kind = "navigate"
		if d.Verdict != policy.Allow {
			g.b.tabs.noteRefusal(e.FrameID, refusal{e.Request.URL, d})
		} else if t := g.b.tabs.ofTarget(proto.TargetTargetID(e.FrameID)); t != nil {
			t.update(func(s *state) { s.navigationAllowed = true })
		}
	}
	if d.Rule == ruleLocalData {
		return // too many inline images, and no connection
	}
	g.note(userOf(g.b.tabs.ofFrame(e.FrameID)), e.Request.URL, kind, string(e.ResourceType), d)
}

func (g *gate) note(of policy.Request, rawURL, kind, resource string, d policy.Decision) {
	n := trace.ConnectionNote{
		URL: address.StripUser(rawURL), Request: kind, Type: strings.ToLower(resource), Verdict: d.Verdict.String(), Rule: d.Rule,
	}
	if d.Verdict != policy.Allow || d.Rule == ruleNotEnforced {
		n.Reason = d.Reason
	}
	g.b.notes.Add(of, n)
}

// handleAuth answers the proxy's challenge with the credentials of this run, once per
// request, and no other challenges.
func (g *gate) handleAuth(e *proto.FetchAuthRequired) {
	answer := &proto.FetchAuthChallengeResponse{Response: proto.FetchAuthChallengeResponseResponseCancelAuth}
	p := g.b.opts.Proxy
	if c := e.AuthChallenge; c != nil && c.Source == proto.FetchAuthChallengeSourceProxy && isProxy(p, c.Origin) {
		g.mu.Lock()
		_, repeated := g.challenges.Get(e.RequestID)
		g.challenges.Put(e.RequestID, struct{}{})
		g.mu.Unlock()
		if !repeated {
			answer = &proto.FetchAuthChallengeResponse{
				Response: proto.FetchAuthChallengeResponseResponseProvideCredentials,
				Username: p.Username, Password: p.Password,
			}
		}
	}
	go func() {
		_ = proto.FetchContinueWithAuth{RequestID: e.RequestID, AuthChallengeResponse: answer}.Call(g.b.Root(g.b.life))
	}()
}

// isProxy reports whether an origin is one of the proxy's addresses.
func isProxy(p chromium.Proxy, origin string) bool {
	return origin == "http://"+p.Addr.String() || p.Sockets.IsValid() && origin == "http://"+p.Sockets.String()
}

// handleSocket decides a WebSocket, for the record and for the proxy's admission. Fetch
// does not pause WebSockets; only the proxy can stop them. It sees no path of wss, so the
// path doesn't count here either. In the user's own browser there is no proxy: the record
// says that the socket was let out.
func (g *gate) handleSocket(from proto.TargetSessionID, rawURL string) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "ws" && u.Scheme != "wss" {
		return
	}
	go func() {
		defer func() { _ = recover() }() // a panic in a hook must not stop the run; the proxy decides anyway
		attached := g.b.attached != nil
		of := userOf(g.b.tabs.ofSession(from))
		d := decide(g.b.life, g.b.decider(of), policy.Request{
			Kind: policy.KindSubresource, URL: rawURL, Page: g.socketPage(from, u), PathHidden: u.Scheme == "wss", Preview: !attached, // the proxy asks again
		})
		switch {
		case attached && d.Verdict != policy.Allow:
			d = policy.Decision{Verdict: policy.Allow, Rule: ruleNotEnforced, Reason: message.New("browser.socket_not_stopped", "reason", d.Reason)}
		case d.Verdict == policy.Allow && g.b.opts.AdmitSocket != nil:
			g.b.opts.AdmitSocket(address.HostPort(u))
		}
		g.note(of, rawURL, "subresource", "websocket", d)
	}()
}

// decide asks policy and treats a timeout or panic as a denial.
func decide(ctx context.Context, ask func(policy.Request) policy.Decision, r policy.Request) policy.Decision {
	if ask == nil {
		return policy.Decision{Rule: ruleNoPolicy, Reason: message.New("browser.no_policy")}
	}
	answer := make(chan policy.Decision, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				answer <- policy.Decision{Rule: ruleNoAnswer, Reason: message.New("browser.policy_failed", "cause", p)}
			}
		}()
		answer <- ask(r)
	}()
	timer := time.NewTimer(decideTimeout)
	defer timer.Stop()
	select {
	case d := <-answer:
		return d
	case <-timer.C:
		return policy.Decision{Rule: ruleNoAnswer, Reason: message.New("browser.policy_timeout", "limit", decideTimeout)}
	case <-ctx.Done():
		return policy.Decision{Rule: ruleNoAnswer, Reason: message.New("browser.browser_ended")}
	}
}
