package signin_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A person on a break is recognised by an e-mail address that the provider verified, but not by an unverified one.
func TestPP07PersonOnABreakCannotRegisterExternally(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"google", "facebook"} {
		t.Run("PP-07 by "+name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, dbtest.SQLite(t))
			h.emailOnBreak = "an@example.com"
			for _, c := range []struct {
				email    string
				verified bool
				want     error
			}{{"an@example.com", true, errOnBreak}, {"an@example.com", false, nil}, {"binh@example.com", true, nil}, {"", true, nil}} {
				h.provider.person, h.provider.email, h.provider.verified = name+c.email+fmt.Sprint(c.verified), c.email, c.verified
				b := &browser{h: h}
				if _, err := b.redeem(t, b.completeFlow(t, name, "").Get("ticket"), true); !errors.Is(err, c.want) {
					t.Errorf("%+v: error = %v, want %v", c, err, c.want)
				}
			}
		})
	}
}

// Every login stores the verified address that the provider reports, because the member may take a break later.
func TestPP07VerifiedAddressIsStored(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHarness(t, store)
		for _, name := range []string{"google", "facebook"} {
			t.Run("PP-07 by "+name, func(t *testing.T) {
				h.provider.person = "stored " + name
				for _, c := range []struct {
					email    string
					verified bool
					want     string
				}{
					{"", true, ""}, {"An@Example.com", true, "an@example.com"}, {"an@example.net", true, "an@example.net"},
					{"other@example.com", false, "an@example.net"}, {"", true, "an@example.net"},
				} {
					h.provider.email, h.provider.verified = c.email, c.verified
					b := &browser{h: h}
					id, err := b.redeem(t, b.completeFlow(t, name, "").Get("ticket"), true)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := store.Q().ExternalEmails(t.Context(), id); err != nil || strings.Join(got, " ") != c.want {
						t.Errorf("%+v: stored %q, %v, want %q", c, got, err, c.want)
					}
				}
				h.provider.person, h.provider.email, h.provider.verified = "address at registration "+name, "Binh@example.com", true
				b := &browser{h: h}
				id, err := b.redeem(t, b.completeFlow(t, name, "").Get("ticket"), true)
				if got, _ := store.Q().ExternalEmails(t.Context(), id); err != nil || strings.Join(got, " ") != "binh@example.com" {
					t.Errorf("stored %q, %v, want binh@example.com", got, err)
				}
			})
		}
	})
}
