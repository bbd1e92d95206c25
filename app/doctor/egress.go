package doctor

import (
	"context"
	"errors"
	"net"
	"strconv"
	"time"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Times of the egress test.
const (
	egressTimeout = 60 * time.Second        // until the page has tried all ways
	egressQuiet   = 1500 * time.Millisecond // for requests that come late
)

// EgressReport says whether a page of an allowed host finds a way past the
// network boundary on this machine.
type EgressReport struct {
	Passed       bool          `json:"passed"`
	Browser      string        `json:"browser"`
	Subresources string        `json:"subresources"` // what a page may load by itself: public or listed
	Hits         []string      `json:"hits"`         // ways that got out
	NotTried     []string      `json:"untried"`      // ways without a result
	Broken       []string      `json:"broken"`       // what the page should do, and could not
	Report       EgressDetails `json:"report"`
}

// EgressDetails are the outcomes of all ways, and of what the page may do.
type EgressDetails struct {
	Ways  []EgressWay  `json:"ways"`
	Works []EgressWork `json:"works"`
}

// EgressWay is the outcome of one way.
type EgressWay struct {
	Name        string          `json:"name"`
	Description message.Message `json:"about"`
	Tried       bool            `json:"tried"`
	Hits        int             `json:"hits"` // connections and packets that arrived
	// Stop is the first refusal; by "browser" without a rule if the browser made no
	// request.
	Stop  EgressStop `json:"stop"`
	Error string     `json:"error,omitempty"` // that the page's script got
}

// EgressStop says what refused a request: "interception", "proxy" or "browser".
type EgressStop struct {
	By   string `json:"by"`
	Rule string `json:"rule"`
}

// EgressWork is one thing that an allowed page must be able to do.
type EgressWork struct {
	Name        string          `json:"name"`
	Description message.Message `json:"about"`
	Done        bool            `json:"done"`
}

// TestEgress opens a page that tries the common ways out, in the browser, behind
// the proxy and under the policy of a run, towards servers on loopback that
// nothing may reach. It needs no network. The error is for a test that could not
// be made; the report says what got out.
func (d *Doctor) TestEgress(ctx context.Context) (EgressReport, error) {
	site, err := newEgressSite(ctx)
	if err != nil {
		return EgressReport{}, err
	}
	defer site.close()
	b, closeAll, err := d.launchEgress(ctx, site)
	if err != nil {
		return EgressReport{}, err
	}
	defer closeAll()
	trying, cancel := context.WithTimeout(ctx, egressTimeout)
	defer cancel()
	page := "http://" + pageHost + "/"
	_, opened := b.Open(trying, page)
	if fault, ok := errors.AsType[*tool.Error](opened); ok && fault.Class == tool.ToolTimeout {
		opened = nil // a busy machine: the page may still try its ways
	}
	if opened != nil {
		return EgressReport{}, message.Error("doctor.open_egress_page", "page", page, "cause", opened)
	}
	select {
	case <-site.end:
	case <-trying.Done(): // the report says what is not tried
	}
	select {
	case <-time.After(egressQuiet):
	case <-ctx.Done():
		return EgressReport{}, ctx.Err()
	}
	return d.report(b.Info().Product, site.details()), nil
}

// launchEgress starts a run's browser behind a run's proxy in which the test's
// hosts exist and are allowed.
func (d *Doctor) launchEgress(ctx context.Context, site *egressSite) (*page.Browser, func(), error) {
	gate, err := d.Policy.Grants.Policy.WithAllowed(
		"http://"+pageHost, "http://"+privateHost+":*", "http://"+socketHost+":*",
		"http://"+pathHost+":*", "ws://"+pathHost+":*", "!ws://"+pathHost+"/admin/",
	)
	if err != nil {
		return nil, nil, err
	}
	proxy, err := guard.New(gate, guard.Options{
		Overrides: site.overrides(), Resolve: site.resolve,
		Record: func(c guard.Connection) {
			if c.Verdict != policy.Allow {
				site.stop("proxy", "http://"+net.JoinHostPort(c.Host, strconv.Itoa(c.Port))+"/", c.Rule)
			}
		},
	}).StartProxy(ctx, guard.ProxyOptions{Caller: policy.Request{Origin: plan.UserGoal}})
	if err != nil {
		return nil, nil, err
	}
	b, err := d.Launch(ctx, proxy, page.Options{
		Decide: func(r policy.Request) policy.Decision {
			r.Origin, r.At = plan.UserGoal, d.Policy.Grants.Now()
			return gate.Decide(r)
		},
		Note: func(n trace.Note) {
			if c, ok := n.(trace.ConnectionNote); ok && c.Verdict != policy.Allow.String() {
				site.stop("interception", c.URL, c.Rule)
			}
		},
	})
	if err != nil {
		proxy.Close()
		return nil, nil, err
	}
	return b, func() { b.Close(); proxy.Close() }, nil
}

// report judges the outcomes.
func (d *Doctor) report(product string, details EgressDetails) EgressReport {
	out := EgressReport{
		Browser: product, Subresources: d.Config.Policy.Subresources, Report: details,
		Hits: []string{}, NotTried: []string{}, Broken: []string{},
	}
	for _, w := range details.Ways {
		switch {
		case w.Hits > 0:
			out.Hits = append(out.Hits, w.Name)
		case !w.Tried && w.Stop.By == "":
			out.NotTried = append(out.NotTried, w.Name)
		}
	}
	for _, w := range details.Works {
		if !w.Done {
			out.Broken = append(out.Broken, w.Name)
		}
	}
	out.Passed = len(out.Hits)+len(out.NotTried)+len(out.Broken) == 0
	return out
}
