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

// serverPart begins what this command adds to the notices that the web app's build wrote.
const serverPart = "The server holds the following Go code, unchanged, under the terms below each group.\n"

var (
	termsFile = regexp.MustCompile(`(?i)^(?:un)?(?:licen[cs]e|notice|copying|copyright|patents)(?:[-._].*)?$`)
	ruler     = strings.Repeat("-", 80)
)

// module is one that is linked into the server: its folder, and those of its packages that are.
type module struct {
	path, version, folder string
	packages              []string
}

// noteModules adds to the notices in file the terms of all Go code that command links. Doing it again changes nothing.
func noteModules(file, command string) error {
	notices, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	modules, err := linked(command)
	if err != nil {
		return err
	}
	added, err := moduleNotices(modules)
	if err != nil {
		return err
	}
	web, _, _ := strings.Cut(string(notices), serverPart)
	web = strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(web), ruler), "\n")
	return os.WriteFile(file, []byte(web+"\n\n"+ruler+"\n\n"+serverPart+"\n"+added), 0o600) //nolint:gosec // main names the file; only its text comes from modules
}

// linked lists the modules that command is built from, as `make build` builds it, the standard library first.
func linked(command string) ([]module, error) {
	library, err := goSays("env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	packages, err := goSays("list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", command)
	if err != nil {
		return nil, err
	}
	found := map[string]module{}
	for line := range strings.Lines(packages) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(part) != 4 {
			continue // the standard library's packages, and our own, give an empty line
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

func goSays(args ...string) (string, error) {
	run := exec.Command("go", args...) //nolint:noctx // a build step: it ends with make
	run.Env = append(os.Environ(), "CGO_ENABLED=0")
	var said bytes.Buffer
	run.Stderr = &said
	out, err := run.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return string(out), nil
}

// moduleNotices writes the terms of all modules. Those with the same terms, to the letter, share one copy of them.
func moduleNotices(modules []module) (string, error) {
	var order []string
	sharing := map[string][]string{}
	for _, m := range modules {
		terms, err := m.terms()
		if err != nil {
			return "", fmt.Errorf("read the terms of %s: %w", m.path, err)
		}
		if terms == "" && m.path == "std" {
			// Some packagers of Go keep its licence elsewhere; the modules of its authors carry the same one.
			i := slices.IndexFunc(modules, func(m module) bool { return strings.HasPrefix(m.path, "golang.org/x/") })
			if i >= 0 {
				if terms, err = modules[i].terms(); err != nil {
					return "", err
				}
			}
		}
		if terms == "" {
			return "", fmt.Errorf("%s %s is linked, and comes without the terms of its use", m.path, m.version)
		}
		if sharing[terms] == nil {
			order = append(order, terms)
		}
		sharing[terms] = append(sharing[terms], m.head())
	}
	groups := make([]string, len(order))
	for i, terms := range order {
		groups[i] = strings.Join(sharing[terms], "\n") + "\n\n" + terms + "\n"
	}
	return strings.Join(groups, "\n"+ruler+"\n\n"), nil
}

// head names the module and where its source is, which some licences ask for (the Mozilla Public License).
func (m module) head() string {
	return fmt.Sprintf("%s %s\nSource: https://pkg.go.dev/%s@%s", m.path, m.version, m.path, m.version)
}

// terms are the texts of the module's files of that kind: its own, and those that lie beside linked packages
// because they came from somebody else.
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
			if !entry.Type().IsRegular() || filepath.Ext(entry.Name()) == ".go" || !termsFile.MatchString(entry.Name()) {
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
