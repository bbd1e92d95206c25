package sqlite

import "golang.org/x/sys/windows"

// freeSpace returns the free space in bytes on the disk of dir for this user.
func freeSpace(dir string) (room uint64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	err = windows.GetDiskFreeSpaceEx(name, &room, nil, nil)
	return room, err == nil
}
