package desktoptest

import (
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"

	"errand/build/must"
)

// Player is a media player on a bus, by MPRIS.
type Player struct {
	props   *prop.Properties
	mu      sync.Mutex
	keys    []string
	failure *dbus.Error
}

const playerIface = "org.mpris.MediaPlayer2.Player"

// StartPlayer starts a player with a name on the bus, an identity and a status: "Playing", "Paused" or
// "Stopped".
func StartPlayer(t testing.TB, address, id, identity, status string) *Player {
	t.Helper()
	c := Connect(t, address, "org.mpris.MediaPlayer2."+id)
	p := &Player{}
	must.Succeed(t, c.ExportMethodTable(map[string]any{
		"Play": p.key("Play", "Playing"), "Pause": p.key("Pause", "Paused"), "Stop": p.key("Stop", "Stopped"), "Next": p.key("Next", ""), "Previous": p.key("Previous", ""),
	}, "/org/mpris/MediaPlayer2", playerIface))
	var err error
	p.props, err = prop.Export(c, "/org/mpris/MediaPlayer2", prop.Map{
		"org.mpris.MediaPlayer2": {"Identity": {Value: identity}, "DesktopEntry": {Value: "org.example." + identity}},
		playerIface: {
			"PlaybackStatus": {Value: status, Writable: true},
			"Metadata":       {Value: map[string]dbus.Variant{}, Writable: true},
		},
	})
	must.Succeed(t, err)
	return p
}

func (p *Player) key(name, status string) func() *dbus.Error {
	return func() *dbus.Error {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.failure != nil {
			return p.failure
		}
		p.keys = append(p.keys, name)
		if status != "" {
			p.props.SetMust(playerIface, "PlaybackStatus", status)
		}
		return nil
	}
}

// Keys are the keys that were pressed.
func (p *Player) Keys() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.keys...)
}

// Play sets what the player plays.
func (p *Player) Play(title string, artists ...string) {
	p.props.SetMust(playerIface, "Metadata", map[string]dbus.Variant{
		"xesam:title": dbus.MakeVariant(title), "xesam:artist": dbus.MakeVariant(artists), "mpris:trackid": dbus.MakeVariant(dbus.ObjectPath("/track/1")),
	})
}

// PlayPage sets the page whose media the player plays.
func (p *Player) PlayPage(url string) {
	p.props.SetMust(playerIface, "Metadata", map[string]dbus.Variant{"xesam:title": dbus.MakeVariant("A video"), "xesam:url": dbus.MakeVariant(url)})
}

// Fail makes the keys fail.
func (p *Player) Fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failure = dbus.NewError("org.example.Error", []any{"the disc is gone"})
}
