package install

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"errand/host/tool"
)

// fetchTime bounds a download.
const fetchTime = 2 * time.Minute

// readURL fetches an archive. Without a digest there is nothing to hold it
// against: whoever owns the server, or the way to it, would choose the plugin.
func readURL(ctx context.Context, o Origin) (Bundle, error) {
	u, err := url.Parse(o.Place)
	switch {
	case err != nil || u.Host == "":
		return Bundle{}, refused("bad_url", "%q is no URL", o.Place)
	case u.Scheme != "https":
		return Bundle{}, refused("bad_url", "plugins are fetched over https alone, not %s", u.Scheme)
	case u.User != nil:
		return Bundle{}, refused("bad_url", "a URL with a password in it would be written into the lock file")
	case o.SHA256 == "":
		return Bundle{}, refused("no_digest", "a plugin from the network needs its SHA-256").
			WithHint("give --sha256 DIGEST, from its author and not from where the file lies")
	case o.Client == nil:
		return Bundle{}, refused("no_network", "there is no client to fetch %s with", o.Place)
	}
	content, err := fetch(ctx, o.Client, o.Place)
	if err != nil {
		return Bundle{}, err
	}
	if err := held(o.Place, o.SHA256, content); err != nil {
		return Bundle{}, err
	}
	return unpacked(o.Place, content)
}

func fetch(ctx context.Context, c *http.Client, place string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return nil, refused("bad_url", "%v", err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, unfetched(place, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, unfetched(place, fmt.Errorf("the server answers %s", resp.Status))
	}
	content, err := bounded(resp.Body, place, MaxArchive)
	if err != nil {
		return nil, unfetched(place, err)
	}
	return content, nil
}

// unfetched keeps the code of a policy's no, which is an error of its own.
func unfetched(place string, err error) error {
	var typed *tool.Error
	if errors.As(err, &typed) {
		return typed
	}
	return unavailable("fetch_failed", "fetch %s: %v", place, err)
}
