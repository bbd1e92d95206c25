//go:build !linux && !darwin

package files

import (
	"errors"
	"os"
)

// hasTrash is false: there is no known trash on this platform. Deletion is
// permanent, and forecasts say so.
const hasTrash = false

type bin struct{}

func (bin) path() string { return "" }

func (o Options) bin(*spot) (bin, bool) { return bin{}, false }

func (bin) open(bool) (*trash, error) { return nil, errors.ErrUnsupported }

func move(*os.File, string, *os.File, string) error { return errors.ErrUnsupported }

// homeBin returns the trash of the home folder, which may not exist.
func (o Options) homeBin() bin { return bin{} }
