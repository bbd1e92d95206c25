//go:build !unix || darwin

package system

import "errand/planner/message"

// missingDisplay says why a window can't be shown. The desktop of this platform needs no
// setting.
func missingDisplay() message.Message { return message.Message{} }
