package linear

import "sync/atomic"

// Total bounds what the memories of all instances that do calls take together. It is
// good for several goroutines; nil bounds nothing.
type Total struct {
	limit uint64
	used  atomic.Uint64
}

// NewTotal makes a bound of limit bytes.
func NewTotal(limit uint64) *Total { return &Total{limit: limit} }

// Limit is the bound in bytes.
func (t *Total) Limit() uint64 { return t.limit }

// Share is one instance's part of a total. It is not for several goroutines at a
// time; nil bounds nothing.
type Share struct {
	total *Total
	bytes uint64
	full  bool
}

// Share makes a share that has nothing yet.
func (t *Total) Share() *Share {
	if t == nil {
		return nil
	}
	return &Share{total: t}
}

// Set tells how many bytes the instance takes: what it has already is never refused,
// so that what waited for its next call can do it.
func (s *Share) Set(bytes uint64) {
	if s == nil {
		return
	}
	s.total.used.Add(bytes - s.bytes) // wraps where it is less
	s.bytes, s.full = bytes, false
}

// Grow asks for n bytes more.
func (s *Share) Grow(n uint64) bool {
	if s == nil {
		return true
	}
	if used := s.total.used.Add(n); used > s.total.limit || used < n {
		s.total.used.Add(-n)
		s.full = true
		return false
	}
	s.bytes += n
	return true
}

// Full reports whether it asked for more than there was, since it was last set.
func (s *Share) Full() bool { return s != nil && s.full }
