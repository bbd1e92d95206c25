// Package media has the tools for media players: the keys of a player, and what it plays. They speak
// MPRIS over the session bus.
package media

import (
	"context"
	"strings"

	"errand/host/desktop/bus"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Names of the tools.
const (
	KeyName     = "desktop.media_key"
	PlayingName = "desktop.now_playing"
)

const keySchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "action": {"enum": ["play", "pause", "stop", "next", "previous"]},
    "app_name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "the player, if there are several: a catalogue id, the id of a .desktop file, or a name"}
  },
  "required": ["action"],
  "additionalProperties": false
}`

const playingSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "app_name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "the player, if there are several"}
  },
  "additionalProperties": false
}`

// Tools returns desktop.media_key and desktop.now_playing.
func Tools() []tool.Tool {
	return []tool.Tool{
		keyTool{tool.Func(tool.Spec{
			Name: KeyName, Description: "Press a key of the media player that plays, or of the named one.", ArgsSchema: []byte(keySchema), TimeoutMS: 10_000,
			RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectInput, Reversible: true,
			CanAchieve: []string{"play_media", "pause_media", "stop_media", "next_media", "previous_media"}, Effects: []string{"media_changed"}, Source: "builtin",
			Display: display.Tool{
				Summary: [][]string{{"action", "app_name"}, {"action"}}, View: display.View{Kind: display.Sentence, Params: []string{"action", "player"}},
			}.WithName(KeyName),
		}, press)},
		tool.Func(tool.Spec{
			Name: PlayingName, Description: "Tell what the media player plays.", ArgsSchema: []byte(playingSchema), TimeoutMS: 10_000,
			RetryProfile: tool.RetryTransient, SideEffectClass: tool.Read, Effect: tool.EffectRead,
			CanAchieve: []string{"identify_media"}, Effects: []string{"media_identified"}, Source: "builtin",
			Display: display.Tool{
				Summary: display.OneOf("app_name"), View: display.View{Kind: display.Sentence, Params: []string{"title", "artist", "player", "status"}},
			}.WithName(PlayingName),
		}, tellPlaying),
	}
}

// methods are the actions as the members of the player interface, with the action that undoes each.
var methods = map[string]struct{ member, inverse, status string }{
	"play": {"Play", "pause", "Playing"}, "pause": {"Pause", "play", "Paused"}, "stop": {"Stop", "play", "Stopped"},
	"next": {"Next", "previous", ""}, "previous": {"Previous", "next", ""},
}

func press(ctx context.Context, call tool.Call) (tool.Result, error) {
	action, _ := call.Args["action"].(string)
	key, ok := methods[action]
	if !ok {
		return tool.Fail(tool.ValidationError, "bad_action", message.New("desktop.bad_action", "action", action)), nil
	}
	p, c, err := find(ctx, call.Args, action)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer c.Close()
	if _, err := p.object.Call(ctx, iface+"."+key.member); err != nil {
		return tool.Fail(tool.ExecutionError, "player_failed", message.New("desktop.player_failed", "player", p.name, "cause", err)), nil
	}
	r := tool.OK(map[string]any{"action": action, "player": p.name, "before": strings.ToLower(p.status)})
	if key.status != p.status {
		r.Undo = &tool.Inverse{Tool: KeyName, Args: map[string]any{"action": key.inverse, "app_name": p.id}}
	}
	return r, nil
}

// tellPlaying reads what plays. The title and the artist are text of others, for the user only.
func tellPlaying(ctx context.Context, call tool.Call) (tool.Result, error) {
	p, c, err := find(ctx, call.Args, "")
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer c.Close()
	v, err := p.object.Get(ctx, iface, "Metadata")
	if err != nil {
		return tool.Fail(tool.ExecutionError, "player_failed", message.New("desktop.player_failed", "player", p.name, "cause", err)), nil
	}
	data, _ := v.(map[string]any)
	title, _ := data["xesam:title"].(string)
	artists, _ := data["xesam:artist"].([]any)
	var by []string
	for _, a := range artists {
		if s, ok := a.(string); ok && s != "" {
			by = append(by, s)
		}
	}
	r := tool.OK(map[string]any{"player": p.name, "status": strings.ToLower(p.status), "title": title, "artist": strings.Join(by, ", ")})
	r.UserOnlyKeys = []string{"title", "artist", "player"}
	return r, nil
}

// find connects to the session bus and chooses the player. The caller closes the connection.
func find(ctx context.Context, args map[string]any, action string) (player, *bus.Conn, error) {
	c, err := bus.Session(ctx)
	if err != nil {
		return player{}, nil, err
	}
	all, err := findPlayers(ctx, c)
	if err != nil {
		c.Close()
		return player{}, nil, err
	}
	named, _ := args["app_name"].(string)
	p, fault := choose(all, named, action)
	if fault != nil {
		c.Close()
		return player{}, nil, fault
	}
	return p, c, nil
}

// keyTool can tell whether a call that died had its effect, if its key leads to a state.
type keyTool struct{ tool.Tool }

// Reconcile implements [tool.Reconciler].
func (keyTool) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	action, _ := call.Args["action"].(string)
	unknown := tool.Reconciled{Effect: tool.Unknown}
	if methods[action].status == "" {
		return unknown, nil
	}
	p, c, err := find(ctx, call.Args, action)
	if err != nil {
		return unknown, nil
	}
	defer c.Close()
	if p.status != methods[action].status {
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	return tool.Reconciled{Effect: tool.Committed, Result: tool.OK(map[string]any{"action": action, "player": p.name})}, nil
}
