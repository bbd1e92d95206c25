package view

import (
	"strings"
	"time"

	"errand/host/trace"
)

// Add counts a connection that the guard reported.
func (c *Connections) Add(n trace.ConnectionNote) {
	name, reason := hostName(n.Host), n.Reason
	if n.Verdict == "allow" {
		c.Allowed++
		if !n.Source.IsZero() {
			reason = n.Source
		}
	} else {
		c.Stopped++
	}
	for i := range c.Hosts {
		h := &c.Hosts[i]
		if h.Name == name {
			h.Count++
			if n.Verdict != "allow" {
				h.Verdict, h.Reason, h.Rule = n.Verdict, n.Reason, n.Rule
				h.Grantable = IsGrantable(n.Verdict, n.Rule)
			}
			return
		}
	}
	if len(c.Hosts) == maxHosts {
		return // they are only counted
	}
	c.Hosts = append(c.Hosts, Host{
		Name: name, Verdict: n.Verdict, Rule: n.Rule, Reason: reason, Grantable: IsGrantable(n.Verdict, n.Rule), Count: 1,
	})
}

// maxHosts limits the hosts that are listed by name.
const maxHosts = 500

// hostName returns a host as the page shows it and as [API.AllowHost] accepts it. The ports of
// HTTP and HTTPS are shown as the scheme.
func hostName(hostport string) string {
	if host, ok := strings.CutSuffix(hostport, ":443"); ok {
		return host
	}
	if host, ok := strings.CutSuffix(hostport, ":80"); ok {
		return "http://" + host
	}
	return hostport
}

func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
