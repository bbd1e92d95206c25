package policy

import (
	"strings"
	"testing"

	"errand/build/must"
)

// TestAmbiguousPaths checks that a path that servers read in different ways matches
// every deny entry that has a path, no allow entry that has one, and that entries
// without a path don't care.
func TestAmbiguousPaths(t *testing.T) {
	for _, path := range []string{
		"/v1//../admin/", "//admin/", "/x//admin/", "/v1//", // merged slashes
		"/%2561dmin/", "/x/%252e%252e/admin/", "/%25u0061dmin/", "/%EF%BC%8561dmin/", // escapes of escapes
		"/v1%2fadmin/", "/v1%2Fadmin/", "/v1/%5cadmin/", "/v1/..%5c..%5cadmin", // encoded separators
		"/v1/%EF%BC%8Fadmin/", "/v1/%E2%88%95admin/", "/v1/%EF%BC%BCadmin/", "/v1/．．／admin/", // that look like one
		"/%00/admin/", "/admin%00/", "/v1/%0d%0aadmin/", "/admin%09/", "/%C2%85admin/", // control characters
		"/v1/%2e%2e/admin/", "/v1/.%2E/admin", "/v1/%2e/admin/", // encoded dot segments
		"/v1/..;/admin/", "/v1/..;x=1/admin/", "/v1/;/../admin/", "/v1/..%3bx/admin/", "/v1/;x/../admin/", // with parameters
		"/v1/..%20/admin/", "/v1/.%20./admin/", "/v1/.../admin/", "/v1/%20/../admin/", "/v1/%E2%80%A5/admin/", "/v1/.%E2%80%8B./admin/", // of Windows
		"/%c0%af/admin/", "/v1/%c0%ae%c0%ae/admin/", "/%e0%80%afadmin/", "/%ffadmin/", // not UTF-8
	} {
		for _, scheme := range []string{"https", "http", "wss"} {
			url := scheme + "://h.example" + path
			allow, deny := scheme+"://h.example/v1/", "!"+scheme+"://h.example/admin/"
			root := scheme + "://h.example"
			expectURL(t, url, Deny, allow, scheme+"://h.example/admin/")
			expectURL(t, url, Deny, root, deny)
			expectURL(t, url, Deny, root, "!"+scheme+"://h.example/other/")
			expectURL(t, url, Allow, root)
			expectURL(t, url, Allow, root, "!"+scheme+"://other.example/admin/")
		}
	}
}

// TestSpellingsOfDeniedPaths checks spellings that some servers take for a denied path,
// and others that merely look alike.
func TestSpellingsOfDeniedPaths(t *testing.T) {
	for path, want := range map[string]Verdict{
		"/admin": Deny, "/admin/": Deny, "/admin/x": Deny, "/admin?x": Deny, "/%61dmin/": Deny,
		"/ADMIN/": Deny, "/aDmIn": Deny, "/%41dmin/": Deny, "/adm%C3%AEn/": Allow, // another letter
		"/ADM%C4%B0N/": Deny, "/adm%C4%B1n/": Deny, "/admi%CC%87n/": Deny, // letters whose other case is an ASCII one
		"/admin;x/": Deny, "/admin;jsessionid=1": Deny, "/admin%3bx/": Deny, "/Admin;X=Y/z": Deny,
		"/admin./": Deny, "/admin..": Deny, "/admin%20/": Deny, "/admin.%20.": Deny, "/%20admin/": Deny, "/admin%C2%A0/": Deny,
		"/admin::$DATA": Deny, "/admin:$i30:$INDEX_ALLOCATION/": Deny, "/admin%3Fx": Deny, "/admin%23x": Deny,
		"/%EF%BD%81dmin/": Deny, "/ａｄｍｉｎ/": Deny, "/ad%E2%80%8Bmin/": Deny, "/ad%C2%ADmin": Deny,
		"/x/../admin/": Deny, "/admin/../x": Deny, "/./admin/": Deny, "/x/./../ADMIN": Deny,
		"/admin:x/": Deny, "/admin:x": Deny, "/admin%3Ax/y": Deny, "/admin..;/": Deny, "/admin%20;x/": Deny, // streams, and all at once
		"/admin.json": Deny, "/ADMIN.Json": Deny, "/admin.html": Deny, "/admin.en.html": Deny, "/admin.php/x": Deny, "/admin.json;x": Deny, // extensions
		"/index.php/admin/": Deny, "/INDEX.PHP/Admin": Deny, "/index.php/x": Allow, "/index.php": Allow, "/x/index.php/admin/": Allow,
		"/x\\..\\admin/": Deny, "/admin\\x": Deny, "/\\admin/": Deny, "/admin%5C": Deny, // backslashes
		"/admin.1/": Allow, "/.admin": Allow, "/x.admin": Allow, "/adminx.json": Allow, "/a:admin/": Allow,
		"/": Allow, "/administration/": Allow, "/x/admin/": Allow, "/admin-x/": Allow, "/adm/in/": Allow,
		"/x?y=//admin/": Allow, "/x#/admin/": Allow, "/Foo%3F": Allow, "/100%25": Allow, "/%D0%BF%D1%83%D1%82%D1%8C/": Allow, "/a;b=c": Allow,
	} {
		expectURL(t, "https://h.example"+path, want, "h.example", "!https://h.example/admin/")
		expectURL(t, "https://h.example"+path, want, "h.example", "!https://h.example/ADMIN/")
	}
	for _, tt := range []struct {
		denied, path string
		want         Verdict
	}{
		{"/v1/", "/v1.1/", Allow},
		{"/admin.php/", "/admin", Deny},
		{"/admin.php/", "/admin/", Deny},
		{"/admin.php/", "/admin.html", Allow},
		{"/admin/index.html/", "/admin/", Deny},
		{"/admin/index.html/", "/Admin", Deny},
		{"/admin/index.html/", "/admin/;x", Deny},
		{"/admin/index.html/", "/admin/x", Allow},
		{"/index.php/", "/", Deny},
		{"/index.php/", "/x", Allow},
		{"/default.aspx/", "/", Deny},
		{"/administration/", "/ADMINI~1/", Deny},
		{"/administration/", "/admini~12/x", Deny},
		{"/administration/", "/admin~1/", Allow},
		{"/my files/", "/myfile~1/", Deny},
		{"/secret.config/", "/secret~1.con", Deny},
		{"/secret.config/", "/secret~1.txt", Allow},
		{"/admin/", "/admin~1/", Allow},
		{"/administration/", "/admini~x/", Allow},
		{"/.git/", "/.git.x/", Deny},
		{"/a:b/", "/a:b;x/", Deny},
		{"/a:b/", "/a:c/", Allow},
		{"/a:b/", "/a/", Allow},
		{"/.git/", "/.github/", Allow},
	} {
		expectURL(t, "https://h.example"+tt.path, tt.want, "h.example", "!https://h.example"+strings.ReplaceAll(tt.denied, " ", "%20"))
	}
	expectURL(t, "https://h.example/a;b/", Deny, "h.example", "!https://h.example/a;b/")
	expectURL(t, "https://h.example/A;B/", Deny, "h.example", "!https://h.example/a;b/")
	expectURL(t, "https://h.example/a/", Allow, "h.example", "!https://h.example/a;b/")
}

// TestAllowedPaths checks that what is usual below an allowed path stays allowed.
func TestAllowedPaths(t *testing.T) {
	for path, want := range map[string]Verdict{
		"/v1/a;b=c": Allow, "/v1/a;b/c": Allow, "/v1/;jsessionid=1.node": Allow, "/v1/what%3F": Allow, "/v1/100%25": Allow,
		"/v1/a%20b": Allow, "/v1/%D0%BF%D1%83%D1%82%D1%8C": Allow, "/v1/путь": Allow, "/v1/a.b..c": Allow, "/v1/.well-known/x": Allow,
		"/v1/": Allow, "/v1/%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9": Allow,
		"/V1/": Deny, "/v1;x/": Deny, "/v1./": Deny, "/v1%20/": Deny, "/%76%31/": Allow,
	} {
		expectURL(t, "https://h.example"+path, want, "https://h.example/v1/")
	}
}

// TestSocketsOfBannedHosts checks that a ban of a scheme covers its WebSockets, and
// that a socket whose path is hidden matches every ban that has a path.
func TestSocketsOfBannedHosts(t *testing.T) {
	for _, tt := range []struct {
		url    string
		hidden bool
		want   Verdict
		ban    string
	}{
		{"wss://h.example/admin/", false, Deny, "!https://h.example/admin/"},
		{"wss://h.example/x", false, Allow, "!https://h.example/admin/"},
		{"ws://h.example/admin/", false, Deny, "!http://h.example/admin/"},
		{"ws://h.example/x", false, Allow, "!https://h.example/admin/"},
		{"wss://h.example:8443/x", false, Deny, "!https://h.example"},
		{"https://h.example/", false, Allow, "!wss://h.example"},
		{"wss://h.example/", true, Deny, "!https://h.example/admin/"},
		{"wss://h.example/", true, Deny, "!wss://h.example/admin/"},
		{"wss://h.example/", true, Allow, "!https://other.example/admin/"},
		{"wss://h.example/", true, Allow, "!http://h.example/admin/"},
	} {
		p, err := New(Settings{AllowedDomains: []string{
			"h.example", "http://h.example", "wss://h.example", "wss://h.example:8443", "ws://h.example", tt.ban,
		}})
		must.Succeed(t, err)
		if d := p.Decide(Request{Kind: KindSubresource, URL: tt.url, PathHidden: tt.hidden}); d.Verdict != tt.want {
			t.Errorf("%s, hidden %t, with %s: %s by %s (%s), want %s", tt.url, tt.hidden, tt.ban, d.Verdict, d.Rule, d.Reason, tt.want)
		}
	}
	p, err := New(Settings{AllowedDomains: []string{"wss://h.example/v1/"}, Subresources: "listed"})
	must.Succeed(t, err)
	if d := p.Decide(Request{Kind: KindSubresource, URL: "wss://h.example/v1/", PathHidden: true}); d.Verdict != Deny {
		t.Errorf("an entry with a path allows a socket whose path is hidden: %+v", d)
	}
}

// TestAmbiguousPathsInRules checks the same for the hosts of rules: one that denies or
// asks matches, one that allows doesn't.
func TestAmbiguousPathsInRules(t *testing.T) {
	for path, want := range map[string]Verdict{
		"/admin/": Deny, "//admin/": Deny, "/ADMIN/": Deny, "/admin;x/": Deny, "/%2561dmin/": Deny, "/v1/..%2fadmin/": Deny, "/x": Allow,
	} {
		p, err := New(Settings{AllowedDomains: []string{"h.example"}, Rules: []Rule{{Verdict: Deny, Host: "https://h.example/admin/"}}})
		must.Succeed(t, err)
		call := Request{Kind: KindCall, Tool: "browser.open", Class: "read", Effect: "navigate", Args: map[string]any{"url": "https://h.example" + path}}
		if d := p.Decide(call); d.Verdict != want {
			t.Errorf("call for %s: %s by %s, want %s", path, d.Verdict, d.Rule, want)
		}
		for _, kind := range []Kind{KindNavigate, KindFetch, KindSubresource} {
			if d := p.Decide(Request{Kind: kind, URL: "https://h.example" + path}); d.Verdict != want {
				t.Errorf("kind %d for %s: %s by %s, want %s", kind, path, d.Verdict, d.Rule, want)
			}
		}
	}
	for path, want := range map[string]Verdict{"/v1/": Allow, "/v1//": Ask, "/v1/%2e/": Ask, "/V1/": Ask} {
		p, err := New(Settings{AllowedDomains: []string{"h.example"}, Rules: []Rule{{Verdict: Allow, Host: "https://h.example/v1/"}}})
		must.Succeed(t, err)
		call := Request{Kind: KindCall, Tool: "x.post", Class: "write", Effect: "navigate", Args: map[string]any{"url": "https://h.example" + path}}
		if d := p.Decide(call); d.Verdict != want {
			t.Errorf("allowed call for %s: %s by %s, want %s", path, d.Verdict, d.Rule, want)
		}
	}
}

func TestAmbiguousPatterns(t *testing.T) {
	for _, text := range []string{
		"https://h.example/a%2fb/", "https://h.example/%2561/", "https://h.example/a/%2e%2e/b/", "https://h.example/%00/",
		"!https://h.example/..;/", "!https://h.example/%c0%af/", "!https://h.example/.../",
	} {
		if _, err := ParsePattern(text); err == nil || !strings.Contains(err.Error(), "policy.ambiguous_path") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func expectURL(t *testing.T, url string, want Verdict, patterns ...string) {
	t.Helper()
	p, err := New(Settings{AllowedDomains: patterns})
	must.Succeed(t, err)
	d := p.Decide(Request{Kind: KindFetch, URL: url})
	if got := d.Verdict; got != want && (want != Deny || got != Ask) {
		t.Errorf("%s with %v: %s by %s (%s), want %s", url, patterns, got, d.Rule, d.Reason, want)
	}
}
