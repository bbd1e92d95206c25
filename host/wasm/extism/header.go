package extism

import (
	"encoding/json"
	"slices"
	"strings"
)

// hopByHop are the headers about one connection (RFC 9110, 7.6.1), in lower case.
var hopByHop = []string{
	"connection", "http2-settings", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
}

// hopHeaders returns the names of the headers about one connection, in lower case: the known
// ones and those that a Connection header lists.
func hopHeaders(headers map[string]json.RawMessage) []string {
	names := slices.Clone(hopByHop)
	for name, value := range headers {
		if strings.EqualFold(name, "Connection") {
			for listed := range strings.SplitSeq(headerValue(name, value), ",") {
				names = append(names, strings.ToLower(strings.TrimSpace(listed)))
			}
		}
	}
	return names
}

// namesMethod reports whether a server may take the header's value for the method of the
// request: X-HTTP-Method-Override, X-HTTP-Verb and the like.
func namesMethod(header string) bool {
	words := headerWords(header)
	return len(words) > 0 && words[0] == "x" && (contains(words, "method") || contains(words, "verb"))
}

// Words of headers by which a proxy says what URL it was asked for.
var (
	proxyWords = []string{"arr", "envoy", "forwarded", "original", "override", "real", "rewrite", "rewritten", "unencoded", "waws"}
	partWords  = []string{"host", "path", "pathinfo", "prefix", "query", "script", "server", "uri", "url"}
)

// namesURL reports whether a server may take the header's value for the host or path of the
// request: X-Original-URL, X-Forwarded-Prefix and the like. The patterns of hosts and paths
// say nothing about such a value.
func namesURL(header string) bool {
	words := headerWords(header)
	if len(words) == 0 || words[0] != "x" {
		return len(words) == 1 && words[0] == "forwarded"
	}
	part := slices.ContainsFunc(partWords, func(w string) bool { return contains(words, w) })
	return part && (len(words) == 2 || slices.ContainsFunc(proxyWords, func(w string) bool { return contains(words, w) }))
}

// namesRange reports whether a server may answer with a part of a text because of the header:
// Range, If-Range, X-MS-Range and the like.
func namesRange(header string) bool { return slices.Contains(headerWords(header), "range") }

// headerWords splits a header's name. Many servers read an underscore as a hyphen.
func headerWords(header string) []string {
	return strings.FieldsFunc(strings.ToLower(header), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
}

// contains reports whether a word begins with the given one: "methodoverride".
func contains(words []string, word string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, word) })
}
