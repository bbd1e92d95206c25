package demo

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/build/poll"
)

// client reaches the site under its hosts' names, and trusts the key that the
// site says it has.
func client(t *testing.T, s *Site) *http.Client {
	t.Helper()
	return &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				to, ok := s.Hosts()[address]
				if !ok {
					return nil, errors.New("no such host: " + address)
				}
				return (&net.Dialer{}).DialContext(ctx, network, to.String())
			},
			TLSClientConfig: &tls.Config{
				InsecureSkipVerify: true, //nolint:gosec // the digest below is the check
				VerifyConnection: func(c tls.ConnectionState) error {
					leaf := c.PeerCertificates[0]
					if sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo); base64.StdEncoding.EncodeToString(sum[:]) != s.SPKI() {
						return errors.New("not the site's key")
					}
					return leaf.VerifyHostname(c.ServerName)
				},
			},
		},
	}
}

func get(t *testing.T, c *http.Client, rawURL string) (*http.Response, string) {
	t.Helper()
	res, err := c.Get(rawURL)
	must.Succeed(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must.Succeed(t, err)
	return res, string(body)
}

func start(t *testing.T, more ...string) *Site {
	t.Helper()
	s, err := Start(t.Context(), more...)
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestPages(t *testing.T) {
	c := client(t, start(t, "shelf.example"))
	tests := []struct {
		url       string
		wantTitle string
	}{
		{"https://youtube.com/results?search_query=nvidia", "nvidia - YouTube (demo)"},
		{"https://google.com/search?q=%D0%BA%D0%BE%D1%82%D0%B8%D0%BA%D0%B8", "котики - Google (demo)"},
		{"https://wikipedia.org/w/index.php?search=go%20lang", "go lang - Wikipedia (demo)"},
		{"https://en.wikipedia.org/wiki/Go_(game)", "Go (game) - Wikipedia (demo)"},
		{"https://open.spotify.com/search/lo-fi%2Fchill", "lo-fi/chill - Spotify (demo)"},
		{"https://ozon.ru/search/?text=%3Cscript%3E", "&lt;script&gt; - Ozon (demo)"},
		{"https://youtube.com/", "YouTube (demo)"},
		{"https://youtube.com/results?search_query=", "YouTube (demo)"},
		{"https://shelf.example/find?query=tea", "tea - shelf.example (demo)"},
		{"https://github.com/search?q=" + strings.Repeat("%C3%A9", 150), strings.Repeat("é", 100) + "… - GitHub (demo)"},
		{"https://github.com/search?q=%FF", "� - GitHub (demo)"},
	}
	for _, tt := range tests {
		t.Run(tt.url[:min(len(tt.url), 60)], func(t *testing.T) {
			res, body := get(t, c, tt.url)
			if res.StatusCode != http.StatusOK || !strings.Contains(body, "<title>"+tt.wantTitle+"</title>") {
				_, after, _ := strings.Cut(body, "<title>")
				title, _, _ := strings.Cut(after, "</title>")
				t.Errorf("status %d, title %q, want %q", res.StatusCode, title, tt.wantTitle)
			}
			if !strings.Contains(body, "Demo page") || strings.Contains(body, "<script") {
				t.Error("the page does not say that it is a demo, or runs a script")
			}
			if again, b := get(t, c, tt.url); again.StatusCode != http.StatusOK || b != body {
				t.Error("the same URL gave another page")
			}
		})
	}
}

func TestEveryHostAnswers(t *testing.T) {
	s := start(t)
	c := client(t, s)
	for hostport, to := range s.Hosts() {
		host, port, _ := strings.Cut(hostport, ":")
		if !to.Addr().IsLoopback() {
			t.Errorf("%s is at %s", hostport, to)
		}
		scheme := map[string]string{"443": "https", "80": "http"}[port]
		res, _ := get(t, c, scheme+"://"+host+"/?q=tea")
		want, status := "", http.StatusOK
		switch {
		case scheme == "http":
			want, status = "https://"+host+"/?q=tea", http.StatusMovedPermanently
		case strings.HasPrefix(host, "www."):
			want, status = "https://"+strings.TrimPrefix(host, "www.")+"/?q=tea", http.StatusMovedPermanently
		}
		if res.StatusCode != status || res.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %d to %q", hostport, res.StatusCode, res.Header.Get("Location"), status, want)
		}
	}
}

// TestPicturesFromOtherHost: a page loads pictures from another host of the
// site, and they are pictures.
func TestPicturesFromOtherHost(t *testing.T) {
	s := start(t)
	c := client(t, s)
	for page, host := range map[string]string{
		"https://youtube.com/results?search_query=tea": videoPictures,
		"https://google.com/search?q=tea":              otherPictures,
	} {
		res, body := get(t, c, page)
		_, after, ok := strings.Cut(body, `<img src="https://`+host)
		if !ok || !strings.Contains(res.Header.Get("Content-Security-Policy"), "img-src https://"+host) {
			t.Errorf("%s loads nothing from %s", page, host)
			continue
		}
		path, _, _ := strings.Cut(after, `"`)
		picture, svg := get(t, c, "https://"+host+path)
		if picture.Header.Get("Content-Type") != "image/svg+xml" || xml.Unmarshal([]byte(svg), new(struct{})) != nil {
			t.Errorf("%s%s is no picture: %s", host, path, svg)
		}
	}
	for _, bad := range []string{"/avatar/x.svg", "/avatar/-1.svg", "/avatar/360.svg"} {
		if res, _ := get(t, c, "https://"+videoPictures+bad); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s = %d", bad, res.StatusCode)
		}
	}
}

func TestCloseEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Start(ctx)
	must.Succeed(t, err)
	address := s.Hosts()["youtube.com:443"].String()
	cancel() // as good as Close
	poll.Await(t, "it no longer listens", func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	if err := s.Close(); err != nil {
		t.Errorf("Close after its context's end = %v", err)
	}
}

func TestQueryOf(t *testing.T) {
	type answer struct{ Query, Parameter string }
	tests := []struct {
		in   string
		want answer
	}{
		{"/results?search_query=a+b", answer{"a b", "search_query"}},
		{"/search?search=&q=x", answer{"x", "q"}},
		{"/search/x%20y", answer{"x y", ""}},
		{"/maps/search/red%20square", answer{"red square", ""}},
		{"/search/drive/", answer{"drive", ""}},
		{"/search/", answer{"", ""}},
		{"/maps", answer{"", ""}},
		{"", answer{"", ""}},
		{"/?unknown=x", answer{"", ""}},
	}
	for _, tt := range tests {
		u, err := url.Parse("https://a.example" + tt.in)
		must.Succeed(t, err)
		q, p := queryOf(u)
		if diff := cmp.Diff(tt.want, answer{q, p}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
	}
}
