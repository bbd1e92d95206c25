package planner

import (
	"fmt"
	"strings"
)

// words are the sentences of a plan in one language.
type words struct {
	language string
	and      string
	actions  func(n int) string // "3 actions"

	holds, blocked, gaveUp, incapable, nearest, partial string
	reach, runTool, reaches, supplies                   string
	bulk, destructive                                   string
}

var english = &words{
	language: "en", and: "and",
	actions: func(n int) string {
		if n == 1 {
			return "1 action"
		}
		return fmt.Sprintf("%d actions", n)
	},
	holds:     "It holds already: there is nothing to do.",
	blocked:   "It would work if this held: %s. No tool can bring that about.",
	gaveUp:    "The search ended at its budget before a plan was found. Ask for less at once.",
	incapable: "Not supported: no tool has the effect %s.",
	nearest:   " The nearest tool is %s.",
	partial:   "Only a part can be reached. Left: %s.",
	reach:     "Reach %s: %s",
	runTool:   "Run %s",
	reaches:   "It reaches the goal %s.",
	supplies:  "It supplies %s, which %s requires.",

	bulk:        "%s at once",
	destructive: "what is deleted is gone: %s",
}

var russian = &words{
	language: "ru", and: "и",
	actions: func(n int) string {
		form := "действий"
		switch {
		case n%100 >= 11 && n%100 <= 14:
		case n%10 == 1:
			form = "действие"
		case n%10 >= 2 && n%10 <= 4:
			form = "действия"
		}
		return fmt.Sprintf("%d %s", n, form)
	},
	holds:     "Так уже и есть: делать нечего.",
	blocked:   "Получилось бы, если бы выполнялось: %s. Ни один инструмент этого не обеспечит.",
	gaveUp:    "Поиск дошёл до предела раньше, чем нашёлся план. Попросите меньше за один раз.",
	incapable: "Не поддерживается: ни у одного инструмента нет эффекта %s.",
	nearest:   " Ближайший инструмент: %s.",
	partial:   "Достижима только часть. Осталось: %s.",
	reach:     "Достичь %s: %s",
	runTool:   "Выполнить %s",
	reaches:   "Достигает цели %s.",
	supplies:  "Даёт %s, что требуется для %s.",

	bulk:        "%s за один раз",
	destructive: "удалённое не вернуть: %s",
}

// wordsOf is English for every language that has no words of its own.
func wordsOf(language string) *words {
	if language == "ru" || strings.HasPrefix(language, "ru-") {
		return russian
	}
	return english
}

// list joins names as a sentence does.
func (w *words) list(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " " + w.and + " " + names[n-1]
	}
}
