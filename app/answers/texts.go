package answers

import (
	_ "embed"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/host/browser/actions"
	"errand/host/files"
	"errand/host/system"
	"errand/host/tool/display"
	"errand/plugins"
)

//go:embed texts.toml
var textData []byte

// texts are those that belong to no tool, by their keys.
var texts = sync.OnceValue(func() map[string]display.Text {
	var all map[string]display.Text
	if err := toml.Unmarshal(textData, &all); err != nil {
		panic(err)
	}
	return all
})

// say returns the text of a key with its parameters, given as name, value, …
func say(language, key string, params ...string) string {
	return fill(texts()[key], language, params...)
}

func fill(text display.Text, language string, params ...string) string {
	values := map[string]string{}
	for i := 0; i+1 < len(params); i += 2 {
		values[params[i]] = params[i+1]
	}
	return display.Fill(text.In(language), values)
}

// displayOf returns how a tool is shown. A tool of somebody else's says nothing of
// it: what asks for an approval is in the program's own words.
func displayOf(tool string) (display.Tool, bool) {
	for _, source := range []func() map[string]display.Tool{actions.Displays, files.Displays, system.Displays, plugins.Displays} {
		if t, ok := source()[tool]; ok {
			return t, true
		}
	}
	return display.Tool{}, false
}
