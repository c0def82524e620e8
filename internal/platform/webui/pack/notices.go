package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// serverHeading starts the section that this command adds. The command also uses it to find the section and replace it.
const serverHeading = "The server holds the following Go code, unchanged, under the terms below each group.\n"

var (
	licenceFile = regexp.MustCompile(`(?i)^(?:un)?(?:licen[cs]e|notice|copying|copyright|patents)(?:[-._].*)?$`)
	ruler       = strings.Repeat("-", 80)
)

// A module is a Go module that is linked into the server.
type module struct {
	path, version, folder string
	packages              []string // folders of the linked packages
}

// addModuleNotices adds the licences of all Go code that command links to the notices in file. It is idempotent.
func addModuleNotices(file, command string) error {
	notices, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	modules, err := linkedModules(command)
	if err != nil {
		return err
	}
	added, err := moduleNotices(modules)
	if err != nil {
		return err
	}
	web, _, _ := strings.Cut(string(notices), serverHeading)
	web = strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(web), ruler), "\n")
	return os.WriteFile(file, []byte(web+"\n\n"+ruler+"\n\n"+serverHeading+"\n"+added), 0o600) //nolint:gosec // main chooses the file name; only the text comes from modules
}

// linkedModules lists the modules that command links, the standard library first.
func linkedModules(command string) ([]module, error) {
	library, err := runGo("env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	packages, err := runGo("list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", command)
	if err != nil {
		return nil, err
	}
	found := map[string]module{}
	for line := range strings.Lines(packages) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(part) != 4 {
			continue // a package of the standard library or of this module: the line is empty
		}
		m := found[part[0]]
		m.path, m.version, m.folder = part[0], part[1], part[2]
		m.packages = append(m.packages, part[3])
		found[m.path] = m
	}
	root, version, _ := strings.Cut(strings.TrimSpace(library), "\n")
	all := slices.SortedFunc(maps.Values(found), func(a, b module) int { return cmp.Compare(a.path, b.path) })
	return append([]module{{path: "std", version: version, folder: root}}, all...), nil
}

func runGo(args ...string) (string, error) {
	cmd := exec.Command("go", args...)              //nolint:noctx // build step without a context
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build does
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// moduleNotices returns the licences of all modules. Modules with identical licence texts share one copy.
func moduleNotices(modules []module) (string, error) {
	var order []string
	modulesByTerms := map[string][]string{}
	for _, m := range modules {
		terms, err := m.terms()
		if err != nil {
			return "", fmt.Errorf("read the licence of %s: %w", m.path, err)
		}
		if terms == "" && m.path == "std" {
			// Some Go distributions omit the licence file. The golang.org/x modules have the same licence.
			i := slices.IndexFunc(modules, func(m module) bool { return strings.HasPrefix(m.path, "golang.org/x/") })
			if i >= 0 {
				if terms, err = modules[i].terms(); err != nil {
					return "", err
				}
			}
		}
		if terms == "" {
			return "", fmt.Errorf("linked module %s %s has no licence file: add one or remove the dependency", m.path, m.version)
		}
		if modulesByTerms[terms] == nil {
			order = append(order, terms)
		}
		modulesByTerms[terms] = append(modulesByTerms[terms], m.head())
	}
	groups := make([]string, len(order))
	for i, terms := range order {
		groups[i] = strings.Join(modulesByTerms[terms], "\n") + "\n\n" + terms + "\n"
	}
	return strings.Join(groups, "\n"+ruler+"\n\n"), nil
}

// head returns the module's name and source URL. The Mozilla Public License requires the URL.
func (m module) head() string {
	return fmt.Sprintf("%s %s\nSource: https://pkg.go.dev/%s@%s", m.path, m.version, m.path, m.version)
}

// terms returns the texts of the licence files in the module's root and in the folders of its linked packages, which may
// contain third-party code.
func (m module) terms() (string, error) {
	folders := map[string]bool{m.folder: true}
	for _, folder := range m.packages {
		for ; len(folder) > len(m.folder); folder = filepath.Dir(folder) {
			folders[folder] = true
		}
	}
	var texts []string
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return "", err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || filepath.Ext(entry.Name()) == ".go" || !licenceFile.MatchString(entry.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return "", err
			}
			tidy := strings.Trim(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
			if tidy != "" && !slices.Contains(texts, tidy) {
				texts = append(texts, tidy)
			}
		}
	}
	return strings.Join(texts, "\n\n"), nil
}
