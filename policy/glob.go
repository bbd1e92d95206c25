package policy

// glob says whether s matches a pattern in which "*" stands for any text, the
// empty one and slashes included, and "?" for one character; "\" takes away
// the meaning of what follows. It runs in O(len(pattern)·len(s)) at worst.
func glob(pattern, s string) bool {
	p, t := []rune(pattern), []rune(s)
	var i, j int
	star, mark := -1, 0 // the last star, and where its text ended so far
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
			continue
		case i < len(p) && p[i] == '?':
			i, j = i+1, j+1
			continue
		case i+1 < len(p) && p[i] == '\\' && p[i+1] == t[j]:
			i, j = i+2, j+1
			continue
		case i < len(p) && p[i] != '\\' && p[i] == t[j]:
			i, j = i+1, j+1
			continue
		case star < 0:
			return false
		}
		mark++
		i, j = star+1, mark
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
