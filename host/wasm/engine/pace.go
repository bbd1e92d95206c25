package engine

import "time"

// A guest gets fuel in slices. Between two of them nothing can stop it, and the
// garbage collector, for which every thread of the program has to stop, waits. A
// slice is so big that asking for it costs nothing to speak of, and takes about
// slow at most, whatever the guest's instructions take: one that misses the
// processor's caches or touches new pages is a hundred times slower than one that
// adds. So the size follows what the last slices took. What a call uses is the
// same for any size.
const (
	mostSlice  = 1_000_000
	firstSlice = 20_000
	leastSlice = 5_000
	slow       = time.Millisecond
)

// pace answers the size of the slice after one of the size that took so long.
// What the guest waited for within it counts as well; the sizes after it make up
// for that.
func pace(size int64, took time.Duration) int64 {
	switch {
	case took > slow:
		return max(int64(float64(size)*float64(slow)/float64(took)), leastSlice)
	case took < slow/2:
		return min(2*size, mostSlice)
	}
	return size
}
