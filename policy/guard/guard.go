package guard

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"errand/policy"
)

// Decider is the part of a [policy.Decider] that a guard needs. It is asked by
// several goroutines at once.
type Decider interface {
	Decide(policy.Request) policy.Decision
	DecideAddr(netip.AddrPort) policy.Decision
}

// Options of a guard. The zero value is the one to use outside of tests.
type Options struct {
	// Resolve finds the addresses of a name; nil asks the system. It is called
	// once for each connection, after the name was allowed.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Overrides point a "host:port" at a loopback address, without DNS and
	// without the check of the address. The URL is decided as ever. Only the
	// demo and tests make them; what isn't loopback is ignored.
	Overrides map[string]netip.AddrPort
	// RootCAs are the authorities that servers are believed by; nil means the
	// system's. The demo and tests bring their own.
	RootCAs *x509.CertPool
	// Record is told of every connection, stopped ones included, when it is
	// over. It is called by several goroutines at once and must not block.
	Record func(Connection)
	// Budget bounds all connections of this guard together.
	Budget Budget

	ResolveTimeout time.Duration // of one look-up; 0: 5 s
	DialTimeout    time.Duration // of one address; 0: 5 s
	HeaderTimeout  time.Duration // until a response's header; 0: 30 s
	ClientTimeout  time.Duration // of a whole exchange, redirects included; 0: 60 s
	MaxBody        int64         // bytes of a client's response body, decompressed; 0: 32 MiB
}

const (
	maxAnswers     = 64       // addresses of one name; more is an attack or a mistake
	maxHeaderBytes = 64 << 10 // of a response's header
)

// Guard opens connections that a [Decider] allows. It is safe for use by
// several goroutines at once.
type Guard struct {
	decider Decider
	o       Options
	plain   *http.Transport // decodes nothing, for the proxy
	decode  *http.Transport // decodes gzip, for clients
	own     interfaces
	ledger  ledger

	mu        sync.Mutex
	listeners map[netip.AddrPort]bool // the guard's own proxies
}

// New makes a guard. A nil decider denies everything. Nothing has to be
// closed: no connection outlives its exchange.
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
	g := &Guard{decider: d, o: o, own: interfaces{list: net.InterfaceAddrs}, listeners: map[netip.AddrPort]bool{}}
	g.ledger.budget, g.ledger.hosts = o.Budget, map[string]bool{}
	g.plain, g.decode = g.transport(true), g.transport(false)
	return g
}

func setDefault[T time.Duration | int64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// Check decides a request and, where it is for a URL and allowed, resolves the
// host once and decides every address. It opens no connection but that of the
// look-up. The error is a [*ResolveError] for a name that has no address; a
// refusal is a decision, not an error.
func (g *Guard) Check(ctx context.Context, r policy.Request) (policy.Decision, []netip.Addr, error) {
	if r.Kind == policy.KindCall {
		return g.decider.Decide(r), nil, nil
	}
	way, err := g.look(ctx, r, g.decider.Decide(r))
	var addrs []netip.Addr
	for _, a := range way.addrs {
		addrs = append(addrs, a.Addr())
	}
	return way.decision, addrs, err
}

// route is a decided way to a host: where it leads and what may be dialled.
type route struct {
	target   policy.Target
	decision policy.Decision
	addrs    []netip.AddrPort // checked; empty unless the decision allows
	override bool
	dialled  atomic.Pointer[netip.AddrPort]
}

// route finds the addresses for a request that was decided and is about to be
// carried out, at the budget's cost.
func (g *Guard) route(ctx context.Context, r policy.Request, d policy.Decision) (*route, error) {
	if d.Verdict == policy.Allow {
		target, _ := policy.FloorURL(r.URL)
		d = d.Stricter(g.ledger.spend(target.Host))
	}
	return g.look(ctx, r, d)
}

// look finds the addresses for a request that was decided.
func (g *Guard) look(ctx context.Context, r policy.Request, d policy.Decision) (*route, error) {
	target, _ := policy.FloorURL(r.URL)
	way := &route{target: target, decision: d}
	if d.Verdict != policy.Allow {
		return way, nil
	}
	if a, ok := g.o.Overrides[target.HostPort()]; ok {
		way.addrs, way.override = []netip.AddrPort{a}, true
		return way, nil
	}
	answers := []netip.Addr{target.Addr}
	if !target.Addr.IsValid() {
		var err error
		if answers, err = g.resolve(ctx, target.Host); err != nil {
			return way, err
		}
	}
	judge := addrFunc(func(a netip.AddrPort) policy.Decision { return g.decideAddr(a, way) })
	if bad := policy.DecideAnswers(judge, target.Host, target.Port, answers); bad.Verdict != policy.Allow {
		way.decision = bad
		return way, nil
	}
	for _, a := range answers {
		way.addrs = append(way.addrs, netip.AddrPortFrom(a, target.Port))
	}
	return way, nil
}

// decideAddr is the word on one address of a route.
func (g *Guard) decideAddr(a netip.AddrPort, way *route) policy.Decision {
	g.mu.Lock()
	self := g.listeners[a]
	g.mu.Unlock()
	if self {
		return policy.Decision{Rule: RuleSelf, Reason: fmt.Sprintf("%s is this program's own proxy", a)}
	}
	if way.override {
		if slices.Contains(way.addrs, a) {
			return policy.Decision{Verdict: policy.Allow, Rule: RuleOverride, Reason: "an override of the demo or a test"}
		}
		return policy.Decision{Rule: RuleOverride, Reason: fmt.Sprintf("%s is not the address of the override", a)}
	}
	d := g.decider.DecideAddr(a)
	if d.Verdict == policy.Allow && slices.Contains(way.decision.Flags, policy.FlagPublicOnly) {
		d = policy.FloorAddr(a.Addr())
	}
	if d.Verdict == policy.Allow && d.Rule != policy.RuleAllowPrivate && g.own.have(a.Addr()) {
		return policy.Decision{Rule: policy.RulePrivateAddress, Reason: fmt.Sprintf("%s belongs to this machine", a.Addr())}
	}
	return d
}

type addrFunc func(netip.AddrPort) policy.Decision

func (f addrFunc) DecideAddr(a netip.AddrPort) policy.Decision { return f(a) }

// Rules of the guard's own, beside those of policy.
const (
	RuleSelf     = "guard.self"     // the program's own proxy
	RuleOverride = "guard.override" // an override of the demo or a test
	RuleAdmitted = "guard.admitted" // the browser's interception let the host in
	RuleSNI      = "guard.sni"      // a tunnel that speaks to another host than it named
	RuleLimit    = "guard.limit"    // too many bytes, too long
)
