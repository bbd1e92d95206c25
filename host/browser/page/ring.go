package page

// ring is a map that drops its oldest key when it is full, so that a page can't make it
// grow without limit. It is not safe for concurrent use.
type ring[K comparable, V any] struct {
	values map[K]V
	order  []K
	next   int
}

func newRing[K comparable, V any](size int) *ring[K, V] {
	return &ring[K, V]{values: make(map[K]V), order: make([]K, size)}
}

func (r *ring[K, V]) get(k K) (V, bool) {
	v, ok := r.values[k]
	return v, ok
}

func (r *ring[K, V]) put(k K, v V) {
	if _, ok := r.values[k]; !ok {
		delete(r.values, r.order[r.next])
		r.order[r.next] = k
		r.next = (r.next + 1) % len(r.order)
	}
	r.values[k] = v
}
