package catalogue

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"errand/planner/message"
)

const placeholder = "{query}"

// SearchURL returns the address of a search for query on the site with id site.
//
// The query is percent-encoded strictly: every byte except RFC 3986's unreserved
// characters, with a space as %20. The result is safe in a query, a fragment and a path
// segment. In a path segment "." and ".." are rejected, because resolving the URL would
// remove them.
func (c *Catalogue) SearchURL(site, query string) (string, error) {
	s, ok := c.Site(site)
	switch {
	case !ok:
		return "", message.Error("catalogue.unknown_site", "site", site)
	case s.Search == "":
		return "", message.Error("catalogue.no_search", "site", site)
	case query == "":
		return "", message.Error("catalogue.empty_query", "site", site)
	case !utf8.ValidString(query):
		return "", message.Error("catalogue.query_not_utf8", "site", site)
	}
	before, after, _ := strings.Cut(s.Search, placeholder)
	if inPath := !strings.ContainsAny(before, "?#"); inPath && (query == "." || query == "..") {
		return "", message.Error("catalogue.query_in_path", "site", site, "query", query)
	}
	return before + Escape(query) + after, nil
}

// FormURL returns the address of a site for a topic, such as "directions". It leaves out parameters
// whose value is empty or missing. ok is false if the site has no such address.
func (c *Catalogue) FormURL(site, topic string, values map[string]string) (address string, ok bool) {
	i, ok := c.findSite(site)
	if !ok || c.sites[i].Forms[topic] == "" {
		return "", false
	}
	page, query, _ := strings.Cut(c.sites[i].Forms[topic], "?")
	var params []string
	for _, param := range strings.Split(query, "&") {
		before, name, ok := strings.Cut(param, "{")
		name, after, closed := strings.Cut(name, "}")
		switch value := values[name]; {
		case !ok || !closed:
			params = append(params, param)
		case value != "" && utf8.ValidString(value):
			params = append(params, before+Escape(value)+after)
		}
	}
	return page + "?" + strings.Join(params, "&"), true
}

// Escape percent-encodes everything but unreserved characters (RFC 3986 section 2.3).
func Escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch ch := s[i]; {
		case 'a' <= ch && ch <= 'z', 'A' <= ch && ch <= 'Z', '0' <= ch && ch <= '9', strings.IndexByte("-._~", ch) >= 0:
			b.WriteByte(ch)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[ch>>4])
			b.WriteByte(hex[ch&15])
		}
	}
	return b.String()
}

// hostOf returns the lower-case host of a URL without its port, or "".
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

func bareHost(host string) string {
	return strings.TrimPrefix(strings.ToLower(host), "www.")
}
