package locator

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
)

var refForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^s([1-9][0-9]{0,8})e([1-9][0-9]{0,8})$`) })

// Ref returns the ref of an element of a snapshot: "s1e4".
func Ref(snapshot, element int) string { return fmt.Sprintf("s%de%d", snapshot, element) }

// IsRef reports whether s has the form of a ref.
func IsRef(s string) bool { return refForm().MatchString(s) }

// ReadRef parses a ref. It returns 0, 0 for other text.
func ReadRef(s string) (snapshot, element int) {
	m := refForm().FindStringSubmatch(s)
	if m == nil {
		return 0, 0
	}
	snapshot, _ = strconv.Atoi(m[1]) // nine digits fit
	element, _ = strconv.Atoi(m[2])
	return snapshot, element
}
