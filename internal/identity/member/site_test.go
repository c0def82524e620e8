package member_test

import (
	"fairground/internal/platform/spec"

	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/identity/captcha"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/identity/signin"
	"fairground/internal/identity/verification"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// house is a site with everything that members come in by: real captchas, codes in the local outbox, real sessions.
type house struct {
	*merchanttest.Site
	keys     *secret.Keys
	members  *member.Service
	sessions *session.Service
	limits   *limits.Service
	blobs    *blob.Files
	doors    member.Doors
	register func(*rest.API)
}

func newHouse(t *testing.T, store *db.Store) *house {
	t.Helper()
	h := &house{Site: merchanttest.New(t, store)}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	h.keys, err = secret.Open(t.Context(), store, h.Clock.Now)
	must(err)
	limiter := ratelimit.New(store, h.keys, h.Clock.Now)
	must(jobs.Migrate(t.Context(), store))
	queue, err := jobs.NewQueue(store)
	must(err)
	messages, err := notify.New(notify.Options{Store: store, Queue: queue, IDs: h.IDs, Now: h.Clock.Now, Log: slog.New(slog.DiscardHandler), Local: true})
	must(err)
	captchas := captcha.New(captcha.Options{Store: store, Keys: h.keys, Limiter: limiter, Settings: h.Merchants, Now: h.Clock.Now, Patience: time.Minute})
	t.Cleanup(captchas.Close)
	h.members = newMembers(t, h.Site)
	codes := verification.New(verification.Options{
		Store: store, Keys: h.keys, Sender: messages, Limiter: limiter, Merchants: h.Merchants, Owners: h.members, Captchas: captchas, Now: h.Clock.Now,
	})
	elsewhere := signin.New(signin.Options{Store: store, Keys: h.keys, Settings: h.Merchants, Members: h.members, Now: h.Clock.Now, Log: slog.New(slog.DiscardHandler)})
	box, err := jwe.New(store, h.keys, h.Clock.Now)
	must(err)
	h.limits = limits.New(limits.Options{Store: store, Outbox: events.NewOutbox(store, h.Bus, nil), Now: h.Clock.Now})
	h.sessions, err = session.New(session.Options{
		Breaks: h.limits,
		Store:  store, Bus: h.Bus, Members: h.members, Settings: h.Merchants, Captchas: captchas, Codes: codes, Elsewhere: elsewhere, Limiter: limiter, Box: box, IDs: h.IDs, Now: h.Clock.Now, Log: slog.New(slog.DiscardHandler),
	})
	must(err)
	t.Cleanup(h.sessions.Close)
	h.blobs, err = blob.OpenFiles(t.TempDir())
	must(err)
	t.Cleanup(func() { must(h.blobs.Close()) })
	h.doors = member.Doors{
		Captchas: captchas, Codes: codes, Sessions: h.sessions, Messages: messages, Limiter: limiter, Keys: h.keys,
		Box: box, Blobs: h.blobs, Breaks: h.limits,
	}
	h.members.Attach(h.doors)
	h.register = func(a *rest.API) {
		merchant.Register(a, h.Merchants)
		member.Register(a, h.members, member.Refusals{})
		session.Register(a, h.sessions)
		captcha.Register(a, captchas)
		verification.Register(a, codes)
	}
	h.fresh(t)
	return h
}

// fresh puts a new API in front, whose limits of calls in memory are unused.
func (h *house) fresh(t *testing.T) {
	t.Helper()
	h.Serve(t, h.sessions, h.register)
}

// person gives a cookie and the answer to its picture.
func (h *house) person(t *testing.T) (cookie, answer string) {
	t.Helper()
	reply := h.Call(t, "GET", "/wps/captcha", nil)
	if reply.Status != http.StatusOK {
		t.Fatalf("%d %s", reply.Status, reply.Body)
	}
	set := (&http.Response{Header: reply.Header}).Cookies()
	var inside struct {
		A string `json:"a"`
	}
	if _, err := h.keys.Unseal("captcha.image", set[0].Value, &inside); err != nil {
		t.Fatal(err)
	}
	return "captcha=" + set[0].Value, inside.A
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code gives the newest code that was sent to somebody.
func (h *house) code(t *testing.T, to string) string {
	t.Helper()
	for _, m := range h.sent(t) {
		if m.Recipient == to && strings.HasSuffix(m.Kind, "_code") {
			return sixDigits.FindString(m.Body)
		}
	}
	t.Fatalf("nothing was sent to %s", to)
	return ""
}

type message struct{ Recipient, Kind, Body string }

func (h *house) sent(t *testing.T) []message {
	t.Helper()
	rows, err := h.Store.Q().LocalDispatches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []message
	for _, row := range rows {
		all = append(all, message{row.Recipient, row.Kind, row.Body})
	}
	return all
}

func (h *house) set(t *testing.T, name merchant.Setting, value string) {
	t.Helper()
	if err := h.Merchants.Set(t.Context(), h.ID, name, json.RawMessage(value)); err != nil {
		t.Fatal(err)
	}
}

func (h *house) count(t *testing.T, of string) (n int) {
	t.Helper()
	if err := h.Store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+of).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// member makes one and logs them in.
func (h *house) member(t *testing.T, username, password string, kind member.Type) (id int64, token string) {
	t.Helper()
	d := draft(h.Site, username, password)
	d.Type = kind
	id, err := h.members.Create(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return id, h.login(t, username, password)
}

func (h *house) login(t *testing.T, username, password string) string {
	t.Helper()
	g, err := h.sessions.Login(t.Context(), session.Credentials{MerchantID: h.ID, Username: username, Password: password, Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	return g.Token
}

func (h *house) alive(ctx context.Context, token string) bool {
	_, err := h.sessions.Authenticate(ctx, token)
	return err == nil
}

// body is a JSON object that tests change field by field.
type body map[string]any

func (b body) with(name string, value any) body {
	c := body{}
	for k, v := range b {
		c[k] = v
	}
	if value == nil {
		delete(c, name)
	} else {
		c[name] = value
	}
	return c
}

func (h *house) sweep(t *testing.T) {
	t.Helper()
	if err := h.members.SweepPictures(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// off switches a module off.
func (h *house) off(t *testing.T, module spec.Module) {
	t.Helper()
	if err := h.Merchants.SetFlag(t.Context(), h.ID, merchant.SwitchOf(module, false)); err != nil {
		t.Fatal(err)
	}
}
