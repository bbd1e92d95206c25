package guard

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// limit checks the credentials and the number of concurrent requests.
func (p *Proxy) limit(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p.work.Add(1)
		defer p.work.Done()
		if !p.isAuthorized(r) {
			w.Header().Set("Proxy-Authenticate", `Basic realm="errand"`)
			http.Error(w, "proxy credentials are missing or wrong", http.StatusProxyAuthRequired)
			return
		}
		select {
		case p.slots <- struct{}{}:
			defer func() { <-p.slots }()
		default:
			fail(w, http.StatusServiceUnavailable, "busy", message.New("network.proxy_busy"))
			return
		}
		serve(w, r)
	}
}

// serve handles one request to the proxy.
func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward(w, r)
	default:
		fail(w, http.StatusBadRequest, "bad_request", message.New("network.proxy_request_kind"))
	}
}

// serveSocket handles one request to the proxy's address for WebSockets and plain HTTP.
func (p *Proxy) serveSocket(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.socket(w, r)
	case r.URL.Host == p.sockets.String():
		w.WriteHeader(http.StatusNoContent)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward(w, r)
	default:
		fail(w, http.StatusBadRequest, "bad_request", message.New("network.proxy_request_kind"))
	}
}

// isAuthorized compares the credentials in constant time.
func (p *Proxy) isAuthorized(r *http.Request) bool {
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(p.user+":"+p.password))
	return subtle.ConstantTimeCompare([]byte(r.Header.Get("Proxy-Authorization")), []byte(want)) == 1
}

// open decides a URL and finds its route. If it returns false, it has written the
// response.
func (p *Proxy) open(w http.ResponseWriter, r *http.Request, url string) (*route, Connection, bool) {
	ask := p.o.Caller
	ask.Kind, ask.URL, ask.At = policy.KindNavigate, url, time.Now()
	route, err := p.g.route(r.Context(), ask, p.decide(r.Context(), ask))
	unasked := false
	if err == nil {
		route.decision = p.decideForPage(r, ask, route.decision)
		unasked = p.isUnasked(r, ask, route.decision)
		if unasked && route.decision.Verdict == policy.Allow {
			route.decision = route.decision.Stricter(p.o.Charge(ask, route.decision))
		}
	}
	record := connection(r.Method, route)
	record.Unasked = unasked
	if r.Method != http.MethodConnect {
		record.URL = url
	}
	if route.target.Host == "" {
		record.Host = r.Host // denied because of its spelling: record it unchanged
	}
	switch {
	case err != nil:
		record.Error = message.FromError(err)
		p.record(record, route)
		fail(w, http.StatusBadGateway, "name_not_resolved", message.FromError(err))
		return nil, record, false
	case route.decision.Verdict != policy.Allow:
		p.record(record, route)
		w.Header().Set("X-Errand-Rule", route.decision.Rule)
		fail(w, http.StatusForbidden, "denied", route.decision.Reason)
		return nil, record, false
	}
	return route, record, true
}

// decide returns policy's decision. It allows an admitted host for which policy would
// ask.
func (p *Proxy) decide(ctx context.Context, ask policy.Request) policy.Decision {
	d := p.g.decider.Decide(ask)
	if d.Verdict == policy.Ask && d.Rule == policy.RuleUnlisted && p.isAdmittedURL(ctx, "", ask.URL) {
		return allowedHost
	}
	return d
}

// decideForPage decides a private address that policy allows. If pages may not reach it
// by themselves, it has to be admitted, because the proxy doesn't see which page asks.
func (p *Proxy) decideForPage(r *http.Request, ask policy.Request, d policy.Decision) policy.Decision {
	if d.Verdict != policy.Allow || d.Rule != policy.RuleAllowPrivate {
		return d
	}
	key := "" // of a tunnel, whose requests the proxy doesn't see
	switch {
	case r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "":
		key = requestKey(r.Header.Get("Access-Control-Request-Method"), r.RequestURI)
	case r.Method != http.MethodConnect:
		key = requestKey(r.Method, r.RequestURI)
	}
	ask.Kind = policy.KindSubresource
	if of := p.g.decider.Decide(ask); of.Rule == policy.RulePrivateFromPage && !p.isAdmittedURL(r.Context(), key, ask.URL) {
		return of
	}
	return d
}

// isUnasked reports whether the browser makes a request by itself: it was not admitted, so
// policy was not asked about it before. For a tunnel only the host is compared.
func (p *Proxy) isUnasked(r *http.Request, ask policy.Request, d policy.Decision) bool {
	if p.o.Charge == nil {
		return false
	}
	target, _ := policy.FloorURL(ask.URL)
	switch {
	case d.Verdict != policy.Allow:
		return !p.isAdmittedNow(target.HostPort())
	case r.Method == http.MethodConnect:
		return !p.isAdmitted(r.Context(), target.HostPort())
	}
	return !p.claim(r.Context(), requestKey(r.Method, r.RequestURI)+target.HostPort())
}

// decideSocket is decide for a WebSocket, which is a part of a page. Without TLS the proxy
// sees which one.
func (p *Proxy) decideSocket(ctx context.Context, ask policy.Request) policy.Decision {
	d := p.g.decider.Decide(ask)
	switch {
	case d.Rule == policy.RuleUnlisted && p.isAdmittedURL(ctx, socketKey, ask.URL):
		return allowedHost
	case d.Rule == policy.RulePrivateFromPage && ask.Page == "" && p.isAdmittedURL(ctx, socketKey, ask.URL):
		ask.Kind = policy.KindNavigate
		return p.g.decider.Decide(ask)
	}
	return d
}

func (p *Proxy) isAdmittedURL(ctx context.Context, key, rawURL string) bool {
	target, _ := policy.FloorURL(rawURL)
	return p.isAdmitted(ctx, key+target.HostPort())
}

// allowedHost is the decision about an admitted host.
var allowedHost = policy.Decision{
	Verdict: policy.Allow, Rule: RuleAdmitted, Flags: []string{policy.FlagPublicOnly},
	Reason: message.New("network.admitted"),
}

// record completes a connection's record and stores it.
func (p *Proxy) record(c Connection, route *route) {
	c = p.g.completeRecord(c, route)
	p.mu.Lock()
	if len(p.connections) >= p.o.RecordLimit {
		p.connections = slices.Delete(p.connections, 0, p.o.RecordLimit/4+1)
	}
	p.connections = append(p.connections, c)
	p.mu.Unlock()
	if p.o.OnDenied != nil && c.Verdict != policy.Allow {
		p.o.OnDenied(c)
	}
}

// fail responds with a code and a reason. Only the browser reads them.
func fail(w http.ResponseWriter, status int, code string, reason message.Message) {
	w.Header().Set("X-Errand-Error", code)
	http.Error(w, "errand: "+reason.String(), status)
}
