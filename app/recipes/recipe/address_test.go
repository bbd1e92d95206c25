package recipe

import (
	"strings"
	"testing"

	"errand/app/i18n"
)

// TestValuesInAddress checks that a value is one component of an address, however the address is
// spelled: it adds no path, parameter or fragment, and replaces no part of the path.
func TestValuesInAddress(t *testing.T) {
	tests := []struct{ address, value, want string }{
		{"https://example.org/{q}", "../x?y#z&b=1", "https://example.org/..%2Fx%3Fy%23z%26b%3D1"},
		{"HTTPS://example.org/{q}", "../x?y#z&b=1", "HTTPS://example.org/..%2Fx%3Fy%23z%26b%3D1"},
		{"hTTp://example.org/{q}", "a/b", "hTTp://example.org/a%2Fb"},
		{"https://example.org/a/{q}/c", "..", ""},
		{"https://example.org/a/{q}/c", ".", ""},
		{"https://example.org/a/.{q}/c", ".", ""},
		{"https://example.org/a/{q}", "..", ""},
		{"https://example.org/a/{q}{q}/c", ".", ""},
		{"https://example.org/a/%2e{q}", ".", ""},
		{"https://example.org/a/{q}.", ".", ""},
		{"https://example.org/a/{q}/c", "...", "https://example.org/a/.../c"},
		{"https://example.org/a/v{q}/c", "..", "https://example.org/a/v../c"},
		{"https://example.org/a?q={q}", "..", "https://example.org/a?q=.."},
		{"https://example.org/a/../b?q={q}", "/../", "https://example.org/a/../b?q=%2F..%2F"},
		{"https://example.org/a#{q}", "..", "https://example.org/a#.."},
	}
	for _, tt := range tests {
		t.Run(tt.address+" "+tt.value, func(t *testing.T) {
			p, _, err := bound(t, head+"[params.q]\n"+opens(tt.address), map[string]string{"q": tt.value}, false)
			switch {
			case tt.want == "" && (err == nil || !strings.Contains(i18n.English().Error(err), "in the path of")):
				t.Errorf("bound as %v, error %v", p.Actions(), err)
			case tt.want != "" && err != nil:
				t.Error(err)
			case tt.want != "" && p.Actions()[0].Args["url"] != tt.want:
				t.Errorf("%v, want %s", p.Actions()[0].Args["url"], tt.want)
			}
		})
	}
}
