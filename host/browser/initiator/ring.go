package initiator

// Ring is a map that drops its oldest key when it is full, so that a page can't make it
// grow without limit. It is not safe for concurrent use.
type Ring[K comparable, V any] struct {
	values map[K]V
	order  []K
	next   int
}

// NewRing returns a ring for size keys.
func NewRing[K comparable, V any](size int) *Ring[K, V] {
	return &Ring[K, V]{values: make(map[K]V), order: make([]K, size)}
}

// Get returns the value of a key.
func (r *Ring[K, V]) Get(k K) (V, bool) {
	v, ok := r.values[k]
	return v, ok
}

// Put sets the value of a key.
func (r *Ring[K, V]) Put(k K, v V) {
	if _, ok := r.values[k]; !ok {
		delete(r.values, r.order[r.next])
		r.order[r.next] = k
		r.next = (r.next + 1) % len(r.order)
	}
	r.values[k] = v
}
