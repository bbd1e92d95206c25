package demo

import (
	"net/url"
	"strings"
)

// searchParameters are the names that sites give to what is searched for; the
// first that is there and not empty wins.
var searchParameters = []string{
	"search_query", "q", "query", "search", "text", "k", "keywords", "_nkw", "term", "p", "searchTerm", "SearchText",
	"phrase", "st", "st.query", "kp_query", "d", "wd", "s", "find_desc", "keyword",
}

// route are path segments that say where one is, not what one looks for.
var route = map[string]bool{
	"search": true, "results": true, "index.php": true, "search.aspx": true, "i.html": true, "all": true, "top": true,
	"maps": true, "home": true, "w": true, "s": true, "ru": true, "en": true, "find": true, "explore": true,
}

// queryOf is what a URL asks for, and under which parameter ("" in a path). A
// URL without a known parameter asks for its last path segment, so that
// /search/lo-fi and /wiki/Go work as well.
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
