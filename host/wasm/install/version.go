package install

import (
	"cmp"
	"slices"
	"strings"
)

// isOlder reports whether version a precedes b in the order of semantic versions.
// Missing numbers are zero. What follows a plus sign does not count.
func isOlder(a, b string) bool {
	numbersA, suffixA := splitVersion(a)
	numbersB, suffixB := splitVersion(b)
	if c := slices.CompareFunc(numbersA, numbersB, compareIdentifiers); c != 0 {
		return c < 0
	}
	if suffixA == "" || suffixB == "" { // a version with a suffix precedes the one without
		return suffixA != "" && suffixB == ""
	}
	return slices.CompareFunc(strings.Split(suffixA, "."), strings.Split(suffixB, "."), compareIdentifiers) < 0
}

// splitVersion returns the numbers of a version, without zeros at the end, and its
// suffix.
func splitVersion(version string) (numbers []string, suffix string) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "+")
	version, suffix, _ = strings.Cut(version, "-")
	numbers = strings.Split(version, ".")
	for len(numbers) > 0 && strings.Trim(numbers[len(numbers)-1], "0") == "" { // 1.0 is 1
		numbers = numbers[:len(numbers)-1]
	}
	return numbers, suffix
}

// compareIdentifiers compares two parts of a version: numbers of any length by
// value, other texts by their bytes. A number precedes another text.
func compareIdentifiers(a, b string) int {
	numberA, numberB := isNumber(a), isNumber(b)
	switch {
	case numberA && numberB:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	case numberA:
		return -1
	case numberB:
		return 1
	}
	return cmp.Compare(a, b)
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
