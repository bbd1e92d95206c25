package linear

import "sync/atomic"

// Total limits the memory of all running instances together. It is safe for concurrent
// use. Nil means no limit.
type Total struct {
	limit     uint64
	usedBytes atomic.Uint64
}

// NewTotal returns a total with a limit in bytes.
func NewTotal(limit uint64) *Total { return &Total{limit: limit} }

// Limit returns the limit in bytes.
func (t *Total) Limit() uint64 { return t.limit }

// Share is one instance's part of a total. It is not safe for concurrent use. Nil means
// no limit.
type Share struct {
	total *Total
	bytes uint64
	full  bool
}

// Share returns an empty share.
func (t *Total) Share() *Share {
	if t == nil {
		return nil
	}
	return &Share{total: t}
}

// Set sets the size of the share in bytes, even beyond the limit, because the instance
// already has that memory.
func (s *Share) Set(bytes uint64) {
	if s == nil {
		return
	}
	s.total.usedBytes.Add(bytes - s.bytes) // wraps around if it is less
	s.bytes, s.full = bytes, false
}

// Grow adds n bytes and reports whether the total has room for them.
func (s *Share) Grow(n uint64) bool {
	if s == nil {
		return true
	}
	if used := s.total.usedBytes.Add(n); used > s.total.limit || used < n {
		s.total.usedBytes.Add(-n)
		s.full = true
		return false
	}
	s.bytes += n
	return true
}

// IsFull reports whether Grow failed since the last Set.
func (s *Share) IsFull() bool { return s != nil && s.full }
