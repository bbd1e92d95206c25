package waysout

// Barred returns the ways that every version of Chromium refuses.
func (s *Site) Barred() []string {
	var names []string
	for _, w := range s.routes {
		if w.barred {
			names = append(names, w.name)
		}
	}
	return names
}
