package wasm

import (
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
)

// openCache opens the folder of compiled modules, or answers a cache in memory
// where there is none that can be trusted. A cache is a convenience, so that
// is logged and no error.
func (h *Host) openCache() (cache wazero.CompilationCache, onDisk bool) {
	if h.o.CacheDir == "" {
		return wazero.NewCompilationCache(), false
	}
	err := ownFolder(h.o.CacheDir)
	if err == nil {
		var cache wazero.CompilationCache
		if cache, err = wazero.NewCompilationCacheWithDir(h.o.CacheDir); err == nil {
			return cache, true
		}
	}
	h.cacheFailed(err)
	return wazero.NewCompilationCache(), false
}

// cacheFailed logs that the folder is of no use: nothing else comes of it.
func (h *Host) cacheFailed(err error) {
	h.log("", "warn", fmt.Sprintf("compiled plugins are not kept in %s: %v", h.o.CacheDir, err))
}

// ownFolder makes the folder where it is missing and sees to it that nobody
// but the user can write to it: machine code is loaded from it unchecked.
func ownFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	if !ours(info) {
		return fmt.Errorf("%s belongs to another user", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}
