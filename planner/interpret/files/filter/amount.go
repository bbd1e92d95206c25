package filter

import (
	"strconv"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

func isYear(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) && strings.Trim(s, "0123456789") == ""
}

// readAge reads "a year", "3 days", "yesterday", "2024" as a time of a filter.
func (f *Reader) readAge(i, hi int) (string, int) {
	if m, ok := f.Longest(i, hi, lexicon.FileFilter); ok {
		if then := plan.ParseFileFilter(m.Value); then.After != "" {
			return then.After, i + m.Len
		}
	}
	if i < hi && isYear(f.Fold(i)) {
		return f.Fold(i), i + 1
	}
	n, at := f.readNumber(i, hi)
	m, ok := f.Longest(at, hi, lexicon.Unit)
	if !ok || len(m.Value) != 1 || n < 1 || n > 999 || n != float64(int(n)) {
		return "", 0
	}
	return strconv.Itoa(int(n)) + m.Value, at + m.Len
}

// readNumber reads a number, or none as 1: "3", "a", "2.5".
func (f *Reader) readNumber(i, hi int) (float64, int) {
	if m, ok := f.Longest(i, hi, lexicon.Count); ok {
		n, _ := strconv.Atoi(m.Value)
		return float64(n), i + m.Len
	}
	if i < hi {
		if n, err := strconv.ParseFloat(strings.Replace(f.Fold(i), ",", ".", 1), 64); err == nil {
			return n, i + 1
		}
	}
	return 1, parse.SkipArticles(f.Text, i, hi)
}

// bytesOf are the sizes of the units.
var bytesOf = map[string]float64{"kb": 1e3, "mb": 1e6, "gb": 1e9, "кб": 1e3, "мб": 1e6, "гб": 1e9}

// readSize reads "100 mb" and "100mb".
func (f *Reader) readSize(key string, i, hi int) int {
	if i >= hi {
		return 0
	}
	n, at := f.readNumber(i, hi)
	unit := 0.0
	if m, ok := f.Longest(at, hi, lexicon.Unit); ok {
		unit, at = bytesOf[m.Value], at+m.Len
	} else {
		word := f.Fold(i)
		digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyzабгкм")
		n, _ = strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
		unit, at = bytesOf[word[len(digits):]], i+1
	}
	size := n * unit
	switch {
	case size < 1 || size > 1e15:
		return 0
	case key == "larger" && f.Filter.Larger == 0:
		f.Filter.Larger = int64(size)
	case key == "smaller" && f.Filter.Smaller == 0:
		f.Filter.Smaller = int64(size)
	default:
		return 0
	}
	return at
}

// CountAt reads the number at token i, and returns the token after it. The number is 0 if there is
// none.
func CountAt(p *parse.Text, i, hi int) (n, end int) {
	if i >= hi {
		return 0, i
	}
	if m, ok := p.Longest(i, hi, lexicon.Count); ok {
		n, _ = strconv.Atoi(m.Value)
		return n, i + m.Len
	}
	n, _ = strconv.Atoi(p.Fold(i))
	return n, i + 1
}
