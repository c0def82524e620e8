package session_test

import (
	"testing"
	"time"

	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
)

// A login's network counts as known for 30 days. The account is looked up by phone number or e-mail address.
func TestNetworkKnownAfterLogin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		_, err := db.Bind(store.Engine, store.Writer).ExecContext(t.Context(),
			"UPDATE member SET mobile = '+84912345678', email = 'Minh.Anh@example.com' WHERE id = $1", s.memberID)
		if err != nil {
			t.Fatal(err)
		}
		s.login(t)
		merchantID := s.ID
		logins := session.NewLogins(s.Clock.Now)
		known := func(channel notify.Channel, target, network string, merchantID int64) (known bool) {
			t.Helper()
			err := store.Write(t.Context(), func(tx *db.Tx) (err error) {
				known, err = logins.NetworkKnownIn(t.Context(), tx, notify.Subject{MerchantID: merchantID, Channel: channel, Target: target}, network)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return known
		}
		for _, c := range []struct {
			channel         notify.Channel
			target, network string
			merchantID      int64
			want            bool
		}{
			{notify.SMS, "+84912345678", "192.0.2.7", merchantID, true},
			{notify.Email, "Minh.Anh@example.com", "192.0.2.7", merchantID, true},
			{notify.Email, "minh.anh@EXAMPLE.com", "192.0.2.7", merchantID, true},
			{notify.Email, "minh.anh@example.com", "192.0.2.8", merchantID, false},
			{notify.Email, "other@example.com", "192.0.2.7", merchantID, false},
			{notify.Email, "minh.anh@example.com", "192.0.2.7", merchantID + 1, false},
			{notify.SMS, "+84912345679", "192.0.2.7", merchantID, false},
		} {
			if got := known(c.channel, c.target, c.network, c.merchantID); got != c.want {
				t.Errorf("%+v: known = %v, want %v", c, got, c.want)
			}
		}
		s.Clock.Add(30*24*time.Hour + time.Second)
		if known(notify.Email, "minh.anh@example.com", "192.0.2.7", merchantID) {
			t.Error("network is still known after 30 days")
		}
	})
}
