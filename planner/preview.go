package planner

import (
	"slices"
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
)

// summary describes in one line all that the plan reaches.
func (a *agenda) summary(aims []int) message.Message {
	if len(aims) == 1 {
		return a.aims[aims[0]].preview()
	}
	previews := make([]message.Message, len(aims))
	for i, n := range aims {
		previews[i] = a.aims[n].preview()
	}
	return message.New("plan.several", "previews", previews)
}

// fileCodes are the previews of the file actions of the contract.
var fileCodes = map[string]string{
	"create_file": "plan.create_file", "create_folder": "plan.create_folder",
	"delete_file": "plan.delete_file", "delete_folder": "plan.delete_folder",
}

// preview describes what reaching an aim does.
func (m aim) preview() message.Message {
	if m.goal.OnPage() {
		return m.previewPage()
	}
	switch m.goal.GoalType {
	case plan.PageControl:
		return m.previewOpenPage()
	case plan.BrowserSearch:
		return message.New("plan.search", "query", oneLine(m.goal.Query), "site", nameOrID(m.site.Name, m.goal.Platform))
	case plan.BrowserNavigate:
		return message.New("plan.open_page", "url", m.url)
	case plan.AppLaunch:
		if m.installed.File != "" {
			return message.New("plan.start_installed", "app", oneLine(m.installed.Name), "file", m.installed.File, "command", m.installed.Shell)
		}
		return message.New("plan.start_app", "app", nameOrID(m.app.Name, oneLine(m.goal.Target)))
	case plan.FileOperation:
		if code, ok := fileCodes[m.fileKey()]; ok {
			return message.New(code, "path", oneLine(m.path))
		}
		if m.goal.EmptiesTrash() {
			return message.New("plan.empty_trash")
		}
		if slices.Contains(plan.FileActions(), m.action) {
			return message.New("plan.file_action", "action", m.action, "kind", m.goal.ObjectType, "path", oneLine(m.path),
				"destination", oneLine(m.destination), "query", oneLine(m.goal.Query), "value", m.previewValue())
		}
		return message.New("plan.other_action", "action", m.fileKey(), "subject", oneLine(m.path))
	}
	if m.goal.GoalType == plan.SystemControl {
		return m.previewControl()
	}
	if m.goal.AsksWithValue() {
		return message.New("plan.ask", "action", m.action, "value", oneLine(m.goal.Value))
	}
	return message.New("plan.tell", "target", oneLine(m.goal.Target))
}

// previewValue describes the value of a file action. To find files, it is what is said of them.
func (m aim) previewValue() any {
	if m.action != plan.FindAction || m.goal.Value == "" {
		return oneLine(m.goal.Value)
	}
	f := plan.ParseFileFilter(m.goal.Value)
	var all []message.Message
	if len(f.Extensions) > 0 {
		all = append(all, message.Verbatim(oneLine(strings.Join(f.Extensions, ","))))
	}
	if len(f.Names) > 0 {
		all = append(all, message.New("plan.files_named", "names", f.Names))
	}
	if f.After != "" {
		all = append(all, message.New("plan.files_after", "time", oneLine(f.After)))
	}
	if f.Before != "" {
		all = append(all, message.New("plan.files_before", "time", oneLine(f.Before)))
	}
	if f.Larger > 0 {
		all = append(all, message.New("plan.files_larger", "size", f.Larger))
	}
	if f.Smaller > 0 {
		all = append(all, message.New("plan.files_smaller", "size", f.Smaller))
	}
	if f.Text != "" {
		all = append(all, message.New("plan.files_text", "text", oneLine(f.Text)))
	}
	if f.Order != "" {
		all = append(all, message.New("plan.files_order", "order", oneLine(f.Order)))
	}
	return all
}

// previewPage describes an action on a page and names the page.
func (m aim) previewPage() message.Message {
	var page any = m.url
	switch {
	case m.fileKey() == plan.DownloadFile && m.goal.Query != "":
		page = message.New("plan.file_on_page", "name", oneLine(m.goal.Query), "url", m.url)
	case m.goal.GoalType == plan.BrowserSearch:
		page = message.New("plan.search_page", "query", oneLine(m.goal.Query), "site", nameOrID(m.site.Name, m.goal.Platform))
	}
	preview := message.New("plan.page_action", "action", m.fileKey(), "page", page)
	if m.goal.Limit > 0 {
		preview = message.New("plan.at_most", "preview", preview, "limit", m.goal.Limit)
	}
	switch {
	case m.path == "":
	case m.fileKey() == plan.DownloadFile && strings.HasSuffix(m.path, "/"):
		preview = message.New("plan.kept_in_folder", "preview", preview, "path", oneLine(m.path))
	default:
		preview = message.New("plan.kept_in", "preview", preview, "path", oneLine(m.path))
	}
	return preview
}

func nameOrID(name, id string) string {
	if name != "" {
		return name
	}
	return id
}

// oneLine replaces white space, including line breaks, by single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
