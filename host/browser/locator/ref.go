package locator

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
)

var refForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^s([1-9][0-9]{0,8})e([1-9][0-9]{0,8})$`) })

// Ref names the element-th element of the snapshot-th snapshot: "s1e4".
func Ref(snapshot, element int) string { return fmt.Sprintf("s%de%d", snapshot, element) }

// IsRef says whether s looks like one.
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
