package verification_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/captcha"
	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/platform/spec"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

const noNetwork = "unknown"

func TestMain(m *testing.M) { dbtest.Main(m) }

type memberContacts map[string]bool

func (o memberContacts) HasMobile(_ context.Context, _ int64, e164 string) (bool, error) {
	return o[e164], nil
}
func (o memberContacts) HasEmail(_ context.Context, _ int64, email string) (bool, error) {
	return o[strings.ToLower(email)], nil
}

// knownNetworks holds "network target" pairs of recent logins.
type knownNetworks map[string]bool

func (v knownNetworks) NetworkKnownIn(_ context.Context, _ *db.Tx, subject notify.Subject, network string) (bool, error) {
	return v[network+" "+subject.Target], nil
}

// homeNetwork is a network from which memberNumber recently logged in.
const homeNetwork = "home"

const memberNumber, newNumber, memberEmail = "+84912345678", "+84987654321", "minh@mail.example"

type codeSite struct {
	*servertest.Site
	keys     *secret.Keys
	captchas *captcha.Service
	codes    *verification.Service
	replica  *verification.Service // another server on the same database
}

// newCodeSite returns a site that stores its messages in the local outbox. change may edit the options.
func newCodeSite(t testing.TB, store *db.Store, change func(*notify.Options)) *codeSite {
	t.Helper()
	s := &codeSite{Site: servertest.New(t, store)}
	s.keys, s.captchas = s.Server.Keys, s.Server.Captchas
	queue, err := jobs.NewQueue(store) // the server's queue has its own message tasks
	if err != nil {
		t.Fatal(err)
	}
	o := notify.Options{Store: store, Queue: queue, IDs: s.IDs, Now: s.Clock.Now, Local: true}
	if change != nil {
		change(&o)
	}
	sender, err := notify.New(o)
	if err != nil {
		t.Fatal(err)
	}
	options := verification.Options{
		Store: store, Keys: s.keys, Messages: sender, Limiter: s.Server.Limiter, Settings: s.Merchants, Captchas: s.captchas,
		Members: memberContacts{memberNumber: true, memberEmail: true}, Logins: knownNetworks{homeNetwork + " " + memberNumber: true}, Now: s.Clock.Now,
	}
	s.codes = verification.New(options)
	if options.Keys, err = secrettest.Open(t.Context(), store, s.Clock.Now); err != nil {
		t.Fatal(err)
	}
	options.Limiter = ratelimit.NewStored(store, options.Keys, s.Clock.Now)
	s.replica = verification.New(options)
	return s
}

func (s *codeSite) subject(target string) notify.Subject {
	return notify.Subject{MerchantID: s.ID, Channel: notify.SMS, Target: target, Purpose: notify.ForLogin}
}

func (s *codeSite) request(t testing.TB, subject notify.Subject, deliver bool) time.Time {
	t.Helper()
	expires, err := s.codes.Request(context.Background(), verification.Request{Subject: subject, Language: "en", Network: noNetwork, Deliver: deliver})
	if err != nil {
		t.Fatal(err)
	}
	return expires
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

func (s *codeSite) lastCode(t interface{ Fatalf(string, ...any) }) string {
	rows, err := s.Store.Q().LocalDispatches(context.Background())
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d messages, %v, want at least one", len(rows), err)
	}
	return sixDigits.FindString(rows[0].Body)
}

func (s *codeSite) count(t testing.TB, what string) int {
	t.Helper()
	return s.Count(t, what)
}

// messagesSent returns the number of messages in the local outbox. Withheld messages have another state.
func (s *codeSite) messagesSent(t testing.TB) int {
	t.Helper()
	return s.count(t, "dispatch WHERE state = 'local'")
}

// wrong returns a code that differs from code in the last digit.
func wrong(code string) string {
	if code[5] == '9' {
		return code[:5] + "8"
	}
	return code[:5] + "9"
}

func TestCodeIsValidOnceForOneSubject(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		subject := s.subject(memberNumber)
		if expires := s.request(t, subject, true); !expires.Equal(s.Clock.Now().Add(5 * time.Minute)) {
			t.Errorf("expires at %s, want in 5 minutes", expires)
		}
		code := s.lastCode(t)
		for name, change := range map[string]func(*notify.Subject){
			"other merchant": func(o *notify.Subject) { o.MerchantID++ },
			"other number":   func(o *notify.Subject) { o.Target = newNumber },
			"other channel":  func(o *notify.Subject) { o.Channel = notify.Email },
			"other purpose":  func(o *notify.Subject) { o.Purpose = notify.ForReset },
		} {
			otherSubject := subject
			change(&otherSubject)
			err := s.codes.Check(t.Context(), otherSubject, noNetwork, code)
			if otherMerchant := otherSubject.MerchantID != s.ID; err == nil || !otherMerchant && !errors.Is(err, verification.ErrIncorrect) {
				t.Errorf("%s: got %v, want ErrIncorrect", name, err)
			}
		}
		for _, malformed := range []string{"", " ", code[:5], code + "0", "12345a", "１２３４５６", "٤٨٢٩١٣", "-12345", "1e5000", strings.Repeat("1", 10_000)} {
			if err := s.codes.Check(t.Context(), subject, noNetwork, malformed); !errors.Is(err, verification.ErrIncorrect) {
				t.Errorf("code %.20q: got %v, want ErrIncorrect", malformed, err)
			}
		}
		if err := s.codes.Check(t.Context(), subject, noNetwork, " "+code+"\n"); err != nil {
			t.Errorf("right code: %v", err)
		}
		if err := s.codes.Check(t.Context(), subject, noNetwork, code); !errors.Is(err, verification.ErrIncorrect) {
			t.Errorf("replay: got %v, want ErrIncorrect", err)
		}
	})
}

func TestSE15CodesAndTargetsAreStoredAsDigests(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.request(t, s.subject(memberNumber), true)
		code := s.lastCode(t)
		for _, table := range []string{"code", "tally"} {
			rows, err := store.Reader.QueryContext(t.Context(), "SELECT * FROM "+table)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			columns, err := rows.Columns()
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				values := make([]any, len(columns))
				for i := range values {
					values[i] = &values[i]
				}
				if err := rows.Scan(values...); err != nil {
					t.Fatal(err)
				}
				for i, v := range values {
					if raw, ok := v.([]byte); ok && (strings.Contains(string(raw), code) || strings.Contains(string(raw), "912345678")) {
						t.Errorf("%s.%s contains %q", table, columns[i], raw)
					}
				}
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A request for an unknown number stores the same rows and gets the same response, but sends nothing.
func TestSE02UnknownNumberStoresSameRows(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		if err := jobs.Migrate(t.Context(), store); err != nil {
			t.Fatal(err)
		}
		s := newCodeSite(t, store, func(o *notify.Options) {
			o.Local, o.SMSURL, o.SMSKey = false, "https://sms.example/send", "key"
		})
		type rowCounts struct{ codes, limiter, messages, jobs int }
		countRows := func() rowCounts {
			return rowCounts{s.count(t, "code"), s.count(t, "tally"), s.count(t, "dispatch"), s.count(t, "river_job")}
		}
		a := s.request(t, s.subject(memberNumber), true)
		first := countRows()
		b := s.request(t, s.subject(newNumber), false)
		second := countRows()
		if !a.Equal(b) {
			t.Errorf("expiries %s and %s, want equal", a, b)
		}
		// The second request reuses the network's bucket and adds four buckets for the target.
		if want := (rowCounts{4, 9, 2, 2}); first != (rowCounts{2, 5, 1, 1}) || second != want {
			t.Errorf("rows = %+v, then %+v, want %+v, then %+v", first, second, rowCounts{2, 5, 1, 1}, want)
		}
		if n := s.count(t, "dispatch WHERE state = 'queued'"); n != 1 {
			t.Errorf("%d messages queued, want 1", n)
		}
		for _, subject := range []notify.Subject{s.subject(memberNumber), s.subject(newNumber)} {
			for range 5 {
				if err := s.codes.Check(t.Context(), subject, noNetwork, "000000"); err == nil {
					t.Log("guessed the code, by a chance of one in a million")
				} else if !errors.Is(err, verification.ErrIncorrect) {
					t.Errorf("got %v, want ErrIncorrect", err)
				}
			}
		}
	})
}

type recorder struct{ last notify.Message }

func (r *recorder) Can(notify.Channel) bool { return true }
func (r *recorder) SendIn(_ context.Context, _ *db.Tx, m notify.Message) error {
	r.last = m
	return nil
}

// The code of a withheld message is never valid.
func TestWithheldCodeIsNotValid(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	r := &recorder{}
	codes := verification.New(verification.Options{
		Store: s.Store, Keys: s.keys, Messages: r, Limiter: ratelimit.NewStored(s.Store, s.keys, s.Clock.Now), Settings: s.Merchants, Logins: knownNetworks{}, Now: s.Clock.Now,
	})
	for _, deliver := range []bool{true, false} {
		subject := s.subject(memberNumber)
		subject.Purpose = map[bool]notify.Purpose{true: notify.ForLogin, false: notify.ForReset}[deliver]
		if _, err := codes.Request(t.Context(), verification.Request{Subject: subject, Language: "en", Network: "net", Deliver: deliver}); err != nil {
			t.Fatal(err)
		}
		if r.last.Withheld == deliver {
			t.Errorf("Withheld = %v, want %v", r.last.Withheld, !deliver)
		}
		err := codes.Check(t.Context(), subject, noNetwork, sixDigits.FindString(r.last.Text))
		if deliver && err != nil || !deliver && !errors.Is(err, verification.ErrIncorrect) {
			t.Errorf("Deliver %v: Check returned %v", deliver, err)
		}
	}
}

func TestWithoutSMSProvider(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), func(o *notify.Options) { o.Local = false })
	_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(memberNumber), Network: "net", Deliver: true})
	if !errors.Is(err, verification.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	if n := s.count(t, "code"); n != 0 {
		t.Errorf("%d codes stored, want 0", n)
	}
	subject := s.subject(memberNumber)
	subject.Purpose = "other"
	if _, err := s.codes.Request(t.Context(), verification.Request{Subject: subject, Network: "net"}); err == nil || errors.Is(err, verification.ErrUnavailable) {
		t.Errorf("unknown purpose: %v, want an error other than ErrUnavailable", err)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.request(t, s.subject(memberNumber), true)
		s.Clock.Add(time.Hour + 5*time.Minute)
		s.request(t, s.subject(newNumber), true)
		for _, want := range []int{4, 2} { // each code is stored twice
			if err := s.codes.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := s.count(t, "code"); n != want {
				t.Errorf("%d codes, want %d", n, want)
			}
			s.Clock.Add(time.Millisecond)
		}
	})
}

var smsLogin = merchant.SwitchOf(spec.FlagSMSLogin, true)

// tokens holds the sessions of a player and a trial member.
func (s *codeSite) tokens() merchanttest.Tokens {
	return merchanttest.Tokens{
		"real":  {SessionID: 1, MemberID: 2, MerchantID: s.ID, Type: rest.Player, Username: "minhanh92"},
		"trial": {SessionID: 3, MemberID: 4, MerchantID: s.ID, Type: 4, Username: "guest1"},
	}
}

func (s *codeSite) serveRoutes(t testing.TB) {
	t.Helper()
	if err := s.Merchants.SetSwitch(context.Background(), s.ID, smsLogin); err != nil {
		t.Fatal(err)
	}
	s.Serve(t, s.tokens(), func(a *rest.API) {
		verification.Routes(a, s.codes)
		captcha.Routes(a, s.captchas)
	})
}

// The merchant configures lifetime, attempts and digits (ruling 8).
func TestCodesFollowMerchantSettings(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	s.serveRoutes(t)
	for name, value := range map[merchant.Setting]string{merchant.CodeDigits: "8", merchant.CodeTries: "2", merchant.CodeMinutes: "10"} {
		if err := s.Merchants.Set(t.Context(), s.ID, name, []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	subject := s.subject(memberNumber)
	expires := s.request(t, subject, true)
	rows, err := s.Store.Q().LocalDispatches(t.Context())
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d messages, %v, want 1 row", len(rows), err)
	}
	code := regexp.MustCompile(`\b[0-9]{8}\b`).FindString(rows[0].Body)
	if code == "" || !strings.Contains(rows[0].Body, "10 min") || !expires.Equal(s.Clock.Now().Add(10*time.Minute)) {
		t.Errorf("message = %s, expires at %s, want a code for 10 minutes", rows[0].Body, expires)
	}
	for range 2 {
		if err := s.codes.Check(t.Context(), subject, noNetwork, "0000000"+string('0'+(code[7]-'0'+1)%10)); !errors.Is(err, verification.ErrIncorrect) {
			t.Errorf("Check: got %v, want ErrIncorrect", err)
		}
	}
	if err := s.codes.Check(t.Context(), subject, noNetwork, code); !errors.Is(err, verification.ErrExpired) {
		t.Errorf("third attempt: got %v, want ErrExpired", err)
	}
	s.Clock.Add(9 * time.Minute)
	s.request(t, subject, true)
	s.Clock.Add(9 * time.Minute)
	if rows, err = s.Store.Q().LocalDispatches(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.codes.Check(t.Context(), subject, noNetwork, regexp.MustCompile(`\b[0-9]{8}\b`).FindString(rows[0].Body)); err != nil {
		t.Errorf("after nine minutes: %v", err)
	}
	reply := s.Call(t, "POST", sendPath, sendRequest{MobileNum: "987654321", DialingCode: "84"})
	merchanttest.Want(t, reply, http.StatusOK, `{"success":true,"value":{"expiredMinutes":1,"expirationTime":"(varies)"}}`, "expirationTime")
}
