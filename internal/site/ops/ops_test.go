package ops_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/ops"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var generatedPassword = regexp.MustCompile(`^[a-z2-7]{6}-[a-z2-7]{6}-[a-z2-7]{6}-[a-z2-7]{6}$`)

// An opsSite is a site with helpers for operators' requests.
type opsSite struct {
	*servertest.Site

	t   *testing.T
	ops *ops.Service
}

func newOpsSite(t *testing.T, store *db.Store, changes ...func(*server.Options)) *opsSite {
	t.Helper()
	site := servertest.New(t, store, servertest.Options(func(o *server.Options) {
		o.Demo = false
		for _, change := range changes {
			change(o)
		}
	}))
	return &opsSite{site, t, site.Server.Operators}
}

// A person is an operator with an authenticator app and a browser.
type person struct {
	d                      *opsSite
	name, password, secret string
	cookie                 string
	recovery               []string
}

// create adds an operator with roles, without an approval.
func (d *opsSite) create(name string, roles ...string) *person {
	d.t.Helper()
	return d.createForMerchant(name, 0, roles...)
}

// createForMerchant is create for an operator of one merchant.
func (d *opsSite) createForMerchant(name string, merchantID int64, roles ...string) *person {
	d.t.Helper()
	draft, password, err := d.ops.NewDraft(d.t.Context(), name, roles, merchantID)
	draft.Given = false // tests of the first login change the password, others do not
	if err == nil {
		err = d.Store.Write(d.t.Context(), func(tx *db.Tx) error { return d.ops.CreateIn(d.t.Context(), tx, draft) })
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return &person{d: d, name: name, password: password}
}

// change changes an operator without a request.
func (d *opsSite) change(name, change string, roles ...string) error {
	_, err := d.ops.RequestChange(d.t.Context(), name, change, 0, roles)
	return err
}

func (p *person) changePassword() *person {
	p.d.t.Helper()
	next := "the new password of " + p.name
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/session/password", map[string]any{"oldPassword": p.password, "newPassword": next}), 200, "")
	p.password = next
	return p
}

// call sends a request with the person's cookie and keeps the cookie that the reply sets.
func (p *person) call(method, path string, body any) merchanttest.Reply {
	p.d.t.Helper()
	p.d.Refill()
	r := p.d.Call(p.d.t, method, path, body, "Cookie", "fairground_operator="+p.cookie)
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if c.Name == "fairground_operator" {
			p.cookie = c.Value
		}
	}
	return r
}

// code advances the clock and returns the authenticator's code, which has not been used yet.
func (p *person) code() string {
	p.d.t.Helper()
	p.d.Clock.Add(30 * time.Second)
	return p.codeAt(p.d.Clock.Now())
}

func (p *person) codeAt(at time.Time) string {
	p.d.t.Helper()
	code, err := totp.GenerateCode(p.secret, at)
	if err != nil {
		p.d.t.Fatal(err)
	}
	return code
}

// logIn enters password and code, and enrols the first time.
func (p *person) logIn() *person {
	p.d.t.Helper()
	type step struct {
		Step, Secret  string
		RecoveryCodes []string
	}
	got := merchanttest.Value[step](p.d.t, p.call(http.MethodPost, "/ops/v1/session", map[string]any{"name": p.name, "password": p.password}))
	if got.Step == "enrol" {
		p.secret = got.Secret
	}
	done := merchanttest.Value[step](p.d.t, p.call(http.MethodPost, "/ops/v1/session/code", map[string]any{"code": p.code()}))
	if done.Step != "done" {
		p.d.t.Fatalf("login of %s ended with the step %q, want done", p.name, done.Step)
	}
	p.recovery = append(p.recovery, done.RecoveryCodes...)
	return p
}

func (p *person) confirm() *person {
	p.d.t.Helper()
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/session/confirm", map[string]any{"code": p.code()}), 200, "")
	return p
}

func (p *person) wantStatus(r merchanttest.Reply, status int, code string) {
	p.d.t.Helper()
	if r.Status != status || code != "" && !strings.Contains(string(r.Body), `"errorCode":"`+code+`"`) {
		p.d.t.Errorf("reply = %d %s, want %d %s", r.Status, r.Body, status, code)
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		lan := d.create("lan", "owner")
		enrol := lan.call(http.MethodPost, "/ops/v1/session", map[string]any{"name": "Lan", "password": lan.password})
		type step struct{ Step, Secret, OTPAuth string }
		first := merchanttest.Value[step](t, enrol)
		if first.Step != "enrol" || len(first.Secret) != 32 || !strings.HasPrefix(first.OTPAuth, "otpauth://totp/Fairground:lan?") || !strings.Contains(first.OTPAuth, "secret="+first.Secret) {
			t.Fatalf("first step = %+v, want an enrolment", first)
		}
		cookie := enrol.Header.Get("Set-Cookie")
		for _, part := range []string{"HttpOnly", "SameSite=Strict", "Path=/ops"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("cookie %q lacks %s", cookie, part)
			}
		}
		lan.secret = first.Secret
		lan.wantStatus(lan.call(http.MethodGet, "/ops/v1/session", nil), 401, "login.not.session")
		lan.wantStatus(lan.call(http.MethodPost, "/ops/v1/session/code", map[string]any{"code": "000000"}), 422, "ops.code")
		used := lan.code()
		oldCookie := lan.cookie
		lan.wantStatus(lan.call(http.MethodPost, "/ops/v1/session/code", map[string]any{"code": used}), 200, "")
		if lan.cookie == oldCookie {
			t.Error("the token did not change after the code")
		}
		type sessionReply struct {
			Operator struct {
				Name        string
				Permissions []string
			}
		}
		if got := merchanttest.Value[sessionReply](t, lan.call(http.MethodGet, "/ops/v1/session", nil)); got.Operator.Name != "lan" || len(got.Operator.Permissions) != len(permission.All) {
			t.Errorf("session = %+v, want lan with all permissions", got)
		}

		t.Run("a code works once, within its time step, and only for its operator", func(t *testing.T) {
			again := &person{d: d, name: "lan", password: lan.password, secret: lan.secret}
			again.wantStatus(again.call(http.MethodPost, "/ops/v1/session", map[string]any{"name": "lan", "password": lan.password}), 200, "")
			hoa := d.create("hoa", "support").logIn()
			for what, code := range map[string]string{
				"used": used, "late": again.codeAt(d.Clock.Now().Add(-90 * time.Second)), "early": again.codeAt(d.Clock.Now().Add(90 * time.Second)),
				"of another operator": hoa.codeAt(d.Clock.Now()),
			} {
				if r := again.call(http.MethodPost, "/ops/v1/session/code", map[string]any{"code": code}); r.Status != 422 {
					t.Errorf("code that is %s: %d, want 422", what, r.Status)
				}
			}
			again.wantStatus(again.call(http.MethodPost, "/ops/v1/session/code", map[string]any{"code": "000000"}), 422, "ops.code")
			again.wantStatus(again.call(http.MethodPost, "/ops/v1/session/code", map[string]any{"code": again.code()}), 401, "login.not.session")
		})
		t.Run("a recovery code works once", func(t *testing.T) {
			binh := d.create("binh", "support").logIn()
			if len(binh.recovery) != 10 {
				t.Fatalf("%d recovery codes, want 10", len(binh.recovery))
			}
			for _, attempt := range []struct {
				code string
				want int
			}{{binh.recovery[3], 200}, {binh.recovery[3], 422}, {strings.ToUpper(binh.recovery[4]), 200}} {
				binh.wantStatus(binh.call(http.MethodPost, "/ops/v1/session", map[string]any{"name": "binh", "password": binh.password}), 200, "")
				binh.wantStatus(binh.call(http.MethodPost, "/ops/v1/session/code", map[string]any{"code": attempt.code}), attempt.want, "")
			}
		})
	})
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		d.create("lan", "owner")
		for what, endSession := range map[string]func(name string) error{
			"after 30 idle minutes":   func(string) error { d.Clock.Add(30*time.Minute + time.Second); return nil },
			"by a new password":       func(name string) error { _, err := d.ops.ResetPassword(t.Context(), name); return err },
			"by a disabled account":   func(name string) error { return d.change(name, "disable") },
			"by a lost authenticator": func(name string) error { return d.change(name, "reset-totp") },
			"by a role change":        func(name string) error { return d.change(name, "roles", "auditor") },
		} {
			name := strings.ReplaceAll(what, " ", "")[:8] + "x"
			p := d.create(name, "support").logIn()
			p.wantStatus(p.call(http.MethodGet, "/ops/v1/session", nil), 200, "")
			if err := endSession(name); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if r := p.call(http.MethodGet, "/ops/v1/session", nil); r.Status != 401 {
				t.Errorf("session that ended %s: %d, want 401", what, r.Status)
			}
		}
		p := d.create("minh", "support").logIn()
		for range 26 { // used all the time, for more than 12 hours
			d.Clock.Add(28 * time.Minute)
			p.call(http.MethodGet, "/ops/v1/session", nil)
		}
		p.wantStatus(p.call(http.MethodGet, "/ops/v1/session", nil), 401, "login.not.session")
		p.logIn()
		p.wantStatus(p.call(http.MethodDelete, "/ops/v1/session", nil), 200, "")
		p.wantStatus(p.call(http.MethodGet, "/ops/v1/session", nil), 401, "login.not.session")
	})
}

// Wrong passwords are limited. An operator can still log in from a network used recently while strangers try passwords elsewhere.
func TestSE02WrongPasswordsAreLimitedPart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	lan := d.create("lan", "owner").logIn()
	limited := 0
	for i := range 60 {
		d.Refill()
		from := "203.0." + string(rune('0'+i/10)) + "." + string(rune('1'+i%9))
		r := d.Call(t, http.MethodPost, "/ops/v1/session", map[string]any{"name": "lan", "password": "wrong"}, "X-Forwarded-For", from)
		unknown := d.Call(t, http.MethodPost, "/ops/v1/session", map[string]any{"name": "nobody", "password": "wrong"}, "X-Forwarded-For", from)
		if r.Status == 429 {
			limited++
		}
		if r.Status != unknown.Status {
			t.Errorf("attempt %d: %d for an operator, %d for an unknown name, want the same", i, r.Status, unknown.Status)
		}
	}
	if limited == 0 {
		t.Error("60 wrong passwords from many networks were not limited")
	}
	lan.logIn()
}

func TestDangerousRequestsNeedConfirmation(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	lan := d.create("lan", "owner").logIn()
	create := map[string]any{"name": "minh", "roles": []string{"support"}}
	lan.wantStatus(lan.call(http.MethodPost, "/ops/v1/operators", create), 403, "ops.confirm")
	lan.wantStatus(lan.call(http.MethodPost, "/ops/v1/session/confirm", map[string]any{"code": "123456"}), 422, "ops.code")
	lan.confirm()
	lan.wantStatus(lan.call(http.MethodPost, "/ops/v1/operators", create), 200, "")
	d.Clock.Add(5 * time.Minute)
	create["name"] = "hoa"
	lan.wantStatus(lan.call(http.MethodPost, "/ops/v1/operators", create), 403, "ops.confirm")
}

func TestApprovalByTwoPeople(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		lan := d.create("lan", "owner").logIn().confirm()
		type reply struct {
			Password string
			Approval *struct{ ID, State string }
		}
		// With only one owner, the change takes effect immediately and the audit log says so.
		single := merchanttest.Value[reply](t, lan.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "minh", "roles": []string{"owner"}}))
		if single.Approval != nil {
			t.Fatalf("with one owner the change waits: %+v", single)
		}
		minh := (&person{d: d, name: "minh", password: single.Password}).logIn()
		minh.changePassword().confirm()
		lan.confirm()
		waiting := merchanttest.Value[reply](t, lan.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "hoa", "roles": []string{"finance"}}))
		if waiting.Approval == nil || waiting.Approval.State != "waiting" {
			t.Fatalf("with two owners = %+v, want an approval that waits", waiting)
		}
		path := "/ops/v1/approvals/" + waiting.Approval.ID
		approve := map[string]any{"decision": "approve"}
		hoa := &person{d: d, name: "hoa", password: waiting.Password}
		hoa.wantStatus(hoa.call(http.MethodPost, "/ops/v1/session", map[string]any{"name": "hoa", "password": hoa.password}), 401, "ops.login")
		other := (&person{d: d, name: "lan", password: lan.password, secret: lan.secret}).logIn().confirm() // the same person in another browser
		other.wantStatus(other.call(http.MethodPost, path, approve), 403, "ops.same_person")
		support := d.create("binh", "support").logIn().confirm()
		support.wantStatus(support.call(http.MethodPost, path, approve), 403, "ops.forbidden")
		minh.confirm()
		minh.wantStatus(minh.call(http.MethodPost, path, approve), 200, "")
		minh.wantStatus(minh.call(http.MethodPost, path, approve), 409, "ops.decided")
		hoa.logIn()

		t.Run("an approval whose object changed fails", func(t *testing.T) {
			lan.confirm()
			list := merchanttest.Value[struct {
				List []struct {
					ID, Name string
					Version  int64
				}
			}](t, lan.call(http.MethodGet, "/ops/v1/operators", nil))
			for _, o := range list.List {
				if o.Name != "hoa" {
					continue
				}
				change := merchanttest.Value[reply](t, lan.call(http.MethodPost, "/ops/v1/operators/"+o.ID+"/roles", map[string]any{"version": o.Version, "roles": []string{"risk"}}))
				if err := d.change("hoa", "disable"); err != nil {
					t.Fatal(err)
				}
				minh.confirm()
				minh.wantStatus(minh.call(http.MethodPost, "/ops/v1/approvals/"+change.Approval.ID, approve), 409, "ops.stale")
				minh.wantStatus(minh.call(http.MethodPost, "/ops/v1/approvals/"+change.Approval.ID, approve), 409, "ops.decided")
			}
		})
		t.Run("only the requested change is carried out", func(t *testing.T) {
			lan.confirm()
			change := merchanttest.Value[reply](t, lan.call(http.MethodPut, "/ops/v1/roles/helper", map[string]any{"permissions": []string{"member.read"}}))
			err := store.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.ExecContext(t.Context(), "UPDATE approval SET payload = '{\"permissions\":[\"operator.edit\"]}' WHERE state = 'waiting'")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			minh.confirm()
			minh.wantStatus(minh.call(http.MethodPost, "/ops/v1/approvals/"+change.Approval.ID, approve), 409, "ops.stale")
		})
		report, err := audit.Verify(t.Context(), store)
		if err != nil || report.Broken != 0 || report.Rows < 4 {
			t.Errorf("audit log = %+v, %v, want an unbroken chain of 4 or more rows", report, err)
		}
		var hashes int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit WHERE after LIKE '%argon2%' OR before LIKE '%argon2%'").Scan(&hashes); err != nil || hashes != 0 {
			t.Errorf("SE-15 part: %d audit rows contain a password's hash, %v", hashes, err)
		}
	})
}

func TestFirstOperator(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("SE-16 the first operator's password is generated and shown once", func(t *testing.T) {
			d := newOpsSite(t, store)
			password, err := d.ops.CreateFirst(t.Context())
			if err != nil || !generatedPassword.MatchString(password) {
				t.Fatalf("CreateFirst = %q, %v; want a generated password", password, err)
			}
			(&person{d: d, name: ops.FirstName, password: password}).logIn()
			if again, err := d.ops.CreateFirst(t.Context()); again != "" || err != nil {
				t.Errorf("second CreateFirst = %q, %v; want no password", again, err)
			}
		})
	})
}

func TestConcurrentServersCreateOneFirstOperator(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		var mu sync.Mutex
		var passwords []string
		var servers sync.WaitGroup
		for range 3 {
			servers.Go(func() {
				password, err := d.ops.CreateFirst(t.Context())
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if password != "" {
					passwords = append(passwords, password)
				}
			})
		}
		servers.Wait()
		if len(passwords) != 1 {
			t.Fatalf("%d passwords returned, want 1", len(passwords))
		}
	})
}

func TestInvalidDraftsAreRefused(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	d.create("lan.tran", "owner")
	if _, _, err := d.ops.NewDraft(t.Context(), "Lan.Tran", []string{"owner"}, 0); !errors.Is(err, ops.ErrNameTaken) {
		t.Errorf("taken name: %v, want ErrNameTaken", err)
	}
	for _, bad := range []string{"", "ab", "9lives", "a b c", "lan\n", "thisnameisfartoolongtobeanoperator"} {
		if _, _, err := d.ops.NewDraft(t.Context(), bad, []string{"owner"}, 0); !errors.Is(err, ops.ErrNameFormat) {
			t.Errorf("name %q: %v, want ErrNameFormat", bad, err)
		}
	}
	for _, roles := range [][]string{nil, {"king"}, {"owner", "king"}} {
		if _, _, err := d.ops.NewDraft(t.Context(), "minh", roles, 0); !errors.Is(err, ops.ErrRoleUnknown) {
			t.Errorf("roles %v: %v, want ErrRoleUnknown", roles, err)
		}
	}
	if err := d.change("lan.tran", "disable"); !errors.Is(err, ops.ErrLastOwner) {
		t.Errorf("disable the last owner: %v, want ErrLastOwner", err)
	}
}

func TestInterruptedFirstStartCanBeRepeated(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if password, err := d.ops.CreateFirst(ctx); password != "" || err == nil {
		t.Fatalf("CreateFirst with a cancelled context = %q, %v; want an error", password, err)
	}
	if password, err := d.ops.CreateFirst(t.Context()); password == "" || err != nil {
		t.Errorf("CreateFirst after an interruption = %q, %v; want a password", password, err)
	}
}
