package policy

import (
	"encoding/json"
	"net/netip"

	"errand/planner/message"
	"errand/policy/special"
)

// Check is one question about a URL, with everything that the answer depends
// on: a line of `errand policy check --jsonl`.
type Check struct {
	ID        json.RawMessage `json:"id"`
	URL       string          `json:"url"`
	Allow     []string        `json:"allow"`     // patterns in place of the policy's own; null keeps those
	Private   []string        `json:"private"`   // with Allow: entries of allow_private
	Page      string          `json:"page"`      // URL of the page that loads URL; "": the user opens it
	Floor     bool            `json:"floor"`     // ask the floor alone
	DNS       []string        `json:"dns"`       // the answer to every lookup; null: decide names by their spelling
	Redirects []string        `json:"redirects"` // Location headers, followed from URL
}

// CheckResult is the answer: verdict is allow, ask, deny, or invalid for a bad
// pattern, which the reason names.
type CheckResult struct {
	ID      json.RawMessage `json:"id"`
	Verdict string          `json:"verdict"`
	Rule    string          `json:"rule"`
	Reason  message.Message `json:"reason"`
}

// RuleInvalid is the rule of the answer to a bad pattern.
const RuleInvalid = "allowlist.invalid"

// Check answers a check without network access. A host outside the list is denied,
// because approval can't be asked for.
func (p *Policy) Check(c Check) CheckResult { return c.answer(p) }

func (c Check) answer(decider Decider) CheckResult {
	switch {
	case c.Floor:
		decider = FloorOnly()
	case c.Allow != nil:
		p, err := New(Settings{AllowedDomains: c.Allow, AllowPrivate: c.Private})
		if err != nil {
			return CheckResult{c.ID, "invalid", RuleInvalid, message.FromError(err)}
		}
		decider = p
	}
	d := c.follow(decider)
	if d.Verdict == Ask {
		d.Verdict = Deny
	}
	return CheckResult{c.ID, d.Verdict.String(), d.Rule, d.Reason}
}

// follow decides the URL and each redirect as separate fetches.
func (c Check) follow(decider Decider) Decision {
	if len(c.Redirects) > MaxRedirects {
		return deny(RuleRedirect, message.New("policy.too_many_redirects", "limit", MaxRedirects))
	}
	d := c.decideHop(decider, c.URL, "")
	at := c.URL
	for _, location := range c.Redirects {
		if d.Verdict != Allow {
			return d
		}
		next, redirect := Redirect(at, location)
		if redirect.Verdict != Allow {
			return redirect
		}
		d, at = c.decideHop(decider, next, at), next
	}
	return d
}

// decideHop decides one URL and, if the check has addresses, those of its host.
func (c Check) decideHop(decider Decider, raw, from string) Decision {
	kind := KindFetch
	if c.Page != "" {
		kind = KindSubresource
	}
	d := decider.Decide(Request{Kind: kind, URL: raw, From: from, Page: c.Page})
	if d.Verdict != Allow || c.DNS == nil {
		return d
	}
	t, _ := FloorURL(raw)
	if t.Addr.IsValid() {
		return d
	}
	answers := make([]netip.Addr, 0, len(c.DNS))
	for _, text := range c.DNS {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return deny(RuleNoAnswer, message.New("policy.bad_address", "address", text))
		}
		answers = append(answers, a)
	}
	if _, bad := DecideAnswers(decider, t.Host, t.Port, answers); bad.Verdict != Allow {
		return bad
	}
	return d
}

// AddrDecider decides about addresses, as every [Decider] does.
type AddrDecider interface {
	DecideAddr(netip.AddrPort) Decision
}

// DecideAnswers decides every address that a name resolved to, and returns those that
// may be dialled. One bad address denies the name, because another program may dial any
// of them. It leaves out NAT64 addresses of public IPv4 addresses, which some networks
// add, if there are others. It denies a name without an address.
func DecideAnswers(p AddrDecider, host string, port uint16, answers []netip.Addr) ([]netip.Addr, Decision) {
	if len(answers) == 0 {
		return nil, deny(RuleNoAnswer, message.New("policy.no_address", "host", host))
	}
	var good []netip.Addr
	var bad, translated *Decision
	for _, a := range answers {
		switch d := p.DecideAddr(netip.AddrPortFrom(a, port)); {
		case d.Verdict == Allow:
			good = append(good, a)
		case special.IsPublicNAT64(a):
			translated = &d
		case bad == nil:
			bad = &d
		}
	}
	if bad == nil && len(good) == 0 {
		bad = translated
	}
	if bad != nil {
		bad.Reason = message.New("policy.refused_for_address", "host", host, "reason", bad.Reason)
		return nil, *bad
	}
	return good, allow(RuleFloor, message.New("policy.all_addresses_public"))
}
