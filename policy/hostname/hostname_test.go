package hostname

import "testing"

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, text  string
		host, fault string // canonical spelling, or the code of the message
	}{
		{"upper case", "WWW.A.Example", "www.a.example", ""},
		{"international", "bücher.example", "xn--bcher-kva.example", ""},
		{"underscore", "_dmarc.a.example", "_dmarc.a.example", ""},
		{"dotted quad", "192.0.2.1", "192.0.2.1", ""},
		{"IPv6", "[2001:DB8:0::1]", "2001:db8::1", ""},
		{"nothing", "", "", "policy.no_host"},
		{"number", "2130706433", "", "policy.bad_ipv4"},
		{"octal", "017700000001", "", "policy.bad_ipv4"},
		{"IPv6 with IPv4", "[::ffff:127.0.0.1]", "", "policy.ipv6_with_ipv4"},
		{"trailing dot", "a.example.", "", "policy.trailing_dot"},
		{"empty label", "a..example", "", "policy.empty_label"},
		{"full width", "ａ.example", "", "policy.bad_unicode_name"},
		{"A-label of nothing", "xn--a.example", "", "policy.bad_international_name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, problem := Parse(tt.text)
			if h.Name != tt.host && tt.fault == "" || problem.Code != tt.fault {
				t.Errorf("Parse(%q) = %q, %q; want %q, %q", tt.text, h.Name, problem.Code, tt.host, tt.fault)
			}
		})
	}
}

func TestMixed(t *testing.T) {
	for text, want := range map[string]bool{"example.com": false, "пример.рф": false, "exаmple.com": true} {
		if h, problem := Parse(text); problem.Code != "" || h.Mixed != want {
			t.Errorf("Parse(%q): mixed %v (%s), want %v", text, h.Mixed, problem.Code, want)
		}
	}
}
