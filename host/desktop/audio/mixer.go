package audio

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"errand/host/desktop/program"
	"errand/host/tool"
	"errand/planner/message"
)

// state is that of the default output.
type state struct {
	percent int
	muted   bool
}

// mixer is a program that controls the default output.
type mixer struct {
	path          string
	read          [][]string // the commands whose output has the state
	parse         func(output string) (state, bool)
	set, mute     []string           // the commands before a value
	level         func(n int) string // a volume as a value
	silent, sound string             // the values to mute and to end that
}

var pactl = mixer{
	read: [][]string{{"get-sink-volume", "@DEFAULT_SINK@"}, {"get-sink-mute", "@DEFAULT_SINK@"}},
	set:  []string{"set-sink-volume", "@DEFAULT_SINK@"}, mute: []string{"set-sink-mute", "@DEFAULT_SINK@"},
	level:  func(n int) string { return strconv.Itoa(n) + "%" },
	silent: "1", sound: "0",
	parse: parsePactl,
}

// parsePactl reads "Volume: front-left: 19661 /  30% / -31.37 dB, …" and "Mute: no".
func parsePactl(output string) (s state, ok bool) {
	hasVolume, hasMute := false, false
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case fields[0] == "Volume:" && !hasVolume:
			for _, f := range fields {
				if number, ok := strings.CutSuffix(f, "%"); ok && !hasVolume {
					n, err := strconv.Atoi(number)
					s.percent, hasVolume = n, err == nil
				}
			}
		case fields[0] == "Mute:" && len(fields) > 1:
			s.muted, hasMute = fields[1] == "yes", true
		}
	}
	return s, hasVolume && hasMute
}

var wpctl = mixer{
	read: [][]string{{"get-volume", "@DEFAULT_AUDIO_SINK@"}},
	set:  []string{"set-volume", "@DEFAULT_AUDIO_SINK@"}, mute: []string{"set-mute", "@DEFAULT_AUDIO_SINK@"},
	level:  func(n int) string { return strconv.FormatFloat(float64(n)/100, 'f', 2, 64) },
	silent: "1", sound: "0",
	parse: func(output string) (state, bool) { // Volume: 0.40 [MUTED]
		fields := strings.Fields(output)
		if len(fields) < 2 || fields[0] != "Volume:" {
			return state{}, false
		}
		part, err := strconv.ParseFloat(fields[1], 64)
		return state{percentOf(part), len(fields) > 2 && fields[2] == "[MUTED]"}, err == nil
	},
}

// mixers finds the program that controls the audio server.
type mixers struct {
	lookPath func(name string) (string, error)
}

// find returns the first program that is installed and whose server answers. The error of type
// *[tool.Error] says what is missing.
func (m mixers) find(ctx context.Context) (*mixer, error) {
	var cause error
	for _, p := range []struct {
		name string
		mixer
	}{{"pactl", pactl}, {"wpctl", wpctl}} {
		path, err := m.lookPath(p.name)
		if err != nil {
			continue
		}
		p.path = path
		_, err = p.state(ctx)
		if err == nil {
			return &p.mixer, nil
		}
		cause = cmp.Or(cause, err)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if cause == nil {
		return nil, tool.UnavailableError("no_mixer", message.New("desktop.no_mixer")).WithHint(message.New("desktop.install_mixer"))
	}
	return nil, tool.NewError(tool.ToolUnavailable, "no_audio_server", message.New("desktop.no_audio_server", "cause", cause))
}

// state reads the state of the default output.
func (m *mixer) state(ctx context.Context) (state, error) {
	var all strings.Builder
	for _, args := range m.read {
		out, err := program.Run(ctx, m.path, "", args...)
		if err != nil {
			return state{}, err
		}
		all.WriteString(out + "\n")
	}
	s, ok := m.parse(all.String())
	if !ok {
		return state{}, message.Error("desktop.volume_unreadable", "program", m.path)
	}
	return s, nil
}

func (m *mixer) setVolume(ctx context.Context, percent int) error {
	_, err := program.Run(ctx, m.path, "", append(m.set[:len(m.set):len(m.set)], m.level(percent))...)
	return err
}

func (m *mixer) setMuted(ctx context.Context, muted bool) error {
	value := m.sound
	if muted {
		value = m.silent
	}
	_, err := program.Run(ctx, m.path, "", append(m.mute[:len(m.mute):len(m.mute)], value)...)
	return err
}
