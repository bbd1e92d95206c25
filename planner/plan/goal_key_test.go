package plan

import "testing"

func TestIsChangingKey(t *testing.T) {
	for key, want := range map[string]bool{
		"delete_folder": true, "delete_file": true, "create_folder": true, "create_file": true, "move_file": true, "copy_folder": true,
		"rename_file": true, "append_file": true, "zip_folder": true, "unzip_file": true, "open_file": true, "empty_trash": true,
		"app_launch": true, "open_external": true, "download_file": true, "save_copy": true,
		"close_app": true, "minimize_app": true, "set_volume": true, "mute_sound": true, "power_off_computer": true, "screenshot_screen": true, "set_clipboard": true,
		"identify_media": false, "read_clipboard": false, "volume": false,
		"list_folder": false, "find_file": false, "read_file": false, "read_document": false, "measure_folder": false, "hash_file": false,
		"browser_search": false, "browser_navigate": false, "system_query": false, "file_operation": false,
		"read_page": false, "save_pdf": false, "screenshot_page": false, "hash_known": false, "delete_everything": false, "": false, "delete": false,
	} {
		if got := IsChangingKey(key); got != want {
			t.Errorf("%q: %t, want %t", key, got, want)
		}
	}
}
