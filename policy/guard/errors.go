package guard

import (
	"fmt"

	"errand/policy"
)

// DeniedError is a connection that policy refused; no socket was opened to the
// refused host. Match it with errors.As: an http.Client wraps it.
type DeniedError struct {
	URL      string
	Decision policy.Decision
}

func (e *DeniedError) Error() string {
	return fmt.Sprintf("connect to %q: %s", e.URL, e.Decision.Reason)
}

// Refusal is the decision, for those who match the error by what it can do
// because they may not import this package.
func (e *DeniedError) Refusal() policy.Decision { return e.Decision }

// ResolveError is a name that could not be turned into an address, so that no
// connection was tried.
type ResolveError struct {
	Host string
	Err  error // what the resolver said
}

func (e *ResolveError) Error() string { return fmt.Sprintf("resolve %q: %v", e.Host, e.Err) }

// Unwrap gives the resolver's error, a *net.DNSError or a deadline.
func (e *ResolveError) Unwrap() error { return e.Err }

// LimitError is a message, or all that a run has sent and received, that is
// larger than the guard passes on.
type LimitError struct {
	What  string // "response body"
	Limit int64  // bytes
}

// runTraffic is what a budget's bytes limit.
const runTraffic = "run's traffic"

// rule is the rule that a record names for it.
func (e *LimitError) rule() string {
	if e.What == runTraffic {
		return RuleBudget
	}
	return RuleLimit
}

func (e *LimitError) Error() string {
	text := fmt.Sprintf("read the %s: it is larger than %d bytes", e.What, e.Limit)
	if e.What == runTraffic {
		text += "; " + raise("bytes")
	}
	return text
}

// raise says which key of the config moves a bound of a run.
func raise(key string) string {
	return "raise " + key + " in [policy.budget] of errand.toml, or set it to 0 for no bound"
}
