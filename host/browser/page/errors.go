package page

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// proxyErrorHeader is the header with the filtering proxy's error code. It is visible only
// in responses to plain http requests.
const proxyErrorHeader = "X-Errand-Error"

// statusProxyAuth is HTTP status 407: the proxy did not accept the credentials.
const statusProxyAuth = 407

// Errors of opening a page that are converted to typed errors.
var (
	errCrashed   = message.Error("browser.page_crashed_2")
	errLoop      = message.Error("browser.page_opens_dialogs_for")
	errNoPicture = message.Error("browser.browsers_picture_page_cant")
)

// refusedError returns the error for a refused URL that opening another one led to.
func refusedError(opened string, r refusal) *tool.Error {
	what, code := "open "+address.Quote(opened), "navigation_denied"
	if opened == "" || address.StripUser(opened) != address.StripUser(r.url) {
		what = "follow the page to " + address.Quote(r.url)
	}
	if r.decision.Verdict == policy.Ask {
		code = "navigation_needs_approval"
	}
	e := tool.NewError(tool.PolicyDenied, code, message.New("browser.is_not_allowed", "what", what, "url", address.Host(r.url), "rule", r.decision.Rule, "reason", r.decision.Reason))
	if !r.decision.Hint.IsZero() {
		return e.WithHint(r.decision.Hint)
	}
	return e
}

// DeniedError returns the error for a page that policy doesn't allow.
func DeniedError(rawURL string, d policy.Decision) *tool.Error {
	return refusedError(rawURL, refusal{rawURL, d})
}

func downloadError(opened string) *tool.Error {
	return tool.NewError(tool.PolicyDenied, "download_denied", message.New("browser.open_it_is_download", "opened", address.Quote(opened)))
}

// OpenError converts an error of Open to a typed one.
func (b *Browser) OpenError(ctx context.Context, opened string, err error) error {
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return typed
	case errors.Is(err, chromium.ErrGone) || b.life.Err() != nil:
		return tool.NewError(tool.ExecutionError, "browser_died", message.New("browser.open_browser_ended_on", "opened", address.Quote(opened), "last_words", b.lastWords()))
	case errors.Is(err, errLoop):
		return loopError("open " + address.Quote(opened))
	case errors.Is(err, errCrashed):
		return tool.NewError(tool.ExecutionError, "page_crashed", message.New("browser.open", "opened", address.Quote(opened), "cause", err))
	case errors.Is(ctx.Err(), context.Canceled):
		return tool.AsError(message.Error("browser.open", "opened", address.Quote(opened), "cause", context.Canceled))
	case errors.Is(err, document.ErrSlow):
		return tool.NewError(tool.ToolTimeout, "page_timeout", message.New("browser.open_page_was_not", "opened", address.Quote(opened), "load_timeout", loadTimeout)).
			WithHint(message.New("browser.try_again_or_open"))
	case errors.Is(err, context.DeadlineExceeded):
		return tool.NewError(tool.ToolTimeout, "browser_timeout", message.New("browser.browser_timeout", "opened", address.Quote(opened)))
	}
	return tool.NewError(tool.ExecutionError, "page_failed", message.New("browser.open", "opened", address.Quote(opened), "cause", err))
}

// netError converts Chromium's network error ("net::ERR_…") to a typed one. status is that
// of the response, if there was one.
func (b *Browser) netError(opened, text string, status int) error {
	name := strings.TrimPrefix(text, "net::ERR_")
	host := address.Host(opened)
	say := func(class tool.Class, code, format string, args ...any) *tool.Error {
		return tool.NewError(class, code, message.New("browser.open_2", "opened", address.Quote(opened), "args", fmt.Sprintf(format, args...), "text", text))
	}
	switch {
	case name == "NAME_NOT_RESOLVED":
		return unresolvedError(opened)
	case name == "TUNNEL_CONNECTION_FAILED":
		if u, err := url.Parse(opened); err == nil && b.opts.Explain != nil {
			if err := b.opts.Explain(address.HostPort(u)); err != nil {
				return tool.AsError(err)
			}
		}
		return say(tool.ToolUnavailable, "host_unreachable", "no connection to %s could be made", host).
			WithHint(message.New("browser.check_network_and_that", "host", host))
	case strings.HasPrefix(name, "PROXY_"), name == "UNEXPECTED_PROXY_AUTH", status == statusProxyAuth:
		return say(tool.ToolUnavailable, "proxy_unreachable", "the filtering proxy could not be used")
	case name == "HTTP_RESPONSE_CODE_FAILURE":
		return say(tool.ExecutionError, "http_error", "%s answered with status %d and nothing to show", host, status)
	case strings.HasPrefix(name, "CERT_"), strings.HasPrefix(name, "SSL_"):
		return say(tool.ExecutionError, "certificate_invalid", "the identity of %s could not be verified", host)
	case strings.Contains(name, "TIMED_OUT"):
		return say(tool.ToolTimeout, "page_timeout", "%s did not answer in time", host)
	case strings.HasPrefix(name, "BLOCKED_BY"), strings.HasPrefix(name, "UNSAFE_"), name == "DISALLOWED_URL_SCHEME":
		return say(tool.PolicyDenied, "navigation_denied", "the browser refused it")
	case strings.HasPrefix(name, "CONNECTION_"), strings.HasPrefix(name, "ADDRESS_"), name == "INTERNET_DISCONNECTED", name == "EMPTY_RESPONSE":
		return say(tool.ToolUnavailable, "host_unreachable", "no connection to %s could be made", host)
	case name == "ABORTED":
		return say(tool.ExecutionError, "page_aborted", "it has nothing to show")
	}
	return say(tool.ExecutionError, "page_failed", "the page could not be loaded")
}

// proxyError converts an error code of the filtering proxy.
func (b *Browser) proxyError(opened, code string) error {
	if code == "name_not_resolved" {
		return unresolvedError(opened)
	}
	if u, err := url.Parse(opened); err == nil && b.opts.Explain != nil {
		if err := b.opts.Explain(address.HostPort(u)); err != nil {
			return tool.AsError(err)
		}
	}
	if code = address.Clip(code); strings.HasPrefix(code, "denied") {
		return tool.NewError(tool.PolicyDenied, "navigation_denied", message.New("browser.navigation_denied", "opened", address.Quote(opened), "opened2", address.Host(opened), "code", code))
	}
	return tool.NewError(tool.ToolUnavailable, "host_unreachable", message.New("browser.host_unreachable", "opened", address.Quote(opened), "opened2", address.Host(opened), "code", code))
}

func unresolvedError(opened string) *tool.Error {
	host := address.Host(opened)
	return tool.NewError(tool.ToolUnavailable, "name_not_resolved", message.New("browser.name_not_resolved", "opened", address.Quote(opened), "host", host)).
		WithHint(message.New("browser.check_network_and_spelling", "host", host))
}

func loopError(what string) *tool.Error {
	return tool.NewError(tool.ExecutionError, "dialog_loop", message.New("browser.dialog_loop", "what", what, "dialog_limit", dialogLimit))
}
