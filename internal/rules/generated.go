package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SumFile is where the digests of generated code stand, beside go.mod.
const SumFile = "generated.sum"

// generated names what a tool wrote and from what. The digest of both is committed, so that a check needs
// no generator (sqlc takes minutes to build).
var generated = []struct {
	name    string
	inputs  []string
	outputs []string
}{
	{
		"queries",
		[]string{"internal/platform/db/sqlc.yaml", "internal/platform/db/queries/*.sql", "internal/platform/db/migrations/postgres/*.sql"},
		[]string{"internal/platform/db/query/*.go"},
	},
	{
		"client-types",
		[]string{"docs/openapi.json", "web/openapi/package.json"},
		[]string{"web/src/api/schema.d.ts"},
	},
}

// Sums digests all generated code of the tree at root, one line each: inputs, outputs, name.
func Sums(root string) (string, error) {
	var lines strings.Builder
	for _, g := range generated {
		in, err := digest(root, g.inputs)
		if err != nil {
			return "", fmt.Errorf("%s: %w", g.name, err)
		}
		out, err := digest(root, g.outputs)
		if err != nil {
			return "", fmt.Errorf("%s: %w", g.name, err)
		}
		fmt.Fprintf(&lines, "%s %s %s\n", in, out, g.name)
	}
	return lines.String(), nil
}

// digest covers the names and the bytes of every file that a pattern matches.
func digest(root string, patterns []string) (string, error) {
	sum := sha256.New()
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return "", err
		}
		if len(paths) == 0 {
			return "", fmt.Errorf("nothing matches %s", pattern)
		}
		slices.Sort(paths)
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(sum, "%s %d\n", filepath.Base(path), len(data))
			sum.Write(data)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
