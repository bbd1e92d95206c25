package message

// Nearest returns the known name with the smallest edit distance from word. The distance
// is at most two and at most a third of the word's length; otherwise Nearest returns "".
func Nearest(word string, known []string) string {
	best, bestDistance := "", min(2, (len(word)+2)/3)+1
	for _, name := range known {
		if d := Distance(word, name); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best
}

// Distance counts insertions, deletions, substitutions and swaps of adjacent letters.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
