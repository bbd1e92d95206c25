package engine

import "time"

// A guest gets fuel in slices. It can't be stopped within a slice, and the garbage
// collector, which must stop all threads, waits for its end. A slice should be so
// large that requests cost little, and should take at most about slow. An
// instruction that misses the CPU's caches or touches new pages is a hundred times
// slower than an addition, so the size follows the time of the last slices. The
// total fuel of a call does not depend on the slices.
const (
	mostSlice  = 1_000_000
	firstSlice = 20_000
	leastSlice = 5_000
	slow       = time.Millisecond
)

// pace returns the next slice size after a slice of this size and duration. Time
// that the guest spent waiting counts too; later slices correct that.
func pace(size int64, duration time.Duration) int64 {
	switch {
	case duration > slow:
		return max(int64(float64(size)*float64(slow)/float64(duration)), leastSlice)
	case duration < slow/2:
		return min(2*size, mostSlice)
	}
	return size
}
