package llm

import (
	"net/http"
	"strings"
	"time"
)

// Options of an adapter.
type Options struct {
	BaseURL   string // of the provider's interface, with or without a slash at the end
	Model     string
	Key       string        // empty: none is sent
	KeyEnv    string        // the variable that has the key, for hints
	Timeout   time.Duration // of one request; 0: a minute
	MaxOutput int           // tokens of an answer where a request has no limit; 0: 4096
	// Client sends the requests. It should not follow redirects, which could take the key to
	// another place.
	Client *http.Client
}

const defaultMaxOutput = 4096

// Endpoint returns where the provider answers. Header is what it needs beside the content
// type, without nil.
func (o Options) Endpoint(provider string, header http.Header) Endpoint {
	return Endpoint{
		Provider: provider, BaseURL: strings.TrimRight(o.BaseURL, "/"), Client: o.Client, Header: header,
		Key: o.Key, KeyEnv: o.KeyEnv, Timeout: o.Timeout,
	}
}

// OutputLimit returns the limit of tokens of the answer to a request.
func (o Options) OutputLimit(r Request) int {
	switch {
	case r.MaxOutput > 0:
		return r.MaxOutput
	case o.MaxOutput > 0:
		return o.MaxOutput
	}
	return defaultMaxOutput
}
