package guard

import (
	"context"
	"errors"
	"net"
	"net/netip"

	"errand/planner/message"
)

// resolve resolves a name once, within the timeout.
func (g *Guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, g.o.ResolveTimeout)
	defer cancel()
	answers, err := g.o.Resolve(ctx, host)
	switch {
	case err != nil:
		return nil, &ResolveError{host, truncate(err)}
	case len(answers) == 0:
		return nil, &ResolveError{host, message.Error("network.no_address")}
	case len(answers) > maxAnswers:
		return nil, &ResolveError{host, message.Error("network.too_many_addresses", "count", len(answers), "limit", maxAnswers)}
	}
	return answers, nil
}

// systemResolve asks the system's resolver. It makes the name absolute, so that no search
// domain of the local network is tried. It unmaps IPv4-mapped IPv6 addresses.
func systemResolve(ctx context.Context, host string) ([]netip.Addr, error) {
	answers, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host+".")
	for i, a := range answers {
		answers[i] = a.Unmap()
	}
	return answers, err
}

// truncate removes what net.DNSError repeats: the name, and "lookup".
func truncate(err error) error {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		c := *dns
		c.Name, c.Server = "", ""
		return &dnsError{dns, c.Err}
	}
	return err
}

// dnsError prints a *net.DNSError without the name and unwraps to it.
type dnsError struct {
	*net.DNSError
	text string
}

func (e *dnsError) Error() string { return e.AsMessage().String() }
func (e *dnsError) Unwrap() error { return e.DNSError }

// AsMessage implements [message.Messenger].
func (e *dnsError) AsMessage() message.Message {
	switch {
	case e.IsNotFound:
		return message.New("network.no_such_host")
	case e.IsTimeout:
		return message.New("network.no_dns_answer")
	}
	return message.Verbatim(e.text)
}
