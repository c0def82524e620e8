package db_test

import (
	"strings"
	"testing"

	"fairground/internal/platform/db"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"postgres://u:p@h/d":                 "postgres://u@h/d",
		"postgres://u:p%40%2f@h/d":           "postgres://u@h/d",
		"postgresql://u@h:5432/d":            "postgresql://u@h:5432/d",
		"postgres://u:p@a:1,b:2/d":           "postgres://u@a:1,b:2/d",
		"postgres://u:p@[::1]:5432/d":        "postgres://u@[::1]:5432/d",
		"postgres://h/d":                     "postgres://h/d",
		"postgres:///d?host=/run/x":          "postgres:///d",
		"postgres://h/d?user=u&password=pw1": "postgres://h/d",
		"host=x password=pw1":                "(a malformed address)",
	} {
		if got := db.Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %v", in, got, want)
		}
	}
}

// With an unescaped character in the password, any part of the URL may contain part of the password. Errors therefore show
// nothing of it.
func TestMalformedAddressIsNotShown(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"postgres://app:hun/ter2@h:5432/d",
		"postgres://app:hun?ter2@h:5432/d",
		"postgres://app:hun#ter2@h:5432/d",
		"postgres://app:hun@ter2@h:5432/d",
		"postgres://app:hun:ter2@h:5432/d",
		"postgres://app:hun%ter2@h:5432/d",
		"postgres://app:123/ter2@h:5432/d",
		"postgres://app:123#ter2@h:5432/d",
		"postgres://app:hunter2",
		"postgres://app:123456789",
		"postgres://app:hun ter2@h:hun/d",
		"postgres://[app:hunter2@h/d",
		"app:hunter2@h/d",
	} {
		_, err := db.Open(t.Context(), db.Options{URL: in})
		if err == nil {
			t.Errorf("%s was accepted", in)
			continue
		}
		for _, said := range []string{err.Error(), db.Redact(in)} {
			for _, part := range []string{"hun", "ter2", "123"} {
				if strings.Contains(said, part) {
					t.Errorf("%s: message shows the address: %q", in, said)
				}
			}
		}
	}
}

func TestAddressWithInvalidSetting(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"postgres://u:hunter2@h/d?sslmode=verify-full&sslrootcert=/none/ca.pem": "/none/ca.pem",
		"postgres://u:hunter2@h/d?sslmode=perhaps":                              "sslmode",
		"postgres://u@h/d?password=hunter2&connect_timeout=soon":                "soon",
		"postgres://u:hunter2@a:1,b:2,c/d?target_session_attrs=best":            "postgres://u@a:1,b:2,c/d",
	} {
		_, err := db.Open(t.Context(), db.Options{URL: in})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s = %v, want an error with %q and no password", in, err, want)
		}
	}
}
