package waysout

// Barred are the ways that every Chromium refuses by itself.
func (s *Site) Barred() []string {
	var names []string
	for _, w := range s.ways {
		if w.barred {
			names = append(names, w.name)
		}
	}
	return names
}
