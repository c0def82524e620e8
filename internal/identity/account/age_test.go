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

func TestPP08RegistrationStoresAge(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		visitor := rest.VisitorOf(t.Context())
		newestMember := func() (id int64) {
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT MAX(id) FROM member").Scan(&id); err != nil {
				t.Fatal(err)
			}
			return id
		}
		for name, register := range map[string]func() (int64, error){
			"with a username": func() (int64, error) {
				wantCode(t, "register", h.Call(t, "PUT", registerByNamePath, registration("minhanh92")), "")
				return newestMember(), nil
			},
			"with a mobile number": func() (int64, error) {
				number := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
				wantCode(t, "send a code", h.Call(t, "POST", "/wps/verification/sms/noLogin", number, "ModuleId", "REGMOBVERF3"), "")
				b := registration("thanhtung").with("mobileNum", "0987654321").with("moduleId", "MOBILENUMREG3")
				wantCode(t, "register", h.Call(t, "PUT", registerByMobilePath, b.with("verificationCode", h.code(t, "+84987654321"))), "")
				return newestMember(), nil
			},
			"with an external account": func() (int64, error) {
				return h.members.RegisterExternal(t.Context(), h.ID, true, "", visitor, func(*db.Tx, int64) error { return nil })
			},
			"with a trial account": func() (int64, error) { return h.members.BeginTrial(t.Context(), h.ID, true, visitor) },
		} {
			h.Clock.Add(time.Minute)
			id, err := register()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			row, err := store.Q().MemberByID(t.Context(), id)
			if err != nil || row.AgeConfirmedAt.Int64 != db.Millis(h.Clock.Now()) || row.AgeConfirmed != 18 {
				t.Errorf("%s: age %d confirmed at %+v, %v, want 18 at the current time", name, row.AgeConfirmed, row.AgeConfirmedAt, err)
			}
			if err := h.members.CheckAge(t.Context(), h.ID, id); err != nil {
				t.Errorf("%s: CheckAge = %v, want nil", name, err)
			}
		}
	})
}

func TestPP08MemberConfirmsAgeLater(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		if err := h.members.CheckAge(t.Context(), h.ID, id); err == nil {
			t.Error("CheckAge = nil for a member created by an operator, want ErrAge")
		}
		confirm := func(b body) merchanttest.Reply {
			return h.Call(t, "PUT", "/wps/member/age", b, "Authorization", token)
		}
		merchanttest.Want(t, confirm(body{"ageConfirmed": false}), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"register.age_required","field":"ageConfirmed","args":{"age":"18"}}`)
		firstConfirmation := h.Clock.Now()
		for range 2 {
			merchanttest.Want(t, confirm(body{"ageConfirmed": true}), http.StatusOK, `{"success":true,"value":{}}`)
			h.Clock.Add(time.Minute)
		}
		row, err := store.Q().MemberByID(t.Context(), id)
		if err != nil || row.AgeConfirmedAt.Int64 != db.Millis(firstConfirmation) {
			t.Errorf("confirmed at %+v, %v, want the time of the first confirmation", row.AgeConfirmedAt, err)
		}
	})
}

func TestPP08HigherAgeLimitRequiresNewConfirmation(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	confirm := func() merchanttest.Reply {
		return h.Call(t, "PUT", "/wps/member/age", body{"ageConfirmed": true}, "Authorization", token)
	}
	checkWithLimit := func(limit string) error {
		h.set(t, "system.age_limit", limit)
		return h.members.CheckAge(t.Context(), h.ID, id)
	}
	wantOK(t, "confirm 18", confirm())
	if err := checkWithLimit("18"); err != nil {
		t.Errorf("CheckAge with limit 18 = %v, want nil", err)
	}
	var f *fault.Fault
	if err := checkWithLimit("21"); !errors.As(err, &f) || f.Code != member.ErrAge.Code || f.Args["age"] != "21" {
		t.Errorf("CheckAge with limit 21 = %v, want ErrAge", err)
	}
	h.Clock.Add(time.Minute)
	wantOK(t, "confirm 21", confirm())
	secondConfirmation := h.Clock.Now()
	h.Clock.Add(time.Minute)
	for _, limit := range []string{"21", "18"} {
		if err := checkWithLimit(limit); err != nil {
			t.Errorf("CheckAge with limit %s = %v, want nil", limit, err)
		}
		wantOK(t, "confirm again", confirm())
	}
	row, err := h.Store.Q().MemberByID(t.Context(), id)
	if err != nil || row.AgeConfirmed != 21 || row.AgeConfirmedAt.Int64 != db.Millis(secondConfirmation) {
		t.Errorf("age %d confirmed at %+v, %v, want 21 at the second confirmation", row.AgeConfirmed, row.AgeConfirmedAt, err)
	}
}
