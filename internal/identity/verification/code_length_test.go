package verification_test

import (
	"regexp"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
)

// A code stays valid when the merchant changes the number of digits.
func TestVA02CodeSurvivesLengthChange(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"6", "8"}, {"8", "6"}} {
		t.Run("VA-02 part: a code survives a change from "+c[0]+" to "+c[1]+" digits", func(t *testing.T) {
			t.Parallel()
			s := newCodeSite(t, dbtest.SQLite(t), nil)
			set := func(digits string) {
				t.Helper()
				if err := s.Merchants.Set(t.Context(), s.ID, merchant.CodeDigits, []byte(digits)); err != nil {
					t.Fatal(err)
				}
			}
			set(c[0])
			subject := s.subject(memberNumber)
			s.request(t, subject, true)
			rows, err := s.Store.Q().LocalDispatches(t.Context())
			if err != nil || len(rows) != 1 {
				t.Fatalf("%d messages, %v, want 1", len(rows), err)
			}
			set(c[1])
			if err := s.codes.Check(t.Context(), subject, noNetwork, regexp.MustCompile(`\b[0-9]{`+c[0]+`}\b`).FindString(rows[0].Body)); err != nil {
				t.Errorf("Check: got %v, want no error", err)
			}
		})
	}
}
