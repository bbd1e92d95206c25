package initiator

import (
	"cmp"
	"context"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/policy"
)

// IsPrivate reports whether a URL is for an address that is not public.
func IsPrivate(u *url.URL) bool {
	a, err := netip.ParseAddr(u.Hostname())
	return err == nil && policy.FloorAddr(a).Verdict != policy.Allow
}

// Requests has the documents of the latest requests for private addresses.
type Requests struct {
	mu      sync.Mutex
	byID    *Ring[proto.NetworkRequestID, string] // → URL of the document
	changed chan struct{}                         // closed and replaced with each change
}

// NewRequests returns Requests without any request.
func NewRequests() *Requests {
	return &Requests{byID: NewRing[proto.NetworkRequestID, string](1024), changed: make(chan struct{})}
}

// SentRequest has the fields of Network.requestWillBeSent that this package needs.
type SentRequest struct {
	RequestID   proto.NetworkRequestID `json:"requestId"`
	LoaderID    string                 `json:"loaderId"`
	DocumentURL string                 `json:"documentURL"`
	Request     struct {
		URL string `json:"url"`
	} `json:"request"`
}

// Add records the document of a request. It ignores navigations: they have the same ids, and they
// report the document that they lead to.
func (rs *Requests) Add(e *SentRequest) {
	u, err := url.Parse(e.Request.URL)
	if err != nil || !IsPrivate(u) || string(e.RequestID) == e.LoaderID {
		return
	}
	from := strings.TrimPrefix(e.DocumentURL, "blob:") // a worker's
	if WithoutFragment(from) == WithoutFragment(e.Request.URL) {
		from = policy.UnknownPage // prefetches report their own URL
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.byID.Put(e.RequestID, from)
	close(rs.changed)
	rs.changed = make(chan struct{})
}

// patience limits the wait for the event about a paused request.
const patience = time.Second

// Find waits for the document of a request. It returns UnknownPage if none is reported.
func (rs *Requests) Find(ctx context.Context, id proto.NetworkRequestID) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		rs.mu.Lock()
		from, ok := rs.byID.Get(id)
		changed := rs.changed
		rs.mu.Unlock()
		if ok {
			return from
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return policy.UnknownPage
		}
	}
}

// WithoutFragment returns a URL without its fragment.
func WithoutFragment(rawURL string) string {
	before, _, _ := strings.Cut(rawURL, "#")
	return before
}

// Known returns the URL of a document, or [policy.UnknownPage] for "".
func Known(rawURL string) string { return cmp.Or(rawURL, policy.UnknownPage) }
