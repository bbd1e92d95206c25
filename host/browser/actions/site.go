package actions

import (
	"cmp"
	"context"
	"slices"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/website"
)

// checkSite returns an error if the page is not on the site for which the call was approved:
// the page may have moved since by itself. Check it while you hold the
// element: an element ends with its document, so it gets nothing on another site.
func checkSite(ctx context.Context, t *page.Tab, call tool.Call) error {
	if call.Site == "" {
		return nil
	}
	at, err := t.TopOrigin(ctx)
	if err != nil {
		return err
	}
	here, landed := address.Origin(at), page.Landed(t)
	switch host, named := identityHost(call.Args); {
	case website.IsSame(call.Site, here), website.IsSameName(call.Site, landed) && website.IsSame(landed, here):
		return nil
	case named && website.IsSame(call.Site, "https://"+host):
		return checkHasFrame(ctx, t, call, at)
	}
	return movedError(call, at)
}

// checkHasFrame returns an error if no frame of a page shows the site for which the call was
// approved. The call names the host of its element's document, which may be in a frame.
func checkHasFrame(ctx context.Context, t *page.Tab, call tool.Call, at string) error {
	all, err := t.Frames(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(f *document.Frame) bool { return website.IsSame(call.Site, address.Origin(f.Origin())) }) {
		return movedError(call, at)
	}
	return nil
}

// checkSource is checkSite for a call that only reads an address from the page: the page may
// also be where the server of the opened URL has led, on any site.
func checkSource(ctx context.Context, t *page.Tab, call tool.Call) error {
	err := checkSite(ctx, t, call)
	if err == nil {
		return nil
	}
	if at, fault := t.TopOrigin(ctx); fault == nil && website.IsSame(page.Landed(t), address.Origin(at)) {
		return nil
	}
	return err
}

func movedError(call tool.Call, at string) error {
	shown := cmp.Or(website.Of(address.Origin(at)), address.Clip(at), "about:blank")
	return tool.NewError(tool.PolicyDenied, "page_moved", message.New("browser.page_moved", "site", website.Host(call.Site), "page", website.Host(shown))).
		WithHint(message.New("browser.name_moved_page", "page", shown))
}

// clickHere clicks at a point of the page. It checks the site between the move of the pointer,
// to which the page can react, and the click.
func clickHere(ctx context.Context, t *page.Tab, at document.Readiness, call tool.Call) error {
	return t.Click(ctx, at, func(ctx context.Context) error { return checkSettledSite(ctx, t, call) })
}

// checkSettledSite is checkSite for input of a device, which goes to the document that the page
// has then. If the page is leaving, it waits until it has arrived.
func checkSettledSite(ctx context.Context, t *page.Tab, call tool.Call) error {
	if call.Site == "" {
		return nil
	}
	if err := page.AwaitArrival(ctx, t); err != nil {
		return err
	}
	return checkSite(ctx, t, call)
}

// identityHost returns the host of the document that the call's element has to be in.
func identityHost(a args) (host string, named bool) {
	l, err := a.locator("locator")
	if err != nil || l.Is == nil || l.Is.Host == "" {
		return "", false
	}
	return l.Is.Host, true
}

// identityURL is the pattern of the page of that document; "": the call names none.
func identityURL(a map[string]any) string {
	host, named := identityHost(a)
	if !named {
		return ""
	}
	return hostPattern(host)
}

func hostPattern(host string) string { return "*://" + host + "/*" }

// checkFrameSite returns an error for a frame of another site than its page's, unless the call's
// locator names the host of a document on the site for which the call was approved. A locator
// of the frame is not enough: the page chooses what its frames show.
func checkFrameSite(f *document.Frame, call tool.Call) error {
	top := f
	for top.Parent != nil {
		top = top.Parent
	}
	if call.Site == "" || f == top || website.IsSame(website.Of(address.Origin(top.Origin())), address.Origin(f.Origin())) {
		return nil
	}
	if _, named := identityHost(call.Args); named && website.IsSame(call.Site, address.Origin(f.Origin())) {
		return nil
	}
	return tool.NewError(tool.PolicyDenied, "frame_unnamed", message.New("browser.frame_unnamed", "site", website.Host(call.Site), "frame", address.Host(f.Origin()))).
		WithHint(message.New("browser.name_frame"))
}
