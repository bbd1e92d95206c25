package screenshot

import (
	"context"
	"net/url"
	"strings"

	"errand/host/desktop/bus"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// Names of the XDG desktop portal.
const (
	portal     = "org.freedesktop.portal.Desktop"
	portalPath = "/org/freedesktop/portal/desktop"
	request    = "org.freedesktop.portal.Request"
)

// fromPortal asks the portal for a picture and reads its file, which stays where the portal put it.
// The error is of type *[tool.Error].
func fromPortal(ctx context.Context, id string) ([]byte, error) {
	c, err := bus.Session(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	token := "errand_" + strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, id)
	sender := strings.NewReplacer(":", "", ".", "_").Replace(c.UniqueName())
	answers, err := c.Subscribe(portalPath+"/request/"+sender+"/"+token, request, "Response")
	if err == nil {
		_, err = c.Object(portal, portalPath).Call(ctx, "org.freedesktop.portal.Screenshot.Screenshot", "", bus.Options(map[string]any{"handle_token": token, "interactive": false}))
	}
	if err != nil {
		return nil, tool.UnavailableError("no_portal", message.New("desktop.no_portal", "cause", err))
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case answer := <-answers:
		if len(answer) != 2 || answer[0] != uint32(0) {
			return nil, tool.NewError(tool.ExecutionError, "screenshot_refused", message.New("desktop.screenshot_refused"))
		}
		results, _ := answer[1].(map[string]any)
		uri, _ := results["uri"].(string)
		data, err := readFile(uri)
		if err != nil {
			return nil, tool.NewError(tool.ExecutionError, "screenshot_failed", message.New("desktop.screenshot_failed", "cause", err))
		}
		return data, nil
	}
}

// readFile reads a local file by its URI. A pipe or a device, which may never end, is an error.
func readFile(uri string) ([]byte, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return nil, message.Error("desktop.bad_picture_address", "address", uri)
	}
	return realpath.ReadFile(u.Path, maxPicture)
}
