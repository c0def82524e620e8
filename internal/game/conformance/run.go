package conformance

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Options configure a run.
type Options struct {
	URL, Vendor, KeyID, Key  string
	Game, Category, Currency string // Currency is optional: authenticate returns it

	// Ticket is an unused launch ticket. Without it, the run logs in with Username and Password and launches the
	// game.
	Ticket, Username, Password string

	// OtherKeyID and OtherKey are a second active key of the vendor, as after a rotation. Optional.
	OtherKeyID, OtherKey string

	// DisabledTicket and DisabledSession belong to a player whose account was disabled after the launch. Only the
	// operator can disable accounts, so the run cannot create them. Optional.
	DisabledTicket, DisabledSession string

	// Restrict sets a limit and takes a break. The member cannot play for a day after the run.
	Restrict bool

	Now func() time.Time
}

// A wallet is the server under test.
type wallet struct {
	*Client
	o      Options
	ctx    context.Context
	ticket string
	token  string // the member's login token, if the run launched the game
}

// Run runs all tests and reports the result of each.
func Run(ctx context.Context, o Options, report func(name string, err error)) error {
	w := &wallet{o: o, ctx: ctx, ticket: o.Ticket, Client: &Client{
		URL: o.URL, Vendor: o.Vendor, KeyID: o.KeyID, Key: o.Key, Game: o.Game, Currency: o.Currency,
		Run: strings.ToLower(rand.Text()[:10]), HTTP: &http.Client{Timeout: 30 * time.Second}, Now: o.Now,
	}}
	if o.Restrict && o.Username == "" {
		return errors.New("setting a limit needs a login: give a username and a password")
	}
	if w.ticket == "" {
		if err := w.launch(); err != nil {
			return err
		}
	}
	session, err := w.call("authenticate", map[string]any{"requestId": w.Run, "ticket": w.ticket})
	if err != nil {
		return err
	}
	if session.Code != "OK" || session.SessionID == "" {
		return fmt.Errorf("authenticate: %s", session)
	}
	w.Session = session.SessionID
	if w.Currency == "" {
		w.Currency = session.Currency
	}
	all := slices.Concat([]test{{"authenticate returns player, currency, language and balance", session.checkComplete}}, commonTests, malformedTests, orderTests)
	if o.OtherKeyID != "" {
		all = append(all, test{"two keys: each continues the other's round, and signs only for itself", checkTwoKeys})
	}
	if o.DisabledTicket != "" {
		all = append(all, test{"ACCOUNT_DISABLED is not remembered: a ticket of a disabled member", checkDisabledTicket})
	}
	if o.DisabledSession != "" {
		all = append(all, test{"ACCOUNT_DISABLED is not remembered: bet, promo and balance of a disabled member; win and rollback are accepted", checkDisabledSession})
	}
	if o.Restrict {
		all = append(all, restrictedTests...)
	}
	for _, test := range all {
		report(test.name, test.run(w))
	}
	return nil
}

// launch gets a launch ticket with the app's calls.
func (w *wallet) launch() error {
	if w.o.Username == "" {
		return errors.New("a ticket, or a username and a password, is required")
	}
	var login struct{ Value struct{ Token string } }
	err := w.callApp(http.MethodPost, "/wps/session/login", map[string]any{"username": w.o.Username, "password": w.o.Password, "type": "username"}, &login)
	if err != nil {
		return err
	}
	w.token = login.Value.Token
	var opened struct{ Value struct{ GameURL string } }
	err = w.callApp(http.MethodPost, "/wps/game/launchGame", map[string]any{"gameCategory": w.o.Category, "vendor": w.Vendor, "gameId": w.Game, "supportPlay": true}, &opened)
	if err != nil {
		return err
	}
	// The ticket is the longest sequence of ticket characters in the URL.
	for _, word := range strings.FieldsFunc(opened.Value.GameURL, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", r)
	}) {
		if len(word) > len(w.ticket) {
			w.ticket = word
		}
	}
	return nil
}

func (w *wallet) call(name string, fields map[string]any) (Response, error) {
	return w.Call(w.ctx, name, fields)
}

func (w *wallet) callApp(method, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	status, reply, err := w.do(w.ctx, method, path, raw, map[string]string{"Authorization": w.token})
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s: %d %s", path, status, reply)
	}
	return json.Unmarshal(reply, into)
}
