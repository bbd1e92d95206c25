package core

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/host/browser/locator"
)

// previewRunes bounds one argument in a preview: what is asked about must fit
// where it is asked.
const previewRunes = 200

// previews are the sentences about calls of the tools that come with the
// program; %s is the value of the argument that is named, or of the first of
// several that there is.
var previews = map[string]struct{ arg, en, ru string }{
	"files.create_folder":      {"path", "Create the folder %s", "Создать папку %s"},
	"files.create_file":        {"path", "Create the file %s", "Создать файл %s"},
	"files.delete_folder":      {"path", "Delete the folder %s", "Удалить папку %s"},
	"files.delete_file":        {"path", "Delete the file %s", "Удалить файл %s"},
	"files.restore":            {"path", "Restore %s from the trash", "Восстановить из корзины %s"},
	"system.apps.launch.shell": {"app_name", "Start %s", "Запустить %s"},
	"system.query":             {"target", "Tell: %s", "Сообщить: %s"},
	"browser.open":             {"url", "Open %s", "Открыть %s"},
	"browser.tab_new":          {"url", "Open %s in a new tab", "Открыть %s в новой вкладке"},
	"browser.search":           {"query", "Search for %s", "Искать %s"},
	"browser.click":            {"locator", "Click %s", "Нажать: %s"},
	"browser.submit":           {"locator", "Send the form of %s", "Отправить форму: %s"},
	"browser.fill":             {"locator", "Fill %s", "Заполнить: %s"},
	"browser.select":           {"locator", "Choose in %s", "Выбрать в списке: %s"},
	"browser.check":            {"locator", "Switch %s", "Переключить: %s"},
	"browser.hover":            {"locator", "Point at %s", "Навести указатель: %s"},
	"browser.press":            {"key", "Press %s", "Нажать клавишу %s"},
	"browser.download":         {"url|file|locator", "Download %s", "Скачать %s"},
	"browser.upload":           {"path|paths", "Give the page %s", "Передать странице %s"},
	"system.open_external":     {"url", "Open %s in your own browser", "Открыть %s в вашем браузере"},
}

// preview says what a call does, from its arguments alone: the words of whoever
// proposed it might say something else. Every argument is in it.
func preview(language, tool string, args map[string]any) string {
	rest := maps.Clone(args)
	var said string
	known, ok := previews[tool]
	for _, arg := range strings.Split(known.arg, "|") {
		if _, there := args[arg]; there {
			known.arg = arg
			break
		}
	}
	url, _ := args["url"].(string)
	value, isText := inWords(tool, args[known.arg])
	switch russian := language == "ru"; {
	case ok && known.arg == "app_name" && url != "" && isText:
		said = fmt.Sprintf(pick(russian, "Открыть %s в %s", "Open %s in %s"), shown(url), shown(value))
		delete(rest, "url")
		delete(rest, known.arg)
	case ok && isText:
		said = fmt.Sprintf(pick(russian, known.ru, known.en), shown(value))
		delete(rest, known.arg)
	default:
		said = fmt.Sprintf(pick(russian, "Выполнить %s", "Run %s"), tool)
	}
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		switch value := rest[key]; {
		case key == "recursive" && value == true:
			said += pick(language == "ru", " со всем, что в ней", " with all that is in it")
		case key == "if_unchanged":
			said += pick(language == "ru", ", если с тех пор ничего не изменилось", ", only while it is unchanged")
		default:
			if words, ok := inWords(tool, value); ok {
				value = words
			}
			said += ", " + shown(key) + " = " + shown(value)
		}
	}
	return said
}

// inWords is an argument that is a text, or a locator of the browser in words.
func inWords(tool string, arg any) (string, bool) {
	if text, ok := arg.(string); ok {
		return text, true
	}
	if _, ok := arg.(map[string]any); !ok || !strings.HasPrefix(tool, "browser.") {
		return "", false
	}
	l, err := locator.Parse(arg)
	return l.String(), err == nil
}

func pick(russian bool, ru, en string) string {
	if russian {
		return ru
	}
	return en
}

// shown is a value on one line: without line breaks and control characters, and
// with the number of what is left out.
func shown(v any) string {
	text, isText := v.(string)
	if !isText {
		b, err := json.Marshal(v)
		if err != nil {
			return "?"
		}
		text = string(b)
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return '\uFFFD' // among them what turns the direction of writing
		}
		return r
	}, text)
	if n := utf8.RuneCountInString(text); n > previewRunes {
		text = fmt.Sprintf("%s… (+%d)", string([]rune(text)[:previewRunes]), n-previewRunes)
	}
	return text
}
