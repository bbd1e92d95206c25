package answers

import (
	"strings"
	"testing"

	"errand/app/i18n"
)

// things is a list of what was made, as the undo of an archive has it.
func things(names ...string) []any {
	var list []any
	for _, name := range names {
		list = append(list, map[string]any{"name": name, "is": "file ino=1 size=2 crc32=3"})
	}
	return list
}

// TestSummarizeCall: every argument but internal ones is in it, on one line, and nothing hides.
func TestSummarizeCall(t *testing.T) {
	tests := []struct {
		name, language, tool string
		args                 map[string]any
		want                 string
	}{
		{"a folder", "en", "files.create_folder", map[string]any{"path": "/a/b"}, "Create the folder /a/b"},
		{"in Russian", "ru", "files.delete_file", map[string]any{"path": "/a/b"}, "Удалить файл /a/b"},
		{"a page", "en", "system.apps.launch.shell", map[string]any{"app_name": "chrome", "url": "https://x.org/"}, "Open https://x.org/ in chrome"},
		{"an app", "en", "system.apps.launch.shell", map[string]any{"app_name": "notes"}, "Start notes"},
		{"more arguments", "en", "files.create_file", map[string]any{"path": "/a", "content": "x"}, "Create the file /a, content = x"},
		{"an inverse", "en", "files.delete_folder", map[string]any{"path": "/a", "if_unchanged": "1:2"}, "Delete the folder /a"},
		{"out of the trash", "ru", "files.restore", map[string]any{"path": "/a", "trashed": "a", "if_unchanged": "folder ino=1"}, "Восстановить из корзины /a"},
		{"an inverse that is for good", "en", "archive.remove_extracted", map[string]any{"path": "/a"}, "Permanently delete what was unpacked into /a and is unchanged"},
		{"one thing", "en", "archive.remove_extracted", map[string]any{"path": "/h/a.zip", "made": things("")}, "Permanently delete /h/a.zip, unless changed since"},
		{"things in a folder", "en", "archive.remove_extracted", map[string]any{"path": "/h", "made": things("b", "b/c", "d", "b/e/f")}, "Permanently delete /h/b, /h/d, with the 2 items in it, unless changed since"},
		{"a folder and its things, in Russian", "ru", "archive.remove_extracted", map[string]any{"path": "/h/b", "made": things("", "c")}, "Удалить насовсем, если не изменилось: /h/b (внутри: 1)"},
		{"many things", "en", "archive.remove_extracted", map[string]any{"path": "/h", "made": things("1", "2", "3", "4", "5", "6", "7")}, "Permanently delete /h/1, /h/2, /h/3, /h/4, /h/5, … and 2 more, unless changed since"},
		{"things with other names", "en", "archive.remove_extracted", map[string]any{"path": "/h", "made": things("a", "a b", "ab\n")}, `Permanently delete /h/a, /h/a b, /h/ab\x0a, unless changed since`},
		{"no list of things", "en", "archive.remove_extracted", map[string]any{"path": "/h", "made": []any{"a"}}, `Permanently delete what was unpacked into /h and is unchanged, made = ["a"]`},
		{"an unknown tool", "en", "x.y", map[string]any{"n": 7.0, "list": []any{"a"}}, `Run x.y, list = ["a"], n = 7`},
		{"an argument of another kind", "en", "files.delete_file", map[string]any{"path": []any{"/a"}}, `Delete a file, path = ["/a"]`},
		{"an element", "en", "browser.fill", map[string]any{"locator": map[string]any{"label": "Name"}, "value": "Ann"}, `Fill label "Name", value = Ann`},
		{"an element, in Russian", "ru", "browser.click", map[string]any{"locator": map[string]any{"role": "button", "name": "OK"}, "expect": "link"}, `Нажать: кнопка «OK», expect = link`},
		{"a bad locator", "en", "browser.click", map[string]any{"locator": map[string]any{"id": "x"}}, `Click something on the page, locator = {"id":"x"}`},
		{"files", "en", "browser.upload", map[string]any{"paths": []any{"/a", "/b"}}, "Upload /a, /b"},
		{"what is waited for", "en", "browser.wait", map[string]any{"gone": map[string]any{"text": "Loading"}, "timeout_ms": 300.0}, `Wait until it is gone: text "Loading", timeout_ms = 300`},
		{"nothing is named", "ru", "browser.screenshot", map[string]any{"full": true}, "Сделать снимок страницы, full = true"},
		{"lines and directions", "en", "files.delete_file", map[string]any{"path": "/a\n\u202e/b"}, `Delete the file /a\x0a\u202e/b`},
		{"a name that looks like another", "en", "files.delete_folder", map[string]any{"path": "/Invoices\u3164 "}, `Delete the folder /Invoices\u3164\x20`},
		{"a list with a comma in a name", "en", "browser.upload", map[string]any{"paths": []any{"/a, /b"}}, `Upload "/a, /b"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := i18n.ForTag(tt.language).Text(SummarizeCall(tt.tool, tt.args)); got != tt.want {
				t.Errorf("preview = %q, want %q", got, tt.want)
			}
		})
	}
	long := i18n.English().Text(SummarizeCall("files.delete_file", map[string]any{"path": "/" + strings.Repeat("x", 1000)}))
	if !strings.Contains(long, "(+801)") || len(long) > 300 {
		t.Errorf("a long argument: %q", long)
	}
}
