package plan

import (
	"slices"
	"strings"
)

// readingFileActions are the file actions that change nothing.
var readingFileActions = []string{ListAction, FindAction, ReadAction, MeasureAction, HashAction}

// changingKeys are the keys of goals that change something, beside those of file actions.
var changingKeys = []string{string(AppLaunch), OpenExternal, DownloadFile, "save_copy", SetAction + "_" + SettingType, ClickControl, TypeText, PressKey, SubmitForm}

// controlled are the object types whose keys change something, except those in readingControls.
var controlled = []string{AppType, VolumeType, SoundType, MediaType, ClipboardType, NotificationType, ScreenType, ComputerType, SessionType, BrightnessType, WiFiType, BluetoothType, DarkModeType, QuietType, FrontWindow, AllWindows}

// readingControls are the keys of system_control that change nothing.
var readingControls = []string{"identify_" + MediaType, "read_" + ClipboardType, "read_" + VolumeType, "read_" + WiFiType}

// IsChangingKey reports whether a key of can_achieve belongs to goals that change something
// outside the program. A tool that only reads can't achieve them.
func IsChangingKey(key string) bool {
	if slices.Contains(changingKeys, key) {
		return true
	}
	action, object, _ := strings.Cut(key, "_")
	switch object {
	case "file", "folder", TrashType:
		return slices.Contains([]string{"create", "delete", EmptyAction}, action) ||
			slices.Contains(FileActions(), action) && !slices.Contains(readingFileActions, action)
	}
	return slices.Contains(controlled, key[strings.LastIndexByte(key, '_')+1:]) && strings.Contains(key, "_") && !slices.Contains(readingControls, key)
}
