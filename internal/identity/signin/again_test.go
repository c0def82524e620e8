package signin_test

import (
	"net/http"
	"strings"
	"testing"

	"fairground/internal/platform/db/dbtest"
)

// Nobody is logged in because another site has led them here: neither a flow begins nor is the one under way touched.
func TestSE09AnotherSiteStartsNoLogin(t *testing.T) {
	t.Parallel()
	h := newWorld(t, dbtest.SQLite(t))
	for from, begins := range map[string]bool{"": true, "none": true, "same-origin": true, "same-site": false, "cross-site": false} {
		t.Run("SE-09 LG-04 from "+from, func(t *testing.T) {
			reply := h.Call(t, http.MethodGet, "/wps/session/outside/google/start?return=%2Fm%2Fhome", nil, "Sec-Fetch-Site", from)
			to, kept := reply.Header.Get("Location"), reply.Header.Get("Set-Cookie")
			if begins && (!strings.HasPrefix(to, h.provider.URL) || kept == "") {
				t.Errorf("led to %s", to)
			}
			if !begins && (to != "/m/login?return=%2Fm%2Fhome" || kept != "") {
				t.Errorf("led to %s, with cookie %q", to, kept)
			}
		})
	}
}
