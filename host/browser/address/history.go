package address

import (
	"strings"
	"sync"
)

// maxHistory bounds the addresses that a [History] keeps.
const maxHistory = 100

// History remembers addresses of pages, the last one last. The zero History is empty. It is safe
// for concurrent use.
type History struct {
	mu   sync.Mutex
	urls []string
}

// Push adds an address. It ignores what is not a web page.
func (h *History) Push(rawURL string) {
	if !strings.HasPrefix(rawURL, "http://") && !strings.HasPrefix(rawURL, "https://") {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.urls = append(h.urls, rawURL)
	h.urls = h.urls[max(0, len(h.urls)-maxHistory):]
}

// Pop returns the last address and forgets it; "" if there is none.
func (h *History) Pop() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.urls) == 0 {
		return ""
	}
	last := h.urls[len(h.urls)-1]
	h.urls = h.urls[:len(h.urls)-1]
	return last
}
