package demo

import (
	"net/url"
	"strings"
)

// searchParameters are the names of query parameters on real sites. The first non-empty
// one is used.
var searchParameters = []string{
	"search_query", "q", "query", "search", "text", "k", "keywords", "_nkw", "term", "p", "searchTerm", "SearchText",
	"phrase", "st", "st.query", "kp_query", "d", "wd", "s", "find_desc", "keyword",
}

// route lists path segments that are not part of a query.
var route = map[string]bool{
	"search": true, "results": true, "index.php": true, "search.aspx": true, "i.html": true, "all": true, "top": true,
	"maps": true, "home": true, "w": true, "s": true, "ru": true, "en": true, "find": true, "explore": true,
}

// queryOf returns the query in a URL, and its parameter ("" in a path). If the URL has no
// known parameter, it uses the last path segment, so that /search/lo-fi and /wiki/Go work
// too.
func queryOf(u *url.URL) (query, parameter string) {
	values := u.Query()
	for _, p := range searchParameters {
		if v := strings.TrimSpace(values.Get(p)); v != "" {
			return v, p
		}
	}
	escaped := strings.TrimSuffix(u.EscapedPath(), "/") // an escaped slash is part of the query
	last, err := url.PathUnescape(escaped[strings.LastIndexByte(escaped, '/')+1:])
	if err != nil || route[strings.ToLower(last)] {
		return "", ""
	}
	return strings.TrimSpace(strings.ReplaceAll(last, "_", " ")), ""
}
