package core

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"errand/host/trace"
	"errand/planner/plan"
)

// answer says in a few words what came of a run: the time that was asked for,
// the title of the page that was opened, the folder that was made.
func answer(language string, p plan.Plan, steps []trace.Step) string {
	var parts []string
	for i, s := range steps {
		if s.Status != trace.Done || onTheWay(p, steps, s) || lastOnly(s.ToolName) && i < len(steps)-1 {
			continue
		}
		if text := outcome(language, s); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// onTheWay reports whether a step only opened the page that another one told of.
func onTheWay(p plan.Plan, steps []trace.Step, s trace.Step) bool {
	if s.ToolName == "browser.open" || strings.HasPrefix(s.ToolName, "system.apps.") {
		for _, a := range p.Actions() {
			if !tells(a.Tool) || !slices.Contains(a.DependsOn, s.StepID) {
				continue
			}
			if slices.ContainsFunc(steps, func(t trace.Step) bool { return t.StepID == a.ActionID && t.Status == trace.Done }) {
				return true
			}
		}
	}
	return false
}

func outcome(language string, s trace.Step) string {
	payload, _ := s.Payload.(map[string]any)
	text := func(key string) string { v, _ := payload[key].(string); return strings.Join(strings.Fields(v), " ") }
	say := func(en, ru string) string {
		if language == "ru" {
			return ru
		}
		return en
	}
	switch {
	case language == "ru" && inRussian(payload) != "":
		return inRussian(payload)
	case told(language, payload, s) != "":
		return told(language, payload, s)
	case quiet(s.ToolName):
		return ""
	case text("text") != "":
		return text("text")
	case text("title") != "":
		return fmt.Sprintf(say("Opened %s: %s", "Открыто: %s — %s"), text("url"), text("title")) + trouble(payload)
	case text("url") != "":
		return fmt.Sprintf(say("Opened %s", "Открыто: %s"), text("url")) + trouble(payload)
	case text("path") != "":
		if deleted, known := payload["deleted"].(bool); known && deleted {
			return fmt.Sprintf(say("Deleted %s", "Удалено: %s"), text("path"))
		} else if known {
			return fmt.Sprintf(say("%s was gone already", "%s уже нет"), text("path"))
		}
		if saved, _ := payload["saved"].(bool); saved {
			return fmt.Sprintf(say("Saved %s", "Сохранено: %s"), text("path"))
		}
		if restored, _ := payload["restored"].(bool); restored {
			return fmt.Sprintf(say("Restored %s", "Восстановлено: %s"), text("path"))
		}
		if created, known := payload["created"].(bool); known && !created {
			return fmt.Sprintf(say("%s was there already", "%s уже есть"), text("path"))
		}
		return fmt.Sprintf(say("Created %s", "Создано: %s"), text("path"))
	case text("app") != "":
		return fmt.Sprintf(say("Started %s", "Запущено: %s"), text("app"))
	case text("hash") != "":
		return text("hash")
	}
	return ""
}

// trouble names the HTTP status of a page that was opened and is an error.
func trouble(payload map[string]any) string {
	if status, ok := number(payload["status"]); ok && status >= 400 {
		return fmt.Sprintf(" (HTTP %d)", status)
	}
	return ""
}

func number(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case float64:
		return int(n), true
	}
	return 0, false
}

// inRussian answers a question about the machine in Russian where its payload
// is more than a text; "" where it has nothing better than the tool's own words.
func inRussian(payload map[string]any) string {
	text := func(key string) string { v, _ := payload[key].(string); return v }
	switch text("target") {
	case "time":
		if at, err := time.Parse(time.RFC3339, text("time")); err == nil {
			return "Сейчас " + at.Format("15:04") + "."
		}
	case "date":
		if at, err := time.Parse(time.DateOnly, text("date")); err == nil {
			return fmt.Sprintf("Сегодня %d %s %d года.", at.Day(), months[at.Month()-1], at.Year())
		}
	case "hostname":
		if text("hostname") != "" {
			return "Этот компьютер называется " + text("hostname") + "."
		}
	}
	return ""
}

var months = [...]string{
	"января", "февраля", "марта", "апреля", "мая", "июня",
	"июля", "августа", "сентября", "октября", "ноября", "декабря",
}
