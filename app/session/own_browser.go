package session

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/guard"
)

// Attaches reports whether pages are opened in the user's own browser. The
// demo's names exist in its own browser alone.
func (ss *Sessions) Attaches() bool { return ss.o.Config.Browser.CDP != "" && !ss.o.Demo }

// attach connects to the user's own browser.
func (ss *Sessions) attach(ctx context.Context, o page.Options) (*page.Browser, error) {
	address, _, err := ss.DevTools(ctx)
	if err != nil {
		return nil, err
	}
	o.Show = ss.showsAll()
	return page.Attach(ctx, o, chromium.DevTools{URL: address, Dialer: guard.Loopback{}})
}

// devToolsTimeout limits the request to the browser.
const devToolsTimeout = 5 * time.Second

// DevTools asks the user's browser for the address of its DevTools and for its
// name. Only the path of the answer counts: it can lead nowhere else.
func (ss *Sessions) DevTools(ctx context.Context) (address, product string, err error) {
	at, err := url.Parse(ss.o.Config.Browser.CDP)
	if err != nil { // the configuration was checked
		return "", "", err
	}
	if at.Scheme == "ws" {
		return at.String(), "", nil
	}
	client := &http.Client{
		Transport:     &http.Transport{DialContext: guard.Loopback{}.DialContext, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       devToolsTimeout,
	}
	unreachable := func(why message.Message) error {
		return tool.UnavailableError("cdp_unreachable", message.New("session.cdp_unreachable", "address", ss.o.Config.Browser.CDP, "cause", why)).
			WithHint(message.New("session.cdp_unreachable_hint"))
	}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, at.Scheme+"://"+at.Host+"/json/version", nil)
	if err != nil {
		return "", "", err
	}
	res, err := client.Do(ask)
	if err != nil {
		return "", "", unreachable(message.FromError(err))
	}
	defer res.Body.Close()
	var version struct {
		Browser string
		WS      string `json:"webSocketDebuggerUrl"`
	}
	err = json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&version)
	ws, parseErr := url.Parse(version.WS)
	if res.StatusCode != http.StatusOK || err != nil || parseErr != nil || !strings.HasPrefix(ws.Path, "/devtools/browser") {
		return "", "", unreachable(message.New("session.not_devtools"))
	}
	return (&url.URL{Scheme: "ws", Host: at.Host, Path: ws.Path}).String(), version.Browser, nil
}

// NetworkPolicy returns what the run's result says about network policy; empty if it
// was enforced.
func (s *Session) NetworkPolicy() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attached {
		return page.NotEnforced
	}
	return ""
}
