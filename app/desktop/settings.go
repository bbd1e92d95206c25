package desktop

import (
	"context"
	"errors"
	"fmt"

	"errand/app/config"
	"errand/app/desktop/view"
	"errand/host/tool"
	"errand/planner/message"
)

// settingsAPI is the part of [API] that reads and changes the configuration.
type settingsAPI struct {
	*session
	face Face
}

// Settings returns the settings that can be changed here. In safe mode the values are the
// defaults, and the problems describe the file's errors.
func (a *settingsAPI) Settings() (view.Settings, error) {
	a.mu.Lock()
	s := settingsOf(a.conf, a.boot.Problems)
	a.mu.Unlock()
	return say(a.session, s, nil)
}

// ChangeSettings writes changes into errand.toml, all or none, and loads them. It keeps
// the file's comments and order. An invalid change returns faults with their lines, not
// an error. A change can end safe mode.
func (a *settingsAPI) ChangeSettings(changes []view.SettingChange) (view.Settings, error) {
	edits := make([]config.Edit, len(changes))
	for i, c := range changes {
		edit, err := editOf(c)
		if err != nil {
			return view.Settings{}, err
		}
		edits[i] = edit
	}
	return a.write(edits)
}

func editOf(c view.SettingChange) (config.Edit, error) {
	e := config.Edit{Key: c.Key}
	if c.Reset {
		return e, nil
	}
	switch config.KindOf(c.Key) {
	case config.Text, config.Choice:
		e.Value = c.Text
	case config.Flag:
		e.Value = c.Flag
	case config.Number:
		e.Value = c.Number
	case config.List:
		e.Value = view.OrEmpty(c.List)
	default:
		return e, tool.NewError(tool.ValidationError, "no_setting", message.New("window.no_setting", "key", c.Key)).WithHint(message.New("window.no_setting_hint"))
	}
	return e, nil
}

func (a *settingsAPI) write(edits []config.Edit) (view.Settings, error) {
	a.changing.Lock()
	defer a.changing.Unlock()
	err := config.Change(a.config, edits...)
	var faults config.Problems
	switch {
	case errors.As(err, &faults):
	case err != nil:
		return view.Settings{}, err
	default:
		a.reopenNow()
	}
	a.mu.Lock()
	if faults == nil {
		if now, err := config.Load(a.config); err == nil { // the appearance changes at once, also during a run
			a.look(now.UI)
		}
	}
	s := settingsOf(a.conf, a.boot.Problems)
	if faults != nil {
		s.Problems = Problems(faults)
	}
	a.mu.Unlock()
	return say(a.session, s, nil)
}

// writeRules appends rules, as TOML, to the configuration file. They apply from the end
// of the current run.
func (a *settingsAPI) writeRules(text string) ([]view.Problem, error) {
	a.changing.Lock()
	defer a.changing.Unlock()
	err := config.Change(a.config, config.Edit{Append: text})
	if faults, ok := errors.AsType[config.Problems](err); ok {
		return Problems(faults), nil
	}
	if err == nil {
		a.markStale()
	}
	return nil, err
}

func settingsOf(l *config.Loaded, faults []view.Problem) view.Settings {
	s := view.Settings{File: l.Paths.File, FileExists: l.Paths.FileExists, Entries: []view.Setting{}, Problems: faults}
	for _, v := range config.Editable(l) {
		entry := view.Setting{
			Key: v.Key, Kind: string(v.Kind), List: []string{}, Choices: view.OrEmpty(v.Choices), Source: v.Source,
			Default: v.Source == "default", Locked: v.Locked,
		}
		switch value := v.Value.(type) {
		case string:
			entry.Text = value
		case bool:
			entry.Flag = value
		case int:
			entry.Number = int64(value)
		case []string:
			entry.List = view.OrEmpty(value)
		default:
			panic(fmt.Sprintf("a setting of %T", value))
		}
		s.Entries = append(s.Entries, entry)
	}
	return s
}

// Doctor checks what the program needs on this machine. It takes up to 5 seconds.
func (a *settingsAPI) Doctor() ([]view.Check, error) {
	return query(a.session, askTimeout, []view.Check{}, func(ctx context.Context, e *Engine) ([]view.Check, error) {
		out := []view.Check{}
		for _, c := range e.Doctor.Check(ctx) {
			out = append(out, view.Check{Name: c.Name, Status: string(c.Status), Detail: c.Detail, Hint: view.HintFor("doctor."+c.Name, c.Hint)})
		}
		return out, nil
	})
}

// Choose shows a dialog to choose a file or a folder, if [Boot] says that there are dialogs. It
// returns "" if nothing was chosen.
func (a *settingsAPI) Choose(ask view.ChooseAsk) (string, error) {
	switch {
	case ask.Kind != "folder" && ask.Kind != "plugin":
		return "", tool.NewError(tool.ValidationError, "bad_kind", message.New("window.bad_kind", "kind", ask.Kind))
	case !a.face.Dialogs():
		return "", tool.NewError(tool.ToolUnavailable, "no_dialogs", message.New("window.no_dialogs")).WithHint(message.New("window.no_dialogs_hint"))
	}
	return a.face.Choose(ask)
}
