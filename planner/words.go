package planner

import (
	"fmt"
	"strings"

	"errand/planner/plan"
)

// words are the sentences of a plan in one language.
type words struct {
	language string
	and      string
	actions  func(n int) string // "3 actions"

	holds, blocked, gaveUp, incapable, nearest, partial string
	reach, runTool, reaches, supplies                   string
	bulk, destructive                                   string

	noTool, asked, unknownType                        string
	searchFor, openPage, startApp, tell               string
	noQuery, longQuery, controlQuery, unknownSite     string
	noSearch, noURL, badURL, garbled                  string
	relative, climbing, rootItself                    string
	whichApp, whichQuery, whichPath, whichAction      string
	whichKind, bothWays, create, delete, file, folder string
	heard, unsure, yes, no                            string

	needed, keepCopy, theSearch, theFile, atMost, into, asNamed string

	pages   map[string]string // key of an action on a page → sentence about the page
	files   map[string]string // create_folder and the like → sentence about a path
	queries map[string]string // target of a system_query → what is told
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
	destructive: "it deletes: %s",

	noTool:      "Not supported: no tool can achieve %s (effect %s).",
	asked:       "You asked for it: %s.",
	unknownType: "Goals of the type %q are not known.",
	searchFor:   "Search for “%s” on %s",
	openPage:    "Open %s",
	startApp:    "Start %s",
	tell:        "Tell %s",

	noQuery:      "No search query provided: say what to search for.",
	longQuery:    "The search query has %d bytes; the limit is %d.",
	controlQuery: "The search query has control characters in it.",
	unknownSite:  "The site %q is not in the catalogue: add it to [[sites]] in the config.",
	noSearch:     "%s has no search address in the catalogue.",
	noURL:        "No address provided: say which page to open.",
	badURL:       "%q is not an http or https address.",
	garbled:      "A name or text in the goal can't be read: it is not UTF-8, or has a NUL in it.",
	relative:     "The folder must be named: %q does not say where it is. Give a path that begins with / or ~/.",
	climbing:     "The path %q climbs out of its folder with “..”: give the path itself.",
	rootItself:   "The path %q is a root or home folder itself.",

	whichApp:    "Which app shall be started?",
	whichQuery:  "What would you like to know?",
	whichPath:   "Which file or folder is meant?",
	whichAction: "What shall be done with %s?",
	whichKind:   "Is %s a file or a folder?",
	bothWays:    "%s can't be both created and deleted: which one is meant?",
	create:      "create", delete: "delete", file: "file", folder: "folder",
	heard:  "Did you say “%s”?",
	unsure: "the words were heard with a confidence of %.0f %%",
	yes:    "yes", no: "no",

	needed: "What follows needs it.", keepCopy: "Keep a copy in %s", theSearch: "the search for “%s” on %s",
	theFile: "%s on %s", atMost: " (at most %d)", into: " and keep it in %s", asNamed: ", named by the site or after it",
	pages: map[string]string{
		plan.ReadPage: "Read %s", plan.ListResults: "List the results of %s", plan.ListLinks: "List the links on %s",
		plan.ScreenshotPage: "Take a screenshot of %s", plan.ScreenshotFullPage: "Take a screenshot of all of %s",
		plan.SavePDF: "Make a PDF of %s", plan.DownloadFile: "Download %s", plan.OpenExternal: "Open %s in your own browser",
	},
	files: map[string]string{
		"create_folder": "Create the folder %s", "create_file": "Create the file %s",
		"delete_folder": "Delete the folder %s", "delete_file": "Delete the file %s",
	},
	queries: map[string]string{
		"time": "the time", "date": "the date", "battery": "the battery level", "disk": "the free disk space",
		"memory": "the memory use", "cpu": "the processor load", "ip": "the IP address", "os": "the operating system",
		"running_apps": "the running apps", "uptime": "the uptime", "hostname": "the name of this machine",
	},
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
	destructive: "будет удалено: %s",

	noTool:      "Не поддерживается: ни один инструмент не умеет %s (эффект %s).",
	asked:       "Вы попросили: %s.",
	unknownType: "Цели вида %q неизвестны.",
	searchFor:   "Найти «%s» на %s",
	openPage:    "Открыть %s",
	startApp:    "Запустить %s",
	tell:        "Сообщить %s",

	noQuery:      "Нет поискового запроса: скажите, что искать.",
	longQuery:    "В поисковом запросе %d байт, предел %d.",
	controlQuery: "В поисковом запросе есть управляющие символы.",
	unknownSite:  "Сайта %q нет в каталоге: добавьте его в [[sites]] в настройках.",
	noSearch:     "У сайта %s в каталоге нет адреса поиска.",
	noURL:        "Нет адреса: скажите, какую страницу открыть.",
	badURL:       "%q не адрес http или https.",
	garbled:      "Имя или текст в цели не читается: это не UTF-8, или внутри есть NUL.",
	relative:     "Нужно назвать папку: %q не говорит, где это. Укажите путь, который начинается с / или ~/.",
	climbing:     "Путь %q выходит из своей папки через «..»: укажите сам путь.",
	rootItself:   "Путь %q сам корневая или домашняя папка.",

	whichApp:    "Какое приложение запустить?",
	whichQuery:  "Что вы хотите узнать?",
	whichPath:   "О каком файле или папке речь?",
	whichAction: "Что сделать с %s?",
	whichKind:   "%s — файл или папка?",
	bothWays:    "%s нельзя и создать, и удалить: что имелось в виду?",
	create:      "создать", delete: "удалить", file: "файл", folder: "папка",
	heard:  "Вы сказали «%s»?",
	unsure: "слова распознаны с уверенностью %.0f %%",
	yes:    "да", no: "нет",

	needed: "Это нужно для следующего шага.", keepCopy: "Сохранить копию в %s", theSearch: "поиск «%s» на %s",
	theFile: "%s со страницы %s", atMost: " (не больше %d)", into: " и сохранить в %s", asNamed: ", под именем от сайта или по его адресу",
	pages: map[string]string{
		plan.ReadPage: "Прочитать %s", plan.ListResults: "Перечислить результаты: %s", plan.ListLinks: "Перечислить ссылки на %s",
		plan.ScreenshotPage: "Сделать снимок: %s", plan.ScreenshotFullPage: "Сделать снимок всей страницы: %s",
		plan.SavePDF: "Сделать PDF: %s", plan.DownloadFile: "Скачать %s", plan.OpenExternal: "Открыть %s в вашем браузере",
	},
	files: map[string]string{
		"create_folder": "Создать папку %s", "create_file": "Создать файл %s",
		"delete_folder": "Удалить папку %s", "delete_file": "Удалить файл %s",
	},
	queries: map[string]string{
		"time": "время", "date": "дату", "battery": "заряд батареи", "disk": "свободное место на диске",
		"memory": "занятую память", "cpu": "загрузку процессора", "ip": "IP-адрес", "os": "операционную систему",
		"running_apps": "запущенные приложения", "uptime": "время работы", "hostname": "имя этого компьютера",
	},
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
