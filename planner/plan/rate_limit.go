package plan

import (
	"net/url"
	"strings"

	"errand/planner/message"
)

// RateLimitFrom is the number of actions that open addresses of one site, from which the
// site may limit or block the requests.
const RateLimitFrom = 10

// RateLimitRisks flags the sites that [RateLimitFrom] or more actions open, in the order
// of the actions. Addresses with and without "www." belong to one site.
func RateLimitRisks(actions []Action) []Risk {
	var risks []Risk
	counts := map[string]int{}
	var hosts []string
	for _, a := range actions {
		raw, _ := a.Args["url"].(string)
		u, err := url.Parse(raw)
		if err != nil || u.Hostname() == "" {
			continue
		}
		host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
		if counts[host]++; counts[host] == 1 {
			hosts = append(hosts, host)
		}
	}
	for _, host := range hosts {
		if n := counts[host]; n >= RateLimitFrom {
			risks = append(risks, Risk{Kind: RateLimitRisk, Details: message.New("plan.risk_rate_limit", "count", n, "host", host)})
		}
	}
	return risks
}
