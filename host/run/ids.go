package run

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs returns a generator of run and draft ids: lower-case ULIDs, which sort by
// time and, within a millisecond, by creation order. now and entropy are the clock
// and the source of randomness (crypto/rand.Reader). The generator is safe for
// concurrent use. It panics if entropy fails, as crypto/rand does.
func IDs(now func() time.Time, entropy io.Reader) func() string {
	var mu sync.Mutex
	monotonic := ulid.Monotonic(entropy, 0)
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.ToLower(ulid.MustNew(ulid.Timestamp(now()), monotonic).String())
	}
}
