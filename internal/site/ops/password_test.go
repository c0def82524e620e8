package ops_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/ops"
)

type changeReply struct {
	Password string
	Approval *struct{ ID, State string }
}

// act sends an action on an operator with the operator's current version.
func (p *person) act(name, action string, body map[string]any) merchanttest.Reply {
	p.d.t.Helper()
	operators, err := p.d.ops.List(p.d.t.Context())
	if err != nil {
		p.d.t.Fatal(err)
	}
	o := operators[slices.IndexFunc(operators, func(o ops.Operator) bool { return o.Name == name })]
	all := map[string]any{"version": o.Version}
	for key, value := range body {
		all[key] = value
	}
	return p.call(http.MethodPost, fmt.Sprintf("/ops/v1/operators/%d/%s", o.ID, action), all)
}

// An owner cannot take over the account of the second person. The only enabled owner needs no second person.
func TestOneOwnerCannotBeBothPeople(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		lan := d.create("lan", "owner").logIn()
		minh := d.create("minh", "owner").logIn()
		lan.confirm()
		if got := merchanttest.Value[changeReply](t, lan.act("minh", "reset-totp", nil)); got.Approval == nil || got.Approval.State != "waiting" {
			t.Fatalf("reset-totp by one of two owners = %+v, want an approval that waits", got)
		}
		minh.wantStatus(minh.call(http.MethodGet, "/ops/v1/session", nil), 200, "")

		hoa := d.create("hoa", "owner").logIn()
		hoa.confirm()
		lan.wantStatus(lan.act("minh", "disable", nil), 200, "")
		if got := merchanttest.Value[changeReply](t, lan.act("minh", "enable", nil)); got.Approval == nil {
			t.Error("one of two owners enabled an operator, want that it waits")
		}
		lan.wantStatus(lan.act("hoa", "disable", nil), 200, "")
		if got := merchanttest.Value[changeReply](t, lan.act("minh", "enable", nil)); got.Approval != nil {
			t.Errorf("enable by the only owner = %+v, want that it takes effect at once", got)
		}
	})
}

// Wrong codes are limited over all sessions and networks, although the password is right each time. The operator can still
// log in from a network used recently.
func TestSE02WrongCodesAreLimitedPart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	lan := d.create("lan", "owner").logIn()
	tried := 0
	for i := range 60 {
		d.Refill()
		from := fmt.Sprintf("203.%d.%d.1", i%3, i)
		login := d.Call(t, http.MethodPost, "/ops/v1/session", map[string]any{"name": "lan", "password": lan.password}, "X-Forwarded-For", from)
		cookie := (&http.Response{Header: login.Header}).Cookies()[0].Value
		r := d.Call(t, http.MethodPost, "/ops/v1/session/code", map[string]any{"code": "000000"}, "X-Forwarded-For", from, "Cookie", "fairground_operator="+cookie)
		switch r.Status {
		case http.StatusUnprocessableEntity:
			tried++
		case http.StatusTooManyRequests:
		default:
			t.Fatalf("wrong code %d: %d %s, want 422 or 429", i, r.Status, r.Body)
		}
	}
	if tried > 15 {
		t.Errorf("%d of 60 wrong codes were compared, want at most 15", tried)
	}
	lan.logIn()
}

// The session says whether another person knows the password. The console then asks for a new one. Tools may keep it.
func TestGivenPasswordIsChanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		lan := d.create("lan", "owner").logIn().confirm()
		created := merchanttest.Value[changeReply](t, lan.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "hoa", "roles": []string{"owner"}}))
		hoa := (&person{d: d, name: "hoa", password: created.Password}).logIn()
		type session struct {
			Operator struct{ MustChangePassword bool }
		}
		if got := merchanttest.Value[session](t, hoa.call(http.MethodGet, "/ops/v1/session", nil)); !got.Operator.MustChangePassword {
			t.Error("mustChangePassword = false at the first login, want true")
		}
		hoa.confirm()
		hoa.wantStatus(hoa.call(http.MethodGet, "/ops/v1/tasks", nil), 200, "")
		hoa.wantStatus(hoa.call(http.MethodDelete, "/ops/v1/session", nil), 200, "")
		hoa.logIn()
		const path = "/ops/v1/session/password"
		hoa.wantStatus(hoa.call(http.MethodPost, path, map[string]any{"oldPassword": "wrong", "newPassword": "a long new password"}), 422, "ops.password_wrong")
		hoa.wantStatus(hoa.call(http.MethodPost, path, map[string]any{"oldPassword": hoa.password, "newPassword": hoa.password}), 422, "ops.password_same")
		hoa.wantStatus(hoa.call(http.MethodPost, path, map[string]any{"oldPassword": hoa.password, "newPassword": "short"}), 400, "")
		old := hoa.password
		hoa.changePassword()
		if got := merchanttest.Value[session](t, hoa.call(http.MethodGet, "/ops/v1/session", nil)); got.Operator.MustChangePassword {
			t.Error("mustChangePassword = true after the change, want false")
		}
		hoa.wantStatus(hoa.call(http.MethodGet, "/ops/v1/operators", nil), 200, "")
		hoa.wantStatus(hoa.call(http.MethodPost, "/ops/v1/session", map[string]any{"name": "hoa", "password": old}), 401, "ops.login")

		t.Run("later changes need a code and end the other sessions", func(t *testing.T) {
			hoa.logIn()
			other := (&person{d: d, name: "hoa", password: hoa.password, secret: hoa.secret}).logIn()
			hoa.wantStatus(hoa.call(http.MethodPost, path, map[string]any{"oldPassword": hoa.password, "newPassword": "another long password"}), 403, "ops.confirm")
			hoa.confirm()
			hoa.wantStatus(hoa.call(http.MethodPost, path, map[string]any{"oldPassword": hoa.password, "newPassword": "another long password"}), 200, "")
			hoa.wantStatus(hoa.call(http.MethodGet, "/ops/v1/session", nil), 200, "")
			other.wantStatus(other.call(http.MethodGet, "/ops/v1/session", nil), 401, "login.not.session")
		})
		t.Run("a password reset by a command", func(t *testing.T) {
			password, err := d.ops.ResetPassword(t.Context(), "hoa")
			if err != nil {
				t.Fatal(err)
			}
			hoa.password = password
			hoa.logIn()
			if got := merchanttest.Value[session](t, hoa.call(http.MethodGet, "/ops/v1/session", nil)); !got.Operator.MustChangePassword {
				t.Error("mustChangePassword = false after a reset, want true")
			}
		})
	})
}
