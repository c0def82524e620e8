package main

import (
	"net/http"
	"strings"
	"testing"
)

// The commands work with and without a running server.
func TestMemberDisable(t *testing.T) {
	t.Parallel()
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
		s := start(t, args...)
		run := func(want, stdin string, more ...string) {
			t.Helper()
			code, out, stderr := command(t, stdin, append(append([]string{"member"}, more...), args...)...)
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("%v = %d, %s%s, want exit code 0 and %q", more, code, out, stderr, want)
			}
		}
		run("created", "qua-xanh7\n", "create", "minhanh92", "--password-stdin")
		token := s.login("minhanh92", "qua-xanh7")
		run("Member minhanh92 disabled", "", "disable", "MinhAnh92")
		if a := s.call(http.MethodGet, "/wps/member/info", token, ""); a.status != http.StatusUnauthorized {
			t.Errorf("got %+v, want 401", a)
		}
		if a := s.call(http.MethodPost, "/wps/session/login", "", `{"username":"minhanh92","password":"qua-xanh7"}`); a.ErrorCode != "login.locked" {
			t.Errorf("got %+v, want login.locked", a)
		}
		wantError(t, "member.unknown", append([]string{"member", "disable", "nobody1"}, args...)...)
		s.end()
		run("Member minhanh92 enabled", "", "enable", "minhanh92")
		start(t, args...).login("minhanh92", "qua-xanh7")
	})
}
