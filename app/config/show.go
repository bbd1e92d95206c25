package config

import "errand/planner/message"

const showKey = "browser.show"

// formerShow has the value of browser.show for each value that it had when it was a flag.
var formerShow = map[string]string{"true": ShowAlways, "false": ShowNever}

// formerShowFault says what to write in place of a flag.
func formerShowFault(value string) message.Message {
	return message.New("config.show_was_flag", "value", value, "now", formerShow[value])
}
