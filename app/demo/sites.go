package demo

import (
	"strings"
	"sync"
)

// kind is the layout of a site's entries.
type kind string

const (
	web   kind = "web"   // a list of pages
	video kind = "video" // pictures with a duration
	shop  kind = "shop"  // pictures with a price
)

// look is the name and layout of a known site.
type look struct {
	name string
	kind kind
}

// knownSites has the sites with a name and a layout of their own. Other sites use their host as
// the name and look like web.
var knownSites = sync.OnceValue(func() map[string]look {
	return map[string]look{
		"youtube.com": {"YouTube", video}, "m.youtube.com": {"YouTube", video}, "music.youtube.com": {"YouTube Music", video},
		"vimeo.com": {"Vimeo", video}, "dailymotion.com": {"Dailymotion", video}, "rutube.ru": {"Rutube", video},
		"twitch.tv": {"Twitch", video}, "tiktok.com": {"TikTok", video}, "netflix.com": {"Netflix", video},
		"open.spotify.com": {"Spotify", video}, "soundcloud.com": {"SoundCloud", video},

		"amazon.com": {"Amazon", shop}, "ebay.com": {"eBay", shop}, "etsy.com": {"Etsy", shop}, "walmart.com": {"Walmart", shop},
		"aliexpress.com": {"AliExpress", shop}, "ozon.ru": {"Ozon", shop}, "wildberries.ru": {"Wildberries", shop},
		"market.yandex.ru": {"Yandex Market", shop}, "avito.ru": {"Avito", shop}, "play.google.com": {"Google Play", shop},

		"google.com": {"Google", web}, "maps.google.com": {"Google Maps", web}, "mail.google.com": {"Gmail", web},
		"drive.google.com": {"Google Drive", web}, "calendar.google.com": {"Google Calendar", web}, "docs.google.com": {"Google Docs", web},
		"translate.google.com": {"Google Translate", web}, "news.google.com": {"Google News", web}, "scholar.google.com": {"Google Scholar", web},
		"wikipedia.org": {"Wikipedia", web}, "en.wikipedia.org": {"Wikipedia", web}, "ru.wikipedia.org": {"Wikipedia", web},
		"github.com": {"GitHub", web}, "gitlab.com": {"GitLab", web}, "stackoverflow.com": {"Stack Overflow", web},
		"reddit.com": {"Reddit", web}, "x.com": {"X", web}, "twitter.com": {"X", web}, "linkedin.com": {"LinkedIn", web},
		"facebook.com": {"Facebook", web}, "instagram.com": {"Instagram", web}, "pinterest.com": {"Pinterest", web},
		"bing.com": {"Bing", web}, "duckduckgo.com": {"DuckDuckGo", web}, "yandex.ru": {"Yandex", web},
		"translate.yandex.ru": {"Yandex Translate", web}, "music.yandex.ru": {"Yandex Music", video}, "mail.yandex.ru": {"Yandex Mail", web},
		"vk.com": {"VK", web}, "ok.ru": {"OK", web}, "habr.com": {"Habr", web}, "dzen.ru": {"Dzen", web}, "hh.ru": {"hh.ru", web},
		"news.ycombinator.com": {"Hacker News", web}, "hn.algolia.com": {"Hacker News", web}, "medium.com": {"Medium", web}, "quora.com": {"Quora", web},
		"npmjs.com": {"npm", web}, "pypi.org": {"PyPI", web}, "pkg.go.dev": {"Go Packages", web}, "go.dev": {"Go", web},
		"crates.io": {"crates.io", web}, "docs.rs": {"Docs.rs", web}, "developer.mozilla.org": {"MDN", web},
		"chatgpt.com": {"ChatGPT", web}, "imdb.com": {"IMDb", web}, "example.com": {"Example", web}, "example.org": {"Example", web},
	}
})

// Pictures have their own hosts, as on real sites. Requests to other hosts are decided
// too, and a demo should show that.
const (
	videoPictures = "i.ytimg.com"
	otherPictures = "static.errand-demo.example"
)

// hostNames lists the built-in hosts.
func hostNames() []string {
	names := []string{videoPictures, otherPictures}
	for host := range knownSites() {
		names = append(names, host)
	}
	return names
}

// site describes the host that a page imitates.
type site struct {
	Host string
	Name string
	Kind kind
}

func siteOf(host string) site {
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	host = strings.TrimPrefix(host, "www.")
	s := site{Host: host, Name: host, Kind: web}
	if k, ok := knownSites()[host]; ok {
		s.Name, s.Kind = k.name, k.kind
	}
	return s
}

// Pictures returns the host of the site's pictures.
func (s site) Pictures() string {
	if s.Kind == video {
		return videoPictures
	}
	return otherPictures
}
