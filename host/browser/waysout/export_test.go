package waysout

// Barred are the ways that every Chromium refuses by itself.
func (s *Site) Barred() []string {
	var names []string
	for _, w := range s.routes {
		if w.barred {
			names = append(names, w.name)
		}
	}
	return names
}
