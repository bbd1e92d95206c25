package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// registry is where Debian packages install the sources of crates.
const registry = "/usr/share/cargo/registry"

// crateNotices returns a notice for each Debian package whose crates a Cargo.lock lists.
// It includes crates that are only used for building, because the lock doesn't distinguish
// them.
func crateNotices(lock string) ([]notice, error) {
	b, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var locked struct {
		Package []struct{ Name, Version, Source string }
	}
	if err := toml.Unmarshal(b, &locked); err != nil {
		return nil, fmt.Errorf("%s: %w", lock, err)
	}
	var all []notice
	for _, c := range locked.Package {
		if c.Source == "" {
			continue // one of Errand's crates
		}
		text, err := crateLicence(c.Name, c.Version)
		if err != nil {
			return nil, fmt.Errorf("crate %s %s: %w", c.Name, c.Version, err)
		}
		all = append(all, notice{"Rust crate " + c.Name + " " + c.Version, []string{text}})
	}
	return all, nil
}

// crateLicence returns the copyright file of the package of a crate. The package is named
// after the crate's folder, or after the package's name if the folder doesn't have the
// crate's name (as for md-5).
func crateLicence(name, version string) (string, error) {
	pkg := "librust-" + strings.ReplaceAll(name, "_", "-") + "-dev"
	if out, err := exec.Command("dpkg-query", "-S", filepath.Join(registry, name+"-"+version, "Cargo.toml")).Output(); err == nil {
		pkg, _, _ = strings.Cut(string(out), ":")
	}
	file := filepath.Join("/usr/share/doc", pkg, "copyright")
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("no licence: %w", err)
	}
	return file, nil
}
