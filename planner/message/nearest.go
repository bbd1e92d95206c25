package message

// shortWord is one more than the length in letters up to which Distance allocates nothing.
const shortWord = 28

// Distance counts the letters to add, remove or replace and the adjacent letters to swap that
// make b of a: the optimal string alignment. It takes len(a)·len(b) steps.
func Distance(a, b []rune) int {
	var buffer [3][shortWord]int
	before, last, row := buffer[0][:], buffer[1][:], buffer[2][:]
	if len(b) >= shortWord {
		before, last, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Nearest returns the known word with the smallest [Distance] from word, or "" if none is
// likely to be meant: the distance is at most two and at most a third of the word.
func Nearest(word string, known []string) string {
	runes := []rune(word)
	best, least := "", min(2, (len(runes)+2)/3)+1
	for _, name := range known {
		if d := Distance(runes, []rune(name)); d < least {
			best, least = name, d
		}
	}
	return best
}
