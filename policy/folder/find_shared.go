package folder

import "slices"

// FindShared returns the files below a folder that have several names, by the id that
// fileID returns. walk and fileID are those of policy.Settings. The result has only
// files that walk visits.
func (m *Memory) FindShared(walk func(string, bool, func(string) bool) bool, fileID func(string) string, folder string, follow bool) map[string][]string {
	key := walkKey{folder, follow}
	if m != nil {
		m.mu.Lock()
		known, ok := m.shared[key]
		m.mu.Unlock()
		if ok {
			return known
		}
	}
	byID := map[string][]string{}
	m.Walk(walk, folder, follow, func(path string) bool {
		if id := fileID(path); id != "" {
			byID[id] = append(byID[id], path)
		}
		return false
	})
	for _, paths := range byID {
		slices.Sort(paths)
	}
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.shared == nil {
			m.shared = map[walkKey]map[string][]string{}
		}
		m.shared[key] = byID
	}
	return byID
}
