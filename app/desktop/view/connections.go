package view

import (
	"strings"
	"time"

	"errand/planner/message"
)

// Add counts one connection as the guard notes it.
func (c *Connections) Add(data map[string]any) {
	text := func(key string) string { s, _ := data[key].(string); return s }
	name, verdict := hostName(text("host")), text("verdict")
	if verdict == "allow" {
		c.Allowed++
	} else {
		c.Stopped++
	}
	for i := range c.Hosts {
		h := &c.Hosts[i]
		if h.Name == name {
			h.Count++
			if verdict != "allow" {
				h.Verdict, h.Because, h.Rule = verdict, message.FromPlain(data["reason"]), text("rule")
				h.Grantable = IsGrantable(verdict, h.Rule)
			}
			return
		}
	}
	if len(c.Hosts) == maxHosts {
		return // they are counted
	}
	c.Hosts = append(c.Hosts, Host{
		Name: name, Verdict: verdict, Rule: text("rule"), Because: message.FromPlain(data["reason"]), Grantable: IsGrantable(verdict, text("rule")), Count: 1,
	})
}

// maxHosts bounds the hosts that are listed by name.
const maxHosts = 500

// hostName is a host as it is shown and as [API.AllowHost] takes it: a port of
// HTTP is said by its scheme.
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
