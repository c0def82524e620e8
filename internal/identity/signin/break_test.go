package signin_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// What a service says to be somebody's own address is asked about: no break is left by coming another way. What it does not
// vouch for says nothing of who it is.
func TestPP07NobodyOnABreakJoinsByAnExternalAccount(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"google", "facebook"} {
		t.Run("PP-07 by "+name, func(t *testing.T) {
			t.Parallel()
			h := newWorld(t, dbtest.SQLite(t))
			h.barred = "an@example.com"
			for _, c := range []struct {
				email    string
				verified bool
				want     error
			}{{"an@example.com", true, errBarred}, {"an@example.com", false, nil}, {"binh@example.com", true, nil}, {"", true, nil}} {
				h.provider.person, h.provider.email, h.provider.verified = name+c.email+fmt.Sprint(c.verified), c.email, c.verified
				b := &browser{h: h}
				if _, err := b.enter(t, b.through(t, name, "").Get("ticket"), true); !errors.Is(err, c.want) {
					t.Errorf("%+v: %v", c, err)
				}
			}
		})
	}
}

// The address is kept for the day on which somebody takes a break: with the first login, and with each that tells another.
func TestPP07TheProvedAddressOfAnExternalAccountIsKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newWorld(t, store)
		for _, name := range []string{"google", "facebook"} {
			t.Run("PP-07 by "+name, func(t *testing.T) {
				h.provider.person = "kept " + name
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
					id, err := b.enter(t, b.through(t, name, "").Get("ticket"), true)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := store.Q().ExternalEmails(t.Context(), id); err != nil || strings.Join(got, " ") != c.want {
						t.Errorf("%+v: %q, %v", c, got, err)
					}
				}
				h.provider.person, h.provider.email, h.provider.verified = "told at once "+name, "Binh@example.com", true
				b := &browser{h: h}
				id, err := b.enter(t, b.through(t, name, "").Get("ticket"), true)
				if got, _ := store.Q().ExternalEmails(t.Context(), id); err != nil || strings.Join(got, " ") != "binh@example.com" {
					t.Errorf("%q, %v", got, err)
				}
			})
		}
	})
}
