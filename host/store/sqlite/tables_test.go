package sqlite

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// longColumns may have values of megabytes.
var longColumns = []string{"goal", "answer", "error", "interpretation", "result", "body"}

// TestLongColumns: a table with long texts has row numbers, and the long columns are last.
// Otherwise a search by its key reads the texts of all rows on its way.
func TestLongColumns(t *testing.T) {
	found := 0
	for _, m := range regexp.MustCompile(`(?ms)^CREATE TABLE (\w+) \((.*?)^\) (STRICT.*?);`).FindAllStringSubmatch(tables1+tables2+tables3+tables4+tables5, -1) {
		table, isLong := m[1], false
		for line := range strings.Lines(m[2]) {
			name, _, ok := strings.Cut(strings.TrimSpace(line), " ")
			switch long := slices.Contains(longColumns, name); {
			case !ok || name == "PRIMARY" || name == "UNIQUE" || strings.HasPrefix(name, "--"):
			case isLong && !long:
				t.Errorf("table %s has column %s after a long one", table, name)
			case long:
				isLong = true
			}
		}
		if !isLong {
			continue
		}
		if found++; strings.Contains(m[3], "WITHOUT ROWID") {
			t.Errorf("table %s has long texts and no row numbers", table)
		}
	}
	if found < 7 {
		t.Errorf("found %d tables with long texts", found)
	}
}
