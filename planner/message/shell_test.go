package message

import "testing"

func TestShellWord(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"a host", "go.dev", "go.dev"},
		{"an address", "https://go.dev:8443/doc", "https://go.dev:8443/doc"},
		{"an entry", "@catalogue", "@catalogue"},
		{"nothing", "", "''"},
		{"a space", "open youtube", "'open youtube'"},
		{"a pattern", "*.example.org", "'*.example.org'"},
		{"an IPv6 address", "[2001:db8::1]", "'[2001:db8::1]'"},
		{"a home", "~/My files", "'~/My files'"},
		{"a quote", "it's", `'it'\''s'`},
		{"a command", "$(reboot)", "'$(reboot)'"},
		{"other letters", "открой", "'открой'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ShellWord(tt.value); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
