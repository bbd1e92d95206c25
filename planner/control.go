package planner

import (
	"slices"
	"strconv"
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
)

// readControl reads a goal that sets something, or does something to an app or the desktop.
func (a *agenda) readControl(m *aim) {
	g := &m.goal
	m.action = actionOf(*g)
	switch {
	case m.action == "" || g.ObjectType == "":
		m.refusal = message.New("reason.unknown_control")
	case g.ControlsApp():
		a.readAppControl(m)
	case g.ControlsTimer():
		a.readTimer(m)
	case normalizeID(g.ObjectType) == plan.SettingType:
		m.effect = "setting_changed"
		if m.action != plan.SetAction {
			m.refusal = message.New("reason.unknown_control")
		} else if g.Target == "" || g.Value == "" {
			m.refusal = message.New("reason.no_setting_value")
		}
		m.site, _ = a.planner.catalogue.Site(g.Value)
	default:
		m.app, _ = a.planner.catalogue.App(g.Target)
		m.installed = a.request.Apps[g.Target]
		m.effect = g.ObjectType + "_" + m.action
		m.readDestination(m.fileKey())
		if slices.Contains(plan.LevelTypes(), g.ObjectType) && m.action == plan.SetAction {
			if n, err := strconv.Atoi(strings.TrimLeft(g.Value, "+-")); err != nil || n > 100 {
				m.refusal = message.New("reason.bad_level", "value", g.Value)
			}
		}
	}
}

// appEffects are the effects of actions on an app that runs, after its id.
var appEffects = map[string]string{
	plan.CloseAction: "_closed", plan.SwitchToAction: "_in_front", plan.MinimizeAction: "_minimized", plan.MaximizeAction: "_maximized",
}

// readAppControl reads a goal about an app that runs. Its tool finds the windows of the app.
func (a *agenda) readAppControl(m *aim) {
	g := &m.goal
	g.Target = normalizeApp(g.Target)
	m.app, _ = a.planner.catalogue.App(g.Target)
	m.installed = a.request.Apps[g.Target]
	m.effect = g.Target + appEffects[m.action]
	m.isTrue = m.action == plan.SwitchToAction && g.Target != "" && normalizeApp(a.request.World.ActiveWindow) == g.Target
	if appEffects[m.action] == "" {
		m.refusal = message.New("reason.unknown_control")
	}
	if g.Target == "" {
		m.refusal = message.New("reason.no_app_named")
	}
}

// controlArgs adds the arguments of a tool that sets or does what a goal says. It returns false if
// the tool has no parameter for it.
func (m aim) controlArgs(params []string, args map[string]any) bool {
	put := func(value string, names ...string) bool {
		for _, name := range names {
			if slices.Contains(params, name) {
				args[name] = value
				return true
			}
		}
		return false
	}
	switch {
	case m.goal.ControlsApp():
		return put(m.goal.Target, "app_name")
	case m.goal.ControlsTimer():
		return m.putTimerArgs(params, args)
	case m.goal.ObjectType == plan.SettingType:
		return put(m.goal.Target, "setting") && put(m.goal.Value, "value")
	}
	put(m.action, "action")
	put(m.goal.ObjectType, "part")
	if m.goal.Target != "" && !put(m.goal.Target, "app_name") {
		return false
	}
	return m.goal.Value == "" || put(m.goal.Value, "level", "text")
}

// previewControl describes what is set, or done to an app or the desktop.
func (m aim) previewControl() message.Message {
	name := nameOrID(m.app.Name, oneLine(nameOrID(m.installed.Name, m.goal.Target)))
	if m.goal.ControlsApp() {
		return message.New("plan.app_action", "action", m.action, "app", name)
	}
	if m.goal.ControlsTimer() {
		return m.previewTimer()
	}
	if m.goal.ObjectType == plan.SettingType {
		return message.New("plan.set_setting", "setting", m.goal.Target, "value", nameOrID(m.site.Name, m.goal.Value))
	}
	action, value := m.fileKey(), m.goal.Value
	if slices.Contains(plan.LevelTypes(), m.goal.ObjectType) {
		if more, ok := strings.CutPrefix(value, "+"); ok {
			action, value = "raise_"+m.goal.ObjectType, more
		} else if less, ok := strings.CutPrefix(value, "-"); ok {
			action, value = "lower_"+m.goal.ObjectType, less
		}
	}
	return message.New("plan.control", "action", action, "value", oneLine(value), "app", name)
}
