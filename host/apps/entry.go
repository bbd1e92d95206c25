// Package apps reads the applications that are installed on a Linux or BSD desktop from their
// .desktop files, as the Desktop Entry Specification 1.5 describes them. It starts nothing.
//
// The files are written by others. Everything is bounded: the size of a file, the number of
// files and folders, and the depth of folders. What can't be read is left out.
package apps

import (
	"slices"
	"strings"
)

// Entry is an application, as one .desktop file describes it.
type Entry struct {
	// ID is the desktop file id: the path below the applications folder, with "-" for "/".
	ID   string
	File string // absolute path

	Names        map[string]string // by the locale in the file; "" for none
	GenericNames map[string]string
	Keywords     map[string][]string

	Exec     string // see [Entry.Command]
	TryExec  string // a program; if it is missing, the application is not installed
	Folder   string // the working folder of the program; "" for any
	Icon     string
	Class    string // of its windows, if it differs from the program (StartupWMClass)
	Terminal bool   // the program needs a terminal

	// DBusActivatable means that the application can be started over D-Bus too. It may have
	// no Exec then.
	DBusActivatable bool

	Hidden     bool // the user deleted it
	NoDisplay  bool // it is not for menus: it only opens files or other programs use it
	OnlyShowIn []string
	NotShowIn  []string

	locale string // of the environment
}

// Name returns the name in a locale such as "ru" or "pt_BR.UTF-8", else the one without a locale.
func (e Entry) Name(locale string) string { return localized(e.Names, locale) }

// GenericName returns what kind of application it is: "Web Browser". It may be empty.
func (e Entry) GenericName(locale string) string { return localized(e.GenericNames, locale) }

// KeywordsIn returns further words for the application.
func (e Entry) KeywordsIn(locale string) []string { return localized(e.Keywords, locale) }

// IsShown reports whether menus of a desktop show the entry. desktops are the names in
// XDG_CURRENT_DESKTOP.
func (e Entry) IsShown(desktops []string) bool {
	if e.Hidden || e.NoDisplay {
		return false
	}
	for _, d := range desktops { // the first that is in a list decides
		switch {
		case slices.Contains(e.OnlyShowIn, d):
			return true
		case slices.Contains(e.NotShowIn, d):
			return false
		}
	}
	return len(e.OnlyShowIn) == 0
}

// parse reads an entry of type Application. Localised values are kept for languages.
func parse(text string, languages []string) (Entry, bool) {
	g, ok := readGroup(text, func(key, locale string) bool {
		return locale == "" || (key == "Name" || key == "GenericName" || key == "Keywords") && slices.Contains(languages, language(locale))
	})
	if !ok || strings.TrimSpace(g.text("Type")) != "Application" {
		return Entry{}, false
	}
	e := Entry{
		Names: g.texts("Name"), GenericNames: g.texts("GenericName"), Keywords: g.lists("Keywords"),
		Exec: g.text("Exec"), TryExec: strings.TrimSpace(g.text("TryExec")), Folder: strings.TrimSpace(g.text("Path")), Icon: strings.TrimSpace(g.text("Icon")), Class: strings.TrimSpace(g.text("StartupWMClass")),
		Terminal: g.isTrue("Terminal"), DBusActivatable: g.isTrue("DBusActivatable"), Hidden: g.isTrue("Hidden"), NoDisplay: g.isTrue("NoDisplay"),
		OnlyShowIn: g.list("OnlyShowIn"), NotShowIn: g.list("NotShowIn"),
	}
	return e, e.Hidden || e.Names[""] != ""
}
