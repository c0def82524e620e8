package session_test

import (
	"slices"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

type listedSession struct {
	ID, Device, Address string
	CreatedAt, SeenAt   int64
	Current             bool
}

func (s *loginSite) list(t *testing.T, token string) []listedSession {
	t.Helper()
	return merchanttest.Value[[]listedSession](t, s.Call(t, "GET", "/wps/session/list", nil, "Authorization", token))
}

func (s *loginSite) stranger(t *testing.T) string {
	t.Helper()
	_, err := s.members.Create(t.Context(), member.NewMember{
		MerchantID: s.ID, Username: "stranger1", Password: "qua-xanh7", Type: member.Player, Currency: "VND", Language: "vi",
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: "stranger1", Password: "qua-xanh7"})
	if err != nil {
		t.Fatal(err)
	}
	return g.Token
}

func TestListShowsMaskedAddressAndCountry(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, dbtest.SQLite(t))
	for address, want := range map[string]session.ActiveSession{
		"192.0.2.7": {Address: "192.0.*.*"}, "::ffff:192.0.2.7": {Address: "192.0.*.*"}, "2001:db8:7:8:9::1": {Address: "2001:db8:7:*"},
		"::1": {Address: "0:0:0:*"}, "": {}, "@": {},
		"198.51.100.7": {Address: "198.51.*.*", Country: "BR"}, "::ffff:198.51.100.7": {Address: "198.51.*.*", Country: "BR"},
		"203.0.113.7": {Address: "203.0.*.*"}, // the lookup of its country fails
	} {
		c := s.credentials()
		c.Address = address
		s.Clock.Add(time.Second)
		if _, err := s.sessions.Login(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		list, err := s.sessions.List(t.Context(), rest.Caller{MemberID: s.memberID, MerchantID: s.ID})
		if err != nil || list[0].Address != want.Address || list[0].Country != want.Country {
			t.Errorf("%q: address = %q, country = %q, %v, want address %v and country %v", address, list[0].Address, list[0].Country, err, want.Address, want.Country)
		}
	}
}

func TestListAndEndOwnSessions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := serveRoutes(t, store)
		s.Exec(t, "UPDATE member SET first_time_login = FALSE")
		idle := s.loginOverHTTP(t)
		s.Clock.Add(20 * time.Minute)
		phone := s.loginOverHTTP(t)
		s.Clock.Add(11 * time.Minute)
		here := s.loginOverHTTP(t)
		list := s.list(t, here)
		if len(list) != 2 || !list[0].Current || list[1].Current || list[0].CreatedAt != db.Millis(s.Clock.Now()) {
			t.Fatalf("list = %+v, want two sessions, the current one first and made now", list)
		}
		merchanttest.Want(t, s.Call(t, "GET", "/wps/session/list", nil, "Authorization", here), 200,
			`{"success":true,"value":[
				{"id":"(varies)","device":"","address":"192.0.*.*","createdAt":1773482273000,"seenAt":1773482273000,"current":true},
				{"id":"(varies)","device":"","address":"192.0.*.*","createdAt":1773481613000,"seenAt":1773481613000,"current":false}]}`, "id")
		other := list[1].ID
		stranger := s.stranger(t)
		merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/"+other, nil, "Authorization", stranger), 404, sessionUnknown)
		for _, id := range []string{"0", "x", "99999999999999999999", "%2e"} {
			merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/"+id, nil, "Authorization", here), 404, sessionUnknown)
		}
		if !alive(t, s.sessions, phone) {
			t.Fatal("another member ended the session")
		}
		merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/"+other, nil, "Authorization", here), 200, success)
		if alive(t, s.sessions, phone) || !alive(t, s.sessions, here) {
			t.Error("the wrong session was ended")
		}
		merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/"+other, nil, "Authorization", here), 404, sessionUnknown) // already ended

		more := []string{s.loginOverHTTP(t), s.loginOverHTTP(t)}
		merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/others", nil, "Authorization", here), 200, success)
		if slices.ContainsFunc(append(more, idle), func(token string) bool { return alive(t, s.sessions, token) }) {
			t.Error("other sessions are still alive")
		}
		if !alive(t, s.sessions, here) || !alive(t, s.sessions, stranger) {
			t.Error("too many sessions were ended")
		}
		for _, call := range [][2]string{{"GET", "/wps/session/list"}, {"DELETE", "/wps/session/others"}, {"DELETE", "/wps/session/1"}} {
			merchanttest.Want(t, s.Call(t, call[0], call[1], nil), 401, noSession)
		}
	})
}
