package media

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"errand/host/desktop/bus"
	"errand/host/tool"
	"errand/planner/message"
)

// Names of the Media Player Remote Interfacing Specification, version 2.2.
const (
	prefix     = "org.mpris.MediaPlayer2."
	objectPath = "/org/mpris/MediaPlayer2"
	rootIface  = "org.mpris.MediaPlayer2"
	iface      = "org.mpris.MediaPlayer2.Player"
)

// answerWait is how long one player gets to tell its state.
const answerWait = time.Second

// player is a media player on the session bus.
type player struct {
	id     string // the name on the bus after the prefix: "vlc", "chromium.instance42"
	name   string // as it calls itself: "VLC media player"
	entry  string // its .desktop file without the ending
	status string // "Playing", "Paused" or "Stopped"
	host   string // of the page whose media a browser plays; empty: none, or the browser does not tell
	object bus.Object
}

// findPlayers lists the players that answer, by name.
func findPlayers(ctx context.Context, c *bus.Conn) ([]player, error) {
	names, err := c.Names(ctx, prefix)
	if err != nil {
		return nil, err
	}
	var all []player
	for _, name := range names {
		p := player{id: strings.TrimPrefix(name, prefix), object: c.Object(name, objectPath)}
		if p.id == "playerctld" { // it stands for another player that is listed too
			continue
		}
		if p.status = p.text(ctx, iface, "PlaybackStatus"); p.status == "" {
			continue
		}
		p.name = cmp.Or(p.text(ctx, rootIface, "Identity"), p.id)
		p.entry = p.text(ctx, rootIface, "DesktopEntry")
		p.host = p.pageHost(ctx)
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b player) int { return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.id, b.id)) })
	return all, nil
}

// text reads a property that is a text, "" if the player doesn't answer.
func (p player) text(ctx context.Context, iface, property string) string {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	v, err := p.object.Get(ctx, iface, property)
	if err != nil {
		return ""
	}
	s, _ := v.(string)
	return s
}

// pageHost reads the host of the page whose media plays, "" if the player tells none.
func (p player) pageHost(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	v, err := p.object.Get(ctx, iface, "Metadata")
	if err != nil {
		return ""
	}
	data, _ := v.(map[string]any)
	address, _ := data["xesam:url"].(string)
	page, err := url.Parse(address)
	if err != nil || page.Scheme != "http" && page.Scheme != "https" {
		return ""
	}
	return strings.ToLower(page.Hostname())
}

// plays reports whether the media of a player is that of a site, by a host of it.
func (p player) plays(site string) bool {
	host := strings.TrimPrefix(site, "www.")
	return strings.Contains(host, ".") && (p.host == host || strings.HasSuffix(p.host, "."+host))
}

// isNamed reports whether a player is meant by a name: a catalogue id, the id of a .desktop file, a
// name on the bus, or what the player calls itself.
func (p player) isNamed(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, ".desktop"))
	id, _, _ := strings.Cut(p.id, ".instance")
	own := []string{strings.ToLower(p.id), strings.ToLower(id), strings.ToLower(p.name), strings.ToLower(p.entry), strings.ToLower(strings.TrimPrefix(path.Ext(p.entry), "."))}
	return name != "" && slices.Contains(own, name)
}

// choose returns the player that an action is for, and never guesses: the one that is named, the
// only one, else the only one that plays, else the only one that is paused. To play, one that is
// paused comes first.
func choose(all []player, named, action string) (player, *tool.Error) {
	if len(all) == 0 {
		return player{}, tool.UnavailableError("no_player", message.New("desktop.no_player")).WithHint(message.New("desktop.start_player"))
	}
	if named != "" {
		all = slices.DeleteFunc(slices.Clone(all), func(p player) bool { return !p.isNamed(named) && !p.plays(named) })
		if len(all) == 0 {
			return player{}, tool.NewError(tool.ExecutionError, "no_such_player", message.New("desktop.no_such_player", "player", named))
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	order := []string{"Playing", "Paused"}
	if action == "play" {
		order = []string{"Paused", "Playing"}
	}
	for _, status := range order {
		if with := withStatus(all, status); len(with) == 1 {
			return with[0], nil
		} else if len(with) > 1 {
			all = with
			break
		}
	}
	var names []string
	for _, p := range all {
		names = append(names, p.name)
	}
	return player{}, tool.NewError(tool.ExecutionError, "which_player", message.New("desktop.which_player", "players", names)).
		WithAlternative(message.New("desktop.name_player"))
}

func withStatus(all []player, status string) (out []player) {
	for _, p := range all {
		if p.status == status {
			out = append(out, p)
		}
	}
	return out
}
