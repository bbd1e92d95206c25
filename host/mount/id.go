package mount

// ID identifies a mount, as far as the system tells. IDs can be compared. Files can't be
// renamed from one mount to another.
type ID struct {
	device uint64
	mount  uint64 // 0 if the system doesn't tell, as Linux before 5.8
}
