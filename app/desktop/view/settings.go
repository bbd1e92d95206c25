package view

import "errand/planner/message"

// Settings is the configuration as the user can change it here.
type Settings struct {
	File       string    `json:"file"`
	FileExists bool      `json:"found"` // the file exists; the first change creates it
	Entries    []Setting `json:"entries"`
	Problems   []Problem `json:"faults"` // of a change that was not made
}

// Setting is one value. Kind says which of Text, Flag, Number and List contains it.
type Setting struct {
	Key     string   `json:"key"`  // "ui.theme"
	Kind    string   `json:"kind"` // text, choice, flag, number, list
	Text    string   `json:"text"`
	Flag    bool     `json:"flag"`
	Number  int64    `json:"number"`
	List    []string `json:"list"`
	Choices []string `json:"choices"` // of a choice
	Default bool     `json:"default"` // the user has not set it
	Source  string   `json:"source"`  // "default", "errand.toml:12", an environment variable
	Locked  bool     `json:"locked"`  // the environment sets it, so it can't be changed here
}

// SettingChange sets a setting, or removes it from the file.
type SettingChange struct {
	Key    string   `json:"key"`
	Text   string   `json:"text"`
	Flag   bool     `json:"flag"`
	Number int64    `json:"number"`
	List   []string `json:"list"`
	Reset  bool     `json:"reset"` // to the default
}

// Check is one result of the doctor.
type Check struct {
	Name   string          `json:"name"`
	Status string          `json:"status"` // ok, warn, fail
	Detail message.Message `json:"detail"`
	Hint   message.Message `json:"cure"`
}

// ChooseAsk asks for a file or folder in a dialog.
type ChooseAsk struct {
	Kind  string `json:"kind"` // folder, plugin (a file)
	Title string `json:"title"`
}
