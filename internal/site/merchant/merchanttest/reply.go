package merchanttest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/rest"
)

var update = flag.Bool("update", false, "write the files shared with the web app's tests instead of comparing with them")

// Authenticate implements rest.Authenticator.
func (m Tokens) Authenticate(_ context.Context, token string) (rest.Caller, error) {
	if caller, ok := m[token]; ok {
		return caller, nil
	}
	return rest.Caller{}, rest.ErrTokenInvalid
}

// Want compares the status and body of a reply. requestId and the fields named in vary must be present in the reply. Their
// value in body is "(varies)".
func Want(t testing.TB, r Reply, status int, body string, vary ...string) {
	t.Helper()
	got := decode(t, r.Body)
	hide(got, append(vary, "requestId"))
	if diff := cmp.Diff(decode(t, []byte(body)), got); r.Status != status || diff != "" {
		t.Errorf("status %d, want %d (-want +got):\n%s", r.Status, status, diff)
	}
}

func decode(t testing.TB, raw []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // so that all digits are compared
	var body any
	if err := decoder.Decode(&body); err != nil {
		t.Fatalf("%v in %q", err, raw)
	}
	return body
}

// SharedFixture compares a reply with testdata/NAME.golden.json. The web app's tests import the file as the server's response, so
// that both sides test the same bytes. A reply that only Go tests read is compared with Want.
func SharedFixture(t *testing.T, name string, r Reply, vary ...string) {
	t.Helper()
	body := decode(t, r.Body)
	hide(body, append(vary, "requestId"))
	got, err := json.MarshalIndent(map[string]any{"status": r.Status, "body": body}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", name+".golden.json")
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: write it with -update and read it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func hide(v any, names []string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			hide(x, names)
		}
	case map[string]any:
		for _, name := range names {
			if x, ok := v[name]; ok && x != "" {
				v[name] = "(varies)"
			}
		}
		for _, x := range v {
			hide(x, names)
		}
	}
}
