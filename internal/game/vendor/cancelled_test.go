package vendor_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"fairground/internal/game/vendor"
	"fairground/internal/platform/db/dbtest"
)

// Alerts depend on error logs, so a caller that disconnects is logged at info level.
func TestFT08CancelledCallIsNotLoggedAsError(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := newVendorSite(t, dbtest.SQLite(t), func(o *vendor.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	session := w.openSession(t, "minhanh92")
	ctx, leave := context.WithCancel(t.Context())
	leave()
	body, at := fmt.Sprintf(`{"sessionId":%q}`, session), fmt.Sprint(w.Clock.Now().UnixMilli())
	r := httptest.NewRequestWithContext(ctx, "POST", "/vendor/v1/balance", strings.NewReader(body))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Vendor": "TEST", "X-Key": w.key.KeyID, "X-Timestamp": at, "X-Signature": vendor.Sign([]byte(w.key.Key), at, "/vendor/v1/balance", []byte(body)),
	} {
		r.Header.Set(name, value)
	}
	w.Handler().ServeHTTP(httptest.NewRecorder(), r)
	if text := log.String(); strings.Contains(text, "level=ERROR") || !strings.Contains(text, "level=INFO msg=\"vendor call\"") {
		t.Errorf("log = %s, want info level only", text)
	}
}
