// A WASI command that does to the folder /work what other hosts permit: numbers in a
// listing, opening a folder for writing, moving one onto an empty one, links. It prints one
// line each: what it did, and the error's number.

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wasi/api.h>

// numbers returns 0 if each entry of a folder has the number that stat has.
static int numbers(const char *folder) {
	DIR *dir = opendir(folder);
	if (dir == NULL) {
		return -1;
	}
	int wrong = 0, count = 0;
	for (struct dirent *e; (e = readdir(dir)) != NULL;) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) {
			continue;
		}
		char path[300];
		struct stat st;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (lstat(path, &st) != 0 || st.st_ino == 0 || st.st_ino != e->d_ino) {
			wrong++;
		}
		count++;
	}
	closedir(dir);
	return count == 3 ? wrong : 1000 + count;
}

static int opens(const char *path, __wasi_oflags_t flags, __wasi_rights_t rights) {
	__wasi_fd_t fd;
	int e = __wasi_path_open(3, 0, path, flags, rights, 0, 0, &fd);
	if (e == 0) {
		close(fd);
	}
	return e;
}

static void say(const char *what, int e) { printf("%s: %d\n", what, e); }

int main(void) {
	const __wasi_rights_t read = __WASI_RIGHTS_FD_READ, write = __WASI_RIGHTS_FD_WRITE;
	mkdir("/work/folder", 0777);
	mkdir("/work/empty", 0777);
	fclose(fopen("/work/folder/file", "w"));
	fclose(fopen("/work/file", "w"));

	say("numbers", numbers("/work"));
	say("read a folder", opens("folder", __WASI_OFLAGS_DIRECTORY, read));
	say("write a folder", opens("folder", 0, read | write));
	say("write a folder, as a folder", opens("folder", __WASI_OFLAGS_DIRECTORY, read | write));
	say("only write a folder, as a folder", opens("folder", __WASI_OFLAGS_DIRECTORY, write));
	say("write the whole, as a folder", opens(".", __WASI_OFLAGS_DIRECTORY, read | write));
	say("onto a full folder", __wasi_path_rename(3, "empty", 3, "folder"));
	say("onto an empty folder", __wasi_path_rename(3, "folder", 3, "empty"));
	say("what it had", opens("empty/file", 0, read));
	say("a file onto a folder", __wasi_path_rename(3, "file", 3, "empty"));
	say("symbolic link", __wasi_path_symlink("file", 3, "link"));
	say("symbolic link with a slash", __wasi_path_symlink("file", 3, "link/"));
	say("hard link", __wasi_path_link(3, 0, "file", 3, "link"));
	say("the link", opens("link", 0, read));
	return 0;
}
