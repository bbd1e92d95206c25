package glob

import "testing"

func TestIsLiteral(t *testing.T) {
	for pattern, want := range map[string]bool{
		"": true, "a/b": true, `a\*b`: true, `\\`: true, `\?\*`: true, `a\`: true,
		"*": false, "a?": false, `\\*`: false, `a\*b*`: false, `\a?`: false,
	} {
		if got := IsLiteral(pattern); got != want {
			t.Errorf("%q: %t, want %t", pattern, got, want)
		}
	}
}
