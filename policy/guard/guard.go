package guard

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// Decider is the part of a [policy.Decider] that a guard needs. It must be safe for
// concurrent use.
type Decider interface {
	Decide(policy.Request) policy.Decision
	DecideAddr(netip.AddrPort) policy.Decision
}

// Options of a guard. Use the zero value except in tests.
type Options struct {
	// Resolve returns the addresses of a name; nil means the system's resolver. It is
	// called once for each connection, after policy has allowed the name.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Overrides map a "host:port" to a loopback address, without DNS and without a check
	// of the address. Policy still decides the URL. Only the demo and tests use them.
	// Entries that are not loopback are ignored.
	Overrides map[string]netip.AddrPort
	// RootCAs are the trusted certificate authorities; nil means the system's. The demo
	// and tests set their own.
	RootCAs *x509.CertPool
	// Record receives every finished or refused connection. It must be safe for concurrent
	// use and must not block.
	Record func(Connection)
	// Budget limits all connections of this guard together.
	Budget Budget

	ResolveTimeout time.Duration // of one lookup; 0: 5 s
	DialTimeout    time.Duration // of one address; 0: 5 s
	HeaderTimeout  time.Duration // until the response's headers; 0: 30 s
	ClientTimeout  time.Duration // of a whole exchange, including redirects; 0: 60 s
	MaxBody        int64         // decompressed bytes of a client's response body; 0: 32 MiB
}

const (
	maxAnswers     = 64       // addresses of one name; more are an attack or a mistake
	maxHeaderBytes = 64 << 10 // of a response's headers
)

// Guard opens connections that a [Decider] allows. It is safe for concurrent use.
type Guard struct {
	decider    Decider
	o          Options
	plain      *http.Transport // doesn't decompress, for the proxy
	decode     *http.Transport // decompresses gzip, for clients
	localAddrs interfaces
	ledger     ledger

	mu        sync.Mutex
	listeners map[netip.AddrPort]bool // the guard's own proxies
}

// New returns a guard. A nil decider denies everything. A guard doesn't need to be closed:
// no connection outlives its exchange.
func New(d Decider, o Options) *Guard {
	if d == nil {
		d = (*policy.Policy)(nil)
	}
	setDefault(&o.ResolveTimeout, 5*time.Second)
	setDefault(&o.DialTimeout, 5*time.Second)
	setDefault(&o.HeaderTimeout, 30*time.Second)
	setDefault(&o.ClientTimeout, 60*time.Second)
	setDefault(&o.MaxBody, 32<<20)
	if o.Resolve == nil {
		o.Resolve = systemResolve
	}
	overrides := map[string]netip.AddrPort{}
	for hostPort, a := range o.Overrides {
		if a.Addr().IsLoopback() {
			overrides[strings.ToLower(hostPort)] = a
		}
	}
	o.Overrides = overrides
	g := &Guard{decider: d, o: o, localAddrs: interfaces{list: net.InterfaceAddrs}, listeners: map[netip.AddrPort]bool{}}
	g.ledger.budget, g.ledger.hosts = o.Budget, map[string]bool{}
	g.plain, g.decode = g.transport(true), g.transport(false)
	return g
}

func setDefault[T time.Duration | int64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// Check decides a request. If it allows a URL, Check resolves the host once and decides
// every address. It connects only to the resolver. The error is a [*ResolveError] for a
// name without an address; a refusal is a decision, not an error.
func (g *Guard) Check(ctx context.Context, r policy.Request) (policy.Decision, []netip.Addr, error) {
	if r.Kind == policy.KindCall {
		return g.decider.Decide(r), nil, nil
	}
	route, err := g.lookup(ctx, r, g.decider.Decide(r))
	var addrs []netip.Addr
	for _, a := range route.addrs {
		addrs = append(addrs, a.Addr())
	}
	return route.decision, addrs, err
}

// route is a decided destination with the addresses that may be dialled.
type route struct {
	target   policy.Target
	decision policy.Decision
	addrs    []netip.AddrPort // checked; empty unless the decision allows
	override bool
	dialled  atomic.Pointer[netip.AddrPort]
}

// route returns the addresses for a decided request and charges it to the budget.
func (g *Guard) route(ctx context.Context, r policy.Request, d policy.Decision) (*route, error) {
	if d.Verdict == policy.Allow {
		target, _ := policy.FloorURL(r.URL)
		d = d.Stricter(g.ledger.spend(target.Host))
	}
	return g.lookup(ctx, r, d)
}

// lookup returns the addresses for a decided request.
func (g *Guard) lookup(ctx context.Context, r policy.Request, d policy.Decision) (*route, error) {
	target, _ := policy.FloorURL(r.URL)
	route := &route{target: target, decision: d}
	if d.Verdict != policy.Allow {
		return route, nil
	}
	if a, ok := g.o.Overrides[target.HostPort()]; ok {
		route.addrs, route.override = []netip.AddrPort{a}, true
		return route, nil
	}
	answers := []netip.Addr{target.Addr}
	if !target.Addr.IsValid() {
		var err error
		if answers, err = g.resolve(ctx, target.Host); err != nil {
			return route, err
		}
	}
	judge := addrFunc(func(a netip.AddrPort) policy.Decision { return g.decideAddr(a, route) })
	good, word := policy.DecideAnswers(judge, target.Host, target.Port, answers)
	if word.Verdict != policy.Allow {
		route.decision = word
		return route, nil
	}
	for _, a := range good {
		route.addrs = append(route.addrs, netip.AddrPortFrom(a, target.Port))
	}
	return route, nil
}

// decideAddr decides one address of a route.
func (g *Guard) decideAddr(a netip.AddrPort, route *route) policy.Decision {
	g.mu.Lock()
	self := g.listeners[a]
	g.mu.Unlock()
	if self {
		return policy.Decision{Rule: RuleSelf, Reason: message.New("network.own_proxy", "address", a)}
	}
	if route.override {
		if slices.Contains(route.addrs, a) {
			return policy.Decision{Verdict: policy.Allow, Rule: RuleOverride, Reason: message.New("network.override")}
		}
		return policy.Decision{Rule: RuleOverride, Reason: message.New("network.not_override", "address", a)}
	}
	d := g.decider.DecideAddr(a)
	if d.Verdict == policy.Allow && slices.Contains(route.decision.Flags, policy.FlagPublicOnly) {
		d = policy.FloorAddr(a.Addr())
	}
	if d.Verdict == policy.Allow && d.Rule != policy.RuleAllowPrivate && g.localAddrs.isOwnAddress(a.Addr()) {
		return policy.Decision{Rule: policy.RulePrivateAddress, Reason: message.New("network.own_address", "address", a.Addr())}
	}
	return d
}

type addrFunc func(netip.AddrPort) policy.Decision

func (f addrFunc) DecideAddr(a netip.AddrPort) policy.Decision { return f(a) }

// Rules of the guard, in addition to those of policy.
const (
	RuleSelf     = "guard.self"     // the program's own proxy
	RuleOverride = "guard.override" // an override of the demo or a test
	RuleAdmitted = "guard.admitted" // the browser's interception admitted the host
	RuleSNI      = "guard.sni"      // the tunnel's SNI names another host
	RuleLimit    = "guard.limit"    // too many bytes, or too long
)
