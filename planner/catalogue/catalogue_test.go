package catalogue

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
)

func TestBuiltInData(t *testing.T) {
	data, err := load()
	must.Succeed(t, err)
	c, err := New(data.Sites, data.Apps) // checks them as it checks a person's own
	must.Succeed(t, err)
	if diff := cmp.Diff(c.Sites(), Default().Sites()); diff != "" {
		t.Errorf("sites (-checked +default):\n%s", diff)
	}
	if n := len(c.Sites()); n < 150 {
		t.Errorf("%d sites, want at least 150", n)
	}
	for _, id := range []string{
		"youtube", "google", "wikipedia", "github", "amazon", "google_maps", "stackoverflow", "reddit", "bing",
		"duckduckgo", "spotify", "x", "gmail", "google_drive", "google_calendar", "netflix", "linkedin", "ebay", "npm",
		"pypi", "mdn", "hacker_news", "pkg_go_dev", "yandex", "vk", "habr", "twitch", "facebook", "instagram", "rutube",
		"kinopoisk", "yandex_maps",
	} {
		if _, ok := c.Site(id); !ok {
			t.Errorf("no site %q", id)
		}
	}
	for _, id := range []string{
		"notepad", "calculator", "vscode", "terminal", "chrome", "firefox", "edge", "spotify", "word", "excel",
		"powerpoint", "paint", "task_manager", "file_manager", "settings", "discord", "slack", "telegram", "zoom",
		"steam", "vlc", "obs", "cmd", "powershell",
	} {
		a, ok := c.App(id)
		if !ok {
			t.Errorf("no app %q", id)
			continue
		}
		for _, goos := range []string{"linux", "windows", "darwin"} {
			if len(a.Commands(goos)) == 0 {
				t.Errorf("app %q: nothing to run on %s", id, goos)
			}
		}
	}
}

func TestHomesFollowTheConvention(t *testing.T) {
	for _, s := range Default().Sites() {
		if strings.HasPrefix(s.Home, "https://www.") {
			t.Errorf("site %q: home %q starts with www.", s.ID, s.Home)
		}
	}
	for id, want := range map[string]string{
		"youtube": "https://youtube.com/", "gmail": "https://mail.google.com/", "google_maps": "https://google.com/maps",
		"google_calendar": "https://calendar.google.com/", "habr": "https://habr.com/",
	} {
		if s, _ := Default().Site(id); s.Home != want {
			t.Errorf("home of %s = %q, want %q", id, s.Home, want)
		}
	}
}

func TestSearchURL(t *testing.T) {
	c, err := New([]Site{
		{ID: "wiki", Home: "https://wiki.example.com/", Search: "https://wiki.example.com/find?q={query}&lang=en"},
		{ID: "paths", Home: "https://p.example.com/", Search: "https://p.example.com/s/{query}/all"},
		{ID: "mute", Home: "https://mute.example.com/"},
	}, nil)
	must.Succeed(t, err)
	tests := []struct {
		name, site, query string
		want, err         string
	}{
		{"litmus", "youtube", "nvidia", "https://youtube.com/results?search_query=nvidia", ""},
		{"space", "google", "a b", "https://google.com/search?q=a%20b", ""},
		{"reserved", "google", "a&b=c#frag+?/", "https://google.com/search?q=a%26b%3Dc%23frag%2B%3F%2F", ""},
		{"percent again", "youtube", "%2e%2e%2f", "https://youtube.com/results?search_query=%252e%252e%252f", ""},
		{"UTF-8", "google", "кот", "https://google.com/search?q=%D0%BA%D0%BE%D1%82", ""},
		{"after the query", "wiki", "x", "https://wiki.example.com/find?q=x&lang=en", ""},
		{"path segment", "paths", "a/../b", "https://p.example.com/s/a%2F..%2Fb/all", ""},
		{"dot segment", "paths", "..", "", `can't be used in a path`},
		{"dots in a query", "google", "..", "https://google.com/search?q=..", ""},
		{"empty", "google", "", "", "the query is empty"},
		{"bytes", "google", "\xff", "", "not valid UTF-8"},
		{"no such site", "nowhere", "q", "", `"nowhere"`},
		{"no search", "mute", "q", "", "has no search address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := c.SearchURL(tt.site, tt.query)
			if got != tt.want {
				t.Errorf("SearchURL(%q, %q) = %q, want %q", tt.site, tt.query, got, tt.want)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(i18n.English().Error(err), tt.err) {
				t.Errorf("error = %v, want one with %q", err, tt.err)
			}
		})
	}
}

// TestFormURL fills in the values that are given and leaves out the other parameters.
func TestFormURL(t *testing.T) {
	c, err := New([]Site{{ID: "ways", Home: "https://ways.example.com/", Forms: map[string]string{"directions": "https://ways.example.com/go?v=1&a={from}&b=near+{to}"}}}, nil)
	must.Succeed(t, err)
	for _, tt := range []struct {
		name, site, topic, from, to string
		want                        string
	}{
		{"both", "ways", "directions", "a", "b", "https://ways.example.com/go?v=1&a=a&b=near+b"},
		{"one", "ways", "directions", "", "b&c=d#e", "https://ways.example.com/go?v=1&b=near+b%26c%3Dd%23e"},
		{"bytes", "ways", "directions", "\xff", "b", "https://ways.example.com/go?v=1&b=near+b"},
		{"built in", "google_maps", "directions", "", "the airport", "https://google.com/maps/dir/?api=1&destination=the%20airport"},
		{"other topic", "ways", "weather", "a", "b", ""},
		{"other site", "youtube", "directions", "a", "b", ""},
	} {
		got, ok := c.FormURL(tt.site, tt.topic, map[string]string{"from": tt.from, "to": tt.to})
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %t, want %q", tt.name, got, ok, tt.want)
		}
	}
}

func TestOwnEntries(t *testing.T) {
	site := func(change func(*Site)) []Site {
		s := Site{ID: "wiki", Aliases: []string{"team wiki"}, Home: "https://wiki.example.com/", Search: "https://wiki.example.com/find?q={query}"}
		change(&s)
		return []Site{s}
	}
	tests := []struct {
		name  string
		sites []Site
		apps  []App
		err   string // "" = fine
	}{
		{"good", site(func(*Site) {}), []App{{ID: "notes", Aliases: []string{"my notes"}, Exec: []string{"gnome-text-editor"}}}, ""},
		{"replaces a built-in", []Site{{ID: "youtube", Home: "https://tube.example.com/"}}, nil, ""},
		{"bad id", site(func(s *Site) { s.ID = "Wiki!" }), nil, `site "Wiki!": id: must be`},
		{"not a URL", site(func(s *Site) { s.Home = "https://a b/" }), nil, `site "wiki": home: `},
		{"http", site(func(s *Site) { s.Home = "http://wiki.example.com/" }), nil, `site "wiki": home: "http://wiki.example.com/" must start with https://`},
		{"no placeholder", site(func(s *Site) { s.Search = "https://wiki.example.com/find" }), nil, `site "wiki": search: has 0 {query}`},
		{"two placeholders", site(func(s *Site) { s.Search += "{query}" }), nil, `has 2 {query}`},
		{"query in the host", site(func(s *Site) { s.Search = "https://{query}.example.com/" }), nil, `can't be part of the host`},
		{"foreign search host", site(func(s *Site) { s.Search = "https://elsewhere.org/?q={query}" }), nil, `site "wiki": search: host "elsewhere.org"`},
		{"declared search host", site(func(s *Site) { s.Search = "https://elsewhere.org/?q={query}"; s.Hosts = []string{"elsewhere.org"} }), nil, ""},
		{"form", site(func(s *Site) { s.Forms = map[string]string{"directions": "https://wiki.example.com/way?to={to}"} }), nil, ""},
		{"form without a query", site(func(s *Site) { s.Forms = map[string]string{"directions": "https://wiki.example.com/{to}"} }), nil, `forms.directions: it has no query`},
		{"form on another site", site(func(s *Site) { s.Forms = map[string]string{"directions": "https://elsewhere.org/?to={to}"} }), nil, `forms.directions: it is on another site: elsewhere.org`},
		{"form without https", site(func(s *Site) { s.Forms = map[string]string{"directions": "http://wiki.example.com/?to={to}"} }), nil, `must start with https://`},
		{"bad host", site(func(s *Site) { s.Hosts = []string{"https://x.org"} }), nil, `site "wiki": hosts: "https://x.org"`},
		{"taken host", site(func(s *Site) { s.Hosts = []string{"youtube.com"} }), nil, `"youtube.com" belongs to site`},
		{"a built-in's alias", site(func(s *Site) { s.Aliases = []string{"Ютуб", "notepad"} }), nil, ""},
		{"one alias for two", append(site(func(*Site) {}), Site{ID: "b", Aliases: []string{"Team  Wiki"}, Home: "https://b.example/"}), nil, `site "wiki": aliases: "team wiki" already means site "b"`},
		{"one alias for a site and an app", site(func(*Site) {}), []App{{ID: "w", Aliases: []string{"team wiki"}, Exec: []string{"w"}}}, `"team wiki" already means app "w"`},
		{"empty alias", site(func(s *Site) { s.Aliases = []string{" "} }), nil, `site "wiki": aliases: an alias is empty`},
		{"twice", append(site(func(*Site) {}), site(func(*Site) {})...), nil, `site "wiki": id: given twice`},
		{"app without exec", nil, []App{{ID: "notes"}}, `app "notes": exec: missing`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.sites, tt.apps)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(i18n.English().Error(err), tt.err) {
				t.Errorf("New: %v, want %q", err, tt.err)
			}
		})
	}
}

func TestOwnWordsWin(t *testing.T) {
	c, err := New([]Site{{ID: "wiki", Aliases: []string{"вики"}, Home: "https://wiki.example.com/"}}, nil)
	must.Succeed(t, err)
	own, _ := c.Site("wiki")
	builtIn, _ := c.Site("wikipedia")
	if !slices.Contains(own.Aliases, "вики") || slices.Contains(builtIn.Aliases, "вики") || slices.Contains(builtIn.Aliases, "wiki") {
		t.Errorf("own aliases = %q, wikipedia's = %q", own.Aliases, builtIn.Aliases)
	}
}

// TestNamesAreUnderstood: what Names says in any case is one of the aliases by
// which the entry is known, in the person's own entries too.
func TestNamesAreUnderstood(t *testing.T) {
	c, err := New([]Site{{ID: "wiki", Name: "Наша* вики", Aliases: []string{"вики"}, Home: "https://wiki.example.com/"}}, nil)
	must.Succeed(t, err)
	for _, n := range c.Names() {
		var said []string
		if n.App {
			a, _ := c.App(n.ID)
			said = a.Aliases
		} else {
			s, _ := c.Site(n.ID)
			said = s.Aliases
			if n.Search != (s.Search != "") {
				t.Errorf("%s: Search = %v", n.ID, n.Search)
			}
		}
		if len(n.Plain) == 0 {
			t.Errorf("%s has no name", n.ID)
		}
		for _, alias := range n.Plain {
			for in := Plain; in <= Prepositional; in++ {
				if form := Decline(alias, in); !slices.Contains(said, form) {
					t.Errorf("%s: %q is not among its aliases %q", n.ID, form, said)
				}
			}
		}
		if n.ID == "wikipedia" && slices.Contains(n.Plain, "вики") {
			t.Error("a word that a person's own site claims still names the built-in one")
		}
	}
}

func TestSiteOf(t *testing.T) {
	c := Default()
	for host, want := range map[string]string{
		"youtube.com": "youtube", "WWW.YouTube.com": "youtube", "google.com": "google", "maps.google.com": "google_maps",
		"mail.google.com": "gmail", "twitter.com": "x", "notyoutube.com": "", "evil.youtube.com": "", "": "",
	} {
		if s, _ := c.SiteOf(host); s.ID != want {
			t.Errorf("SiteOf(%q) = %q, want %q", host, s.ID, want)
		}
	}
}

func TestHostPatterns(t *testing.T) {
	got := Default().HostPatterns()
	for _, want := range []string{"youtube.com", "www.youtube.com", "youtu.be", "google.com", "hn.algolia.com"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Error("not sorted and unique")
	}
	if i := slices.IndexFunc(got, func(h string) bool { return strings.HasPrefix(h, "www.www.") || h == "" }); i >= 0 {
		t.Errorf("bad pattern %q", got[i])
	}
}

func TestRussianForms(t *testing.T) {
	tests := []struct {
		alias string
		want  []string // among others
	}{
		{"ютуб", []string{"ютуб", "ютуба", "ютубу", "ютубом", "ютубе"}},
		{"хабр", []string{"хабре"}},
		{"википедия", []string{"википедии", "википедию", "википедией"}},
		{"гугл карты", []string{"гугл картах", "гугл картам", "гугл карт"}},
		{"гугл почта", []string{"гугл почту", "гугл почте"}},
		{"вики", []string{"вики"}},
		{"авито", []string{"авито"}},
		{"блокнот", []string{"блокноте"}},
		{"диспетчер* задач", []string{"диспетчер задач", "диспетчера задач", "диспетчере задач"}},
		{"командная* строка*", []string{"командную строку", "командной строке"}},
		{"панель* управления", []string{"панель управления", "панели управления"}},
		{"настройки", []string{"настройках"}},
		{"team wiki", []string{"team wiki"}},
	}
	for _, tt := range tests {
		got := forms(Fold(tt.alias))
		for _, w := range tt.want {
			if !slices.Contains(got, w) {
				t.Errorf("forms(%q) = %q, want %q among them", tt.alias, got, w)
			}
		}
	}
}

func TestAnswersAreCopies(t *testing.T) {
	c := Default()
	s, _ := c.Site("youtube")
	s.Aliases[0] = "changed"
	again, _ := c.Site("youtube")
	if diff := cmp.Diff("youtube", again.Aliases[0]); diff != "" {
		t.Errorf("the catalogue was changed from outside (-want +got):\n%s", diff)
	}
}
