package run

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs makes a function that makes run and draft ids: ULIDs in lower case, which
// sort by time and, within a millisecond, by order of making. now and entropy
// are the clock and the source of randomness (crypto/rand.Reader). The function
// may be called by several goroutines at once; it panics where entropy fails,
// as crypto/rand itself does.
func IDs(now func() time.Time, entropy io.Reader) func() string {
	var mu sync.Mutex
	monotonic := ulid.Monotonic(entropy, 0)
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.ToLower(ulid.MustNew(ulid.Timestamp(now()), monotonic).String())
	}
}
