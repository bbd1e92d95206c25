// Package screenshot has the tool that takes a picture of the screen: by the portal of the desktop,
// which may ask the user, else from the X server.
package screenshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image/png"
	"os"
	"strings"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Name is the name of the tool.
const Name = "desktop.screenshot"

const schema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {},
  "additionalProperties": false
}`

// maxPicture is the largest picture, in bytes.
const maxPicture = 64 << 20

// Tools returns desktop.screenshot. capture takes a picture of the screen of the X server, as PNG.
func Tools(capture func(ctx context.Context) ([]byte, error)) []tool.Tool {
	return []tool.Tool{tool.Func(tool.Spec{
		Name: Name, Description: "Take a picture of the whole screen.", ArgsSchema: []byte(schema), TimeoutMS: 60_000,
		RetryProfile: tool.RetryNone, SideEffectClass: tool.Auth, Effect: tool.EffectRead, // it shows whatever is on the screen
		CanAchieve: []string{"screenshot_screen"}, Effects: []string{"screen_pictured"}, Source: "builtin",
		Display: display.Tool{View: display.View{Kind: display.Picture}}.WithName(Name),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		data, err := take(ctx, call.ActionID, capture)
		if err != nil {
			return tool.Result{Error: tool.AsError(err)}, nil
		}
		size, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return tool.Fail(tool.ExecutionError, "screenshot_failed", message.New("desktop.screenshot_failed", "cause", err)), nil
		}
		r := tool.OK(map[string]any{"width": float64(size.Width), "height": float64(size.Height)})
		sum := sha256.Sum256(data)
		r.Artifacts = []tool.Artifact{{Name: "screen.png", MediaType: "image/png", Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]), Data: data}}
		return r, nil
	})}
}

// take tries the portal. Without one it captures the X server, but not one inside a Wayland desktop:
// that shows nothing of it.
func take(ctx context.Context, id string, capture func(ctx context.Context) ([]byte, error)) ([]byte, error) {
	data, err := fromPortal(ctx, id)
	fault := tool.AsError(err)
	if err == nil || fault.Code == "screenshot_refused" || fault.Class == tool.ToolTimeout {
		return data, err
	}
	if capture == nil || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil, fault
	}
	if strings.TrimSpace(os.Getenv("DISPLAY")) == "" {
		return nil, tool.UnavailableError("no_display", message.New("desktop.no_display")).WithHint(message.New("desktop.needs_session"))
	}
	if data, err = capture(ctx); err != nil {
		return nil, tool.NewError(tool.ExecutionError, "screenshot_failed", message.New("desktop.screenshot_failed", "cause", err))
	}
	return data, nil
}
