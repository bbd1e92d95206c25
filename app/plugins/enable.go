package plugins

import (
	"context"
	"slices"
	"strings"

	"errand/app/config"
	"errand/host/tool"
	"errand/planner/message"
)

// Enabled reports whether the config lets a plugin be loaded. It counts what
// [Installer.Enable] wrote since the config was read.
func (s *Set) Enabled(id string) bool {
	if on, ok := s.enabled.Load(id); ok {
		return on.(bool)
	}
	return s.o.Config.Plugins.Enabled(id)
}

// Enable enables or disables a plugin. Disabling ends its calls. The lock file keeps
// the switch of an installed plugin, errand.toml that of any other; enabling also
// changes an errand.toml that disables the plugin. Disabling a dropped plugin
// withdraws the user's consent; [Installer.ProposeEnable] enables it again.
func (i *Installer) Enable(ctx context.Context, id string, on bool) error {
	f, err := i.findSwitchable(id)
	if err != nil {
		return err
	}
	switch {
	case f.dropped != "":
		err = i.enableDropped(ctx, f, on)
	case f.entry != nil:
		if f.entry.Enabled != on {
			err = i.Set.store().Enable(ctx, *f.entry, on)
		}
	case !on:
		err = i.changeConfig(id, false)
	}
	if err == nil && on {
		err = i.enableInConfig(f, id)
	}
	i.Set.reload()
	if err == nil && !on {
		err = i.checkOff(id)
	}
	return err
}

// findSwitchable returns the plugin that the user names: an installed or bundled one by its
// id, else one in another folder by the folder's name, else by the id in its manifest. What
// somebody puts into a folder so never takes the place of an installed plugin.
func (i *Installer) findSwitchable(id string) (folder, error) {
	folders, err := i.Set.folders()
	if err != nil {
		return folder{}, err
	}
	for _, matches := range []func(folder) bool{
		func(f folder) bool { return (f.entry != nil || f.bundled) && f.id() == id },
		func(f folder) bool { return f.dropped != "" && f.dropped == id },
		func(f folder) bool { return f.dropped != "" && f.manifestID() == id },
		func(f folder) bool { return f.id() == id },
		func(f folder) bool { return f.entry == nil && !f.bundled && f.manifestID() == id },
	} {
		if n := slices.IndexFunc(folders, matches); n >= 0 {
			return folders[n], nil
		}
	}
	_, err = i.Set.installedEntry(id)
	return folder{}, err
}

// checkOff fails if the tools of a plugin that was disabled are still offered, by its id or
// by the name of its folder.
func (i *Installer) checkOff(id string) error {
	loaded, err := i.Set.Load()
	if err != nil {
		return err
	}
	for _, p := range loaded {
		if p.Manifest().ID == id || p.id() == id {
			return tool.NewError(tool.ExecutionError, "still_on", message.New("plugins.still_on", "id", id, "folder", p.name)).
				WithHint(message.New("plugins.still_on_hint"))
		}
	}
	return nil
}

// enableInConfig enables a plugin that errand.toml disables, by its id or by the name
// of its folder.
func (i *Installer) enableInConfig(f folder, id string) error {
	ids := []string{id, f.id()}
	if f.entry == nil && !f.bundled {
		ids = append(ids, f.manifestID())
	}
	for _, id := range ids {
		if id != "" && !i.Set.Enabled(id) {
			if err := i.changeConfig(id, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// changeConfig writes the switch of a plugin into errand.toml.
func (i *Installer) changeConfig(id string, on bool) error {
	conf := i.Set.o.Config
	if i.Set.Enabled(id) == on {
		return nil
	}
	if err := i.Set.lockedSwitch(id); err != nil {
		return err
	}
	if err := i.Configure(config.Edit{Key: config.PluginSwitch(id), Value: on}); err != nil {
		return tool.NewError(tool.ValidationError, "switch_not_saved", message.New("plugins.switch_not_saved", "id", id, "cause", message.FromError(err))).
			WithHint(message.New("plugins.switch_not_saved_hint", "id", id, "enabled", on, "file", conf.Paths.File))
	}
	i.Set.enabled.Store(id, on)
	return nil
}

// lockedSwitch is the error of a switch that an environment variable sets; nil: it can
// be changed.
func (s *Set) lockedSwitch(id string) *tool.Error {
	from := s.o.Config.Source(config.PluginSwitch(id))
	if !strings.HasPrefix(from, "ERRAND_") {
		return nil
	}
	return tool.NewError(tool.ValidationError, "switch_locked", message.New("plugins.switch_locked", "id", id, "variable", from)).
		WithHint(message.New("plugins.switch_locked_hint", "variable", from))
}
