package server_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairground/internal/platform/rest"
	"fairground/internal/server"
)

// docs/security.md lists the endpoints whose query may contain a session token. No other endpoint accepts one.
func TestSE15PartEndpointsWithTokensInQueriesAreListed(t *testing.T) {
	t.Parallel()
	api, err := rest.New(rest.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	(&server.Server{}).Routes(api, nil)
	raw, err := api.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Ref string `json:"$ref"`
			}
		}
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	var accepting []string
	for path, calls := range document.Paths {
		for method, call := range calls {
			for _, p := range call.Parameters {
				if p.Ref == "#/components/parameters/Token" {
					accepting = append(accepting, strings.ToUpper(method)+" "+path)
				}
			}
		}
	}
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^- `([A-Z]+ /[^`]+)`").FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(accepting)
	slices.Sort(listed)
	if !slices.Equal(accepting, listed) || len(listed) == 0 {
		t.Errorf("calls with a token in the query = %q, docs/security.md lists %q", accepting, listed)
	}
}
