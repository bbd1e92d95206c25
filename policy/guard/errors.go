package guard

import (
	"fmt"

	"errand/policy"
)

// DeniedError is returned for a connection that policy refused. No socket was opened to
// the host. Match it with errors.As: an http.Client wraps it.
type DeniedError struct {
	URL      string
	Decision policy.Decision
}

func (e *DeniedError) Error() string {
	return fmt.Sprintf("connect to %q: %s", e.URL, e.Decision.Reason)
}

// Refusal returns the decision. Packages that may not import guard match the error by this
// method.
func (e *DeniedError) Refusal() policy.Decision { return e.Decision }

// ResolveError is returned for a name that could not be resolved. No connection was tried.
type ResolveError struct {
	Host string
	Err  error // the resolver's error
}

func (e *ResolveError) Error() string { return fmt.Sprintf("resolve %q: %v", e.Host, e.Err) }

// Unwrap returns the resolver's error, a *net.DNSError or a deadline.
func (e *ResolveError) Unwrap() error { return e.Err }

// LimitError is returned if a message, or the traffic of a run, exceeds a limit.
type LimitError struct {
	What  string // such as "response body"
	Limit int64  // bytes
}

// runTraffic is the What of a budget's limit of bytes.
const runTraffic = "run's traffic"

// rule returns the rule for the record of the connection.
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

// raise returns a hint about the key that changes a limit of runs.
func raise(key string) string {
	return "raise " + key + " in [policy.budget] of errand.toml, or set it to 0 for no bound"
}
