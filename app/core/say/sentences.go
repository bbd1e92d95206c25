package say

// sentence is what a call does that has an argument of this name; an empty name
// is that of a call which has none of the others. %s is the argument's value.
type sentence struct{ arg, en, ru string }

// sentences are those about the tools that come with the program. The first one
// whose argument the call has is said; each tool has one without.
var sentences = map[string][]sentence{
	"system.apps.launch.shell": {{"app_name", "Start %s", "Запустить %s"}, {"", "Start an app", "Запустить приложение"}},
	"system.open_external":     {{"url", "Open %s in your own browser", "Открыть %s в вашем браузере"}, {"", "Open a page in your own browser", "Открыть страницу в вашем браузере"}},
	"system.query":             {{"target", "Tell: %s", "Сообщить: %s"}, {"", "Tell something about this machine", "Сообщить об этом компьютере"}},

	"files.create_folder": {{"path", "Create the folder %s", "Создать папку %s"}, {"", "Create a folder", "Создать папку"}},
	"files.create_file":   {{"path", "Create the file %s", "Создать файл %s"}, {"", "Create a file", "Создать файл"}},
	"files.delete_folder": {{"path", "Delete the folder %s", "Удалить папку %s"}, {"", "Delete a folder", "Удалить папку"}},
	"files.delete_file":   {{"path", "Delete the file %s", "Удалить файл %s"}, {"", "Delete a file", "Удалить файл"}},
	"files.restore":       {{"path", "Restore %s from the trash", "Восстановить из корзины %s"}, {"", "Restore something from the trash", "Восстановить из корзины"}},
	"files.keep":          {{"path", "Keep a copy in %s", "Сохранить копию в %s"}, {"", "Keep a copy", "Сохранить копию"}},

	"browser.open":       {{"url", "Open %s", "Открыть %s"}, {"", "Open a page", "Открыть страницу"}},
	"browser.tab_new":    {{"url", "Open %s in a new tab", "Открыть %s в новой вкладке"}, {"", "Open an empty tab", "Открыть пустую вкладку"}},
	"browser.tab_switch": {{"tab", "Go to the tab %s", "Перейти на вкладку %s"}, {"", "Go to another tab", "Перейти на другую вкладку"}},
	"browser.tab_close":  {{"tab", "Close the tab %s", "Закрыть вкладку %s"}, {"", "Close the tab", "Закрыть вкладку"}},
	"browser.tabs":       {{"", "List the open tabs", "Перечислить открытые вкладки"}},
	"browser.search":     {{"query", "Search for %s", "Искать %s"}, {"", "Search", "Искать"}},
	"browser.back":       {{"", "Go back", "Вернуться назад"}},
	"browser.forward":    {{"", "Go forward", "Перейти вперёд"}},
	"browser.reload":     {{"", "Load the page again", "Обновить страницу"}},
	"browser.scroll": {
		{"locator", "Scroll to %s", "Прокрутить до: %s"},
		{"to", "Scroll to the %s of the page", "Прокрутить страницу (%s)"},
		{"", "Scroll the page", "Прокрутить страницу"},
	},
	"browser.snapshot":  {{"locator", "Look at %s", "Осмотреть: %s"}, {"", "Look at the page", "Осмотреть страницу"}},
	"browser.find":      {{"text", "Find “%s” on the page", "Найти на странице «%s»"}, {"regex", "Find %s on the page", "Найти на странице %s"}, {"", "Find something on the page", "Найти на странице"}},
	"browser.read_text": {{"locator", "Read %s", "Прочитать: %s"}, {"", "Read the page", "Прочитать страницу"}},
	"browser.links":     {{"filter", "List the links with “%s”", "Перечислить ссылки, где есть «%s»"}, {"", "List the links", "Перечислить ссылки"}},
	"browser.results":   {{"", "List the search results", "Перечислить результаты поиска"}},
	"browser.extract":   {{"rows", "Read the rows of %s", "Прочитать строки: %s"}, {"", "Read the rows of a table or list", "Прочитать строки таблицы или списка"}},
	"browser.screenshot": {
		{"locator", "Take a screenshot of %s", "Сделать снимок: %s"},
		{"", "Take a screenshot of the page", "Сделать снимок страницы"},
	},
	"browser.pdf": {{"", "Make a PDF of the page", "Сделать PDF страницы"}},
	"browser.wait": {
		{"url", "Wait until the page is at %s", "Подождать, пока откроется %s"},
		{"text", "Wait until the page shows “%s”", "Подождать, пока на странице появится «%s»"},
		{"locator", "Wait for %s", "Подождать, пока появится: %s"},
		{"gone", "Wait until it is gone: %s", "Подождать, пока исчезнет: %s"},
		{"", "Wait for the page", "Подождать страницу"},
	},
	"browser.assert": {
		{"locator", "Check %s", "Проверить: %s"},
		{"url", "Check that the page is at %s", "Проверить, что открыта страница %s"},
		{"title", "Check that the title has “%s”", "Проверить, что в заголовке есть «%s»"},
		{"text", "Check that the page shows “%s”", "Проверить, что на странице есть «%s»"},
		{"visible", "Check that it can be seen: %s", "Проверить, что видно: %s"},
		{"gone", "Check that it is gone: %s", "Проверить, что нет: %s"},
		{"", "Check the page", "Проверить страницу"},
	},
	"browser.click":  {{"locator", "Click %s", "Нажать: %s"}, {"", "Click something on the page", "Нажать на странице"}},
	"browser.submit": {{"locator", "Send the form of %s", "Отправить форму: %s"}, {"", "Send a form", "Отправить форму"}},
	"browser.fill":   {{"locator", "Fill %s", "Заполнить: %s"}, {"", "Fill a field", "Заполнить поле"}},
	"browser.select": {{"locator", "Choose in %s", "Выбрать в списке: %s"}, {"", "Choose in a list", "Выбрать в списке"}},
	"browser.check":  {{"locator", "Switch %s", "Переключить: %s"}, {"", "Switch a box", "Переключить флажок"}},
	"browser.hover":  {{"locator", "Point at %s", "Навести указатель: %s"}, {"", "Point at something", "Навести указатель"}},
	"browser.press":  {{"key", "Press %s", "Нажать клавишу %s"}, {"", "Press a key", "Нажать клавишу"}},
	"browser.download": {
		{"url", "Download %s", "Скачать %s"},
		{"file", "Download %s", "Скачать %s"},
		{"locator", "Download by a click on %s", "Скачать нажатием: %s"},
		{"", "Download a file", "Скачать файл"},
	},
	"browser.upload": {{"path", "Give the page %s", "Передать странице %s"}, {"paths", "Give the page %s", "Передать странице %s"}, {"", "Give the page files", "Передать странице файлы"}},

	"hash.md5":        {{"input", "Compute the MD5 of “%s”", "Вычислить MD5 от «%s»"}, {"", "Compute an MD5", "Вычислить MD5"}},
	"hash.sha256":     {{"input", "Compute the SHA-256 of “%s”", "Вычислить SHA-256 от «%s»"}, {"", "Compute a SHA-256", "Вычислить SHA-256"}},
	"text.stats":      {{"input", "Count the words of “%s”", "Посчитать слова в «%s»"}, {"", "Count the words of a text", "Посчитать слова в тексте"}},
	"json.query":      {{"query", "Look up %s in JSON", "Найти в JSON %s"}, {"", "Look something up in JSON", "Найти в JSON"}},
	"json.reshape":    {{"", "Reshape rows of JSON", "Перестроить строки JSON"}},
	"archive.list":    {{"path", "List what is in %s", "Перечислить, что внутри %s"}, {"", "List what is in an archive", "Перечислить, что в архиве"}},
	"archive.extract": {{"path", "Unpack %s", "Распаковать %s"}, {"", "Unpack an archive", "Распаковать архив"}},
	"archive.remove_extracted": {
		{"path", "Delete what was unpacked into %s and not changed since, for good", "Удалить насовсем то, что распаковано в %s и с тех пор не изменено"},
		{"", "Delete what was unpacked and not changed since, for good", "Удалить насовсем распакованное и с тех пор не изменённое"},
	},
	"http.fetch": {{"url", "Fetch %s", "Загрузить %s"}, {"", "Fetch a page", "Загрузить страницу"}},
}
