package verification_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
)

// A member may send codes to ten targets per hour, across all networks.
func TestSE02CodesPerMemberAreLimited(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	s.serveRoutes(t)
	attempts := 0
	send := func() int {
		attempts++
		path, b := "sms", bindRequest{MobileNum: fmt.Sprintf("09870000%02d", attempts), DialingCode: "84", Purpose: "bind"}
		if attempts%2 == 0 {
			path, b = "email", bindRequest{Email: fmt.Sprintf("a%d@mail.example", attempts), Purpose: "bind"}
		}
		return s.Call(t, "POST", "/wps/verification/"+path, b, "Authorization", "real", "X-Forwarded-For", fmt.Sprintf("10.0.%d.7", attempts)).Status
	}
	for range 10 {
		if status := send(); status != http.StatusOK {
			t.Fatalf("code %d: status = %d, want 200", attempts, status)
		}
	}
	if status := send(); status != http.StatusTooManyRequests {
		t.Errorf("SE-02 eleventh code in an hour: status = %d, want 429", status)
	}
	if n := s.messagesSent(t); n != 10 {
		t.Errorf("%d messages, want 10", n)
	}
	subject := notify.Subject{MerchantID: s.ID, Channel: notify.SMS, Target: "+84987000099", Purpose: notify.ForBind}
	if _, err := s.codes.SendToMember(t.Context(), 77, subject, rest.Visitor{Network: "10.9.9.9", Language: "vi"}, true); err != nil {
		t.Errorf("other member: %v", err)
	}
	s.Clock.Add(6 * time.Minute) // the limit refills by one every six minutes
	if status := send(); status != http.StatusOK {
		t.Errorf("six minutes later: status = %d, want 200", status)
	}
}
