package account_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// Every way to become a member that asks for the age keeps when it was confirmed, and which; a command asks nobody.
func TestPP08AgeIsKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		visitor := rest.VisitorOf(t.Context())
		newest := func() (id int64) {
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT MAX(id) FROM member").Scan(&id); err != nil {
				t.Fatal(err)
			}
			return id
		}
		for name, way := range map[string]func() (int64, error){
			"by username": func() (int64, error) {
				wantCode(t, "by username", h.Call(t, "PUT", byName, registration("minhanh92")), "")
				return newest(), nil
			},
			"by mobile number": func() (int64, error) {
				ask := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
				wantCode(t, "a code", h.Call(t, "POST", "/wps/verification/sms/noLogin", ask, "ModuleId", "REGMOBVERF3"), "")
				b := registration("thanhtung").with("mobileNum", "0987654321").with("moduleId", "MOBILENUMREG3")
				wantCode(t, "by mobile", h.Call(t, "PUT", byMobile, b.with("verificationCode", h.code(t, "+84987654321"))), "")
				return newest(), nil
			},
			"by an external account": func() (int64, error) {
				return h.members.RegisterExternal(t.Context(), h.ID, true, "", visitor, func(*db.Tx, int64) error { return nil })
			},
			"on trial": func() (int64, error) { return h.members.BeginTrial(t.Context(), h.ID, true, visitor) },
		} {
			h.Clock.Add(time.Minute)
			id, err := way()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			row, err := store.Q().MemberByID(t.Context(), id)
			if err != nil || row.AgeConfirmedAt.Int64 != db.Millis(h.Clock.Now()) || row.AgeConfirmed != 18 {
				t.Errorf("%s: %+v, %d, %v", name, row.AgeConfirmedAt, row.AgeConfirmed, err)
			}
			if err := h.members.OfAge(t.Context(), h.ID, id); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A member whom nobody has asked confirms once, and the first time counts.
func TestPP08AgeIsConfirmedAfterwards(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		if err := h.members.OfAge(t.Context(), h.ID, id); err == nil {
			t.Error("made by a command, and not asked")
		}
		confirm := func(b body) merchanttest.Reply {
			return h.Call(t, "PUT", "/wps/member/age", b, "Authorization", token)
		}
		merchanttest.Want(t, confirm(body{"ageConfirmed": false}), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"register.age_required","field":"ageConfirmed","args":{"age":"18"}}`)
		first := h.Clock.Now()
		for range 2 {
			merchanttest.Want(t, confirm(body{"ageConfirmed": true}), http.StatusOK, `{"success":true,"value":{}}`)
			h.Clock.Add(time.Minute)
		}
		row, err := store.Q().MemberByID(t.Context(), id)
		if err != nil || row.AgeConfirmedAt.Int64 != db.Millis(first) {
			t.Errorf("%+v %v", row.AgeConfirmedAt, err)
		}
	})
}

// Who confirmed 18 has not confirmed 21: they are asked again, and who confirmed 21 is old enough for both.
func TestPP08AHigherAgeIsAskedForAgain(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	confirm := func() merchanttest.Reply {
		return h.Call(t, "PUT", "/wps/member/age", body{"ageConfirmed": true}, "Authorization", token)
	}
	ask := func(limit string) error {
		h.set(t, "system.age_limit", limit)
		return h.members.OfAge(t.Context(), h.ID, id)
	}
	wantOK(t, "18", confirm())
	if err := ask("18"); err != nil {
		t.Error(err)
	}
	var f *fault.Fault
	if err := ask("21"); !errors.As(err, &f) || f.Code != member.ErrAge.Code || f.Args["age"] != "21" {
		t.Errorf("of 21: %v", err)
	}
	h.Clock.Add(time.Minute)
	wantOK(t, "21", confirm())
	second := h.Clock.Now()
	h.Clock.Add(time.Minute)
	for _, limit := range []string{"21", "18"} {
		if err := ask(limit); err != nil {
			t.Errorf("of %s: %v", limit, err)
		}
		wantOK(t, "once more", confirm())
	}
	row, err := h.Store.Q().MemberByID(t.Context(), id)
	if err != nil || row.AgeConfirmed != 21 || row.AgeConfirmedAt.Int64 != db.Millis(second) {
		t.Errorf("%d at %+v, %v", row.AgeConfirmed, row.AgeConfirmedAt, err)
	}
}
