package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// SumFile is where the digests of generated code stand, beside go.mod.
const SumFile = "generated.sum"

// source is files that a generator reads or writes. The digests are committed, so that a check needs no generator (sqlc takes
// minutes to build).
type source struct {
	pattern string
	// entry names what a file's digest is kept under; what a generator makes of one file alone shares its entry.
	entry func(base string) string
	// blocks splits the file into entries of its own, so that two changes that each add to it do not meet in one digest.
	blocks map[string]*regexp.Regexp // by section; "" is the file outside of sections
	// section begins a section of the file.
	section *regexp.Regexp
}

func named(prefix, suffix string) func(string) string {
	return func(base string) string { return prefix + strings.TrimSuffix(base, suffix) }
}

var generated = []source{
	{pattern: "internal/platform/db/sqlc.yaml", entry: named("queries: ", "")},
	{pattern: "internal/platform/db/migrations/postgres/*.sql", entry: named("migration ", ".sql")},
	{pattern: "internal/platform/db/queries/*.sql", entry: named("queries ", ".sql")},
	{pattern: "internal/platform/db/query/*.sql.go", entry: named("queries ", ".sql.go")},
	{pattern: "internal/platform/db/query/db.go", entry: named("queries: ", "")},
	{
		pattern: "internal/platform/db/query/models.go", entry: named("model: ", ""),
		blocks: map[string]*regexp.Regexp{"": regexp.MustCompile(`^type (\w+) `)},
	},
	{
		pattern: "docs/openapi.json", entry: named("client types: ", ""),
		section: regexp.MustCompile(`^  "(\w+)": `),
		blocks:  map[string]*regexp.Regexp{"paths": regexp.MustCompile(`^    "([^"]+)": `), "components": regexp.MustCompile(`^      "(\w+)": `)},
	},
	{pattern: "web/openapi/package.json", entry: named("client types: ", "")},
	{
		pattern: "web/src/api/schema.d.ts", entry: named("client types: ", ""),
		section: regexp.MustCompile(`^export (?:interface|type) (\w+)`),
		blocks: map[string]*regexp.Regexp{
			"paths": regexp.MustCompile(`^    "([^"]+)": `), "operations": regexp.MustCompile(`^    (\w+): `), "components": regexp.MustCompile(`^        (\w+): `),
		},
	},
}

// Sums digests all generated code of the tree at root. Between the digests of two entries stand lines that do not change: git
// takes changes of neighbouring lines for one, and two branches would conflict.
func Sums(root string) (string, error) {
	sums := map[string]hash.Hash{}
	for _, s := range generated {
		paths, err := filepath.Glob(filepath.Join(root, s.pattern))
		if err != nil {
			return "", err
		}
		if len(paths) == 0 {
			return "", fmt.Errorf("nothing matches %s", s.pattern)
		}
		slices.Sort(paths)
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			for _, b := range s.split(filepath.Base(path), string(data)) {
				if sums[b.entry] == nil {
					sums[b.entry] = sha256.New()
				}
				fmt.Fprintf(sums[b.entry], "%s %d\n%s", filepath.Base(path), len(b.text), b.text)
			}
		}
	}
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&lines, "%s\n  %s\n\n", name, hex.EncodeToString(sums[name].Sum(nil)[:16]))
	}
	return lines.String(), nil
}

type block struct{ entry, text string }

// split gives the parts of a file by their entries; lines before the first block of a section belong to the file's own.
func (s source) split(base, text string) []block {
	whole := s.entry(base)
	all := []block{{entry: whole}}
	section := ""
	for line := range strings.Lines(text) {
		if s.section != nil {
			if found := s.section.FindStringSubmatch(line); found != nil {
				section = found[1]
				all = append(all, block{entry: whole})
			}
		}
		if begin := s.blocks[section]; begin != nil {
			if found := begin.FindStringSubmatch(line); found != nil {
				kind, _, _ := strings.Cut(whole, ":")
				all = append(all, block{entry: strings.Join(strings.Fields(kind+" "+section+" "+found[1]), " ")})
			}
		}
		all[len(all)-1].text += line
	}
	return all
}
