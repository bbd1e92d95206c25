package guard

import (
	"errand/planner/message"
	"errand/policy"
)

// DeniedError is returned for a connection that policy refused. No socket was opened to
// the host. Match it with errors.As: an http.Client wraps it.
type DeniedError struct {
	URL      string
	Decision policy.Decision
}

func (e *DeniedError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *DeniedError) AsMessage() message.Message {
	return message.New("network.denied", "url", e.URL, "reason", e.Decision.Reason)
}

// Refusal returns the decision. Packages that may not import guard match the error by this
// method.
func (e *DeniedError) Refusal() policy.Decision { return e.Decision }

// ResolveError is returned for a name that could not be resolved. No connection was tried.
type ResolveError struct {
	Host string
	Err  error // the resolver's error
}

func (e *ResolveError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *ResolveError) AsMessage() message.Message {
	return message.New("network.unresolved", "host", e.Host, "cause", e.Err)
}

// Unwrap returns the resolver's error, a *net.DNSError or a deadline.
func (e *ResolveError) Unwrap() error { return e.Err }

// LimitError is returned if a message, or the traffic of a run, exceeds a limit.
type LimitError struct {
	Kind  LimitKind
	Limit int64 // bytes
}

// LimitKind says what exceeded a limit.
type LimitKind string

// Kinds of limits.
const (
	LimitBody   LimitKind = "body"   // of a response
	LimitTunnel LimitKind = "tunnel" // through the proxy
	LimitRun    LimitKind = "run"    // all traffic of a run, its [Budget]
)

// rule returns the rule for the record of the connection.
func (e *LimitError) rule() string {
	if e.Kind == LimitRun {
		return RuleBudget
	}
	return RuleLimit
}

func (e *LimitError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *LimitError) AsMessage() message.Message {
	if e.Kind == LimitRun {
		return message.New("network.run_traffic_too_large", "limit", e.Limit, "hint", raise("bytes"))
	}
	return message.New("network.message_too_large", "kind", string(e.Kind), "limit", e.Limit)
}

// raise returns a hint about the key that changes a limit of runs.
func raise(key string) message.Message { return message.New("network.raise_budget", "key", key) }
