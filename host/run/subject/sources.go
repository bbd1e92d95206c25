package subject

import (
	"maps"
	"net/url"
	"slices"

	"errand/host/tool"
)

// SourcesOf returns the possible sources of a call's answer: hosts, else the files in its arguments.
func SourcesOf(spec tool.Spec, call tool.Call) []string {
	sources := sourceHosts(spec, call)
	if len(sources) > 0 {
		return sources
	}
	for _, p := range spec.PathArgs(call.Args) {
		sources = append(sources, p.Path)
	}
	return sources
}

// sourceHosts returns the hosts that a call's answer comes from: the hosts of the URLs
// in its arguments, else the hosts that its tool may contact.
func sourceHosts(spec tool.Spec, call tool.Call) []string {
	var hosts []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if u, err := url.Parse(v); err == nil && u.Host != "" && !slices.Contains(hosts, u.Hostname()) {
				hosts = append(hosts, u.Hostname())
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k])
			}
		}
	}
	walk(call.Args)
	if len(hosts) == 0 {
		hosts = slices.Clone(spec.Hosts)
	}
	return hosts
}
