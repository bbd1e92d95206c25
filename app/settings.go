package app

import (
	"errand/app/config"
	"errand/planner/message"
)

// settings reads and changes errand.toml for goals. It reads the file each time, because other
// programs may change it.
type settings struct{ *App }

// find returns a setting that holds a text.
func (s settings) find(key string) (config.Settable, error) {
	l, err := config.Load(s.o.Config)
	if err != nil {
		return config.Settable{}, err
	}
	for _, entry := range config.Editable(l) {
		if _, text := entry.Value.(string); entry.Key == key && text {
			return entry, nil
		}
	}
	return config.Settable{}, message.Error("app.no_text_setting", "key", key)
}

// Setting returns the value of a key that the user set, "" for the default.
func (s settings) Setting(key string) (string, error) {
	entry, err := s.find(key)
	if err != nil || entry.Source == "default" {
		return "", err
	}
	return entry.Value.(string), nil
}

// ChangeSetting stores a value; "" restores the default. The program uses it when it is opened
// again.
func (s settings) ChangeSetting(key, value string) error {
	entry, err := s.find(key)
	switch {
	case err != nil:
		return err
	case entry.Locked:
		return message.Error("app.setting_in_environment", "key", key, "variable", entry.Source)
	}
	edit := config.Edit{Key: key}
	if value != "" {
		edit.Value = value
	}
	if err := config.Change(s.o.Config, edit); err != nil {
		return err
	}
	if report := s.settingChanged.Load(); report != nil {
		(*report)()
	}
	return nil
}

// OnSettingChange calls f after a goal changed a setting. The program uses the new value when it
// is opened again. Several goroutines may call f.
func (a *App) OnSettingChange(f func()) { a.settingChanged.Store(&f) }
