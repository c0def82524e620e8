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

// Options say which server is tried, and as whom.
type Options struct {
	URL, Vendor, KeyID, Key  string
	Game, Category, Currency string // the currency may be left out: authenticate says it

	// Ticket is one that has not been used. Without one Username and Password launch the game, as the app does.
	Ticket, Username, Password string

	// OtherKeyID and OtherKey are a second key of the vendor's that is good as well, as after a rotation.
	OtherKeyID, OtherKey string

	// DisabledTicket is one of a player whose account was closed after they had launched the game, DisabledSession one that they had opened
	// before. Only the operator closes accounts: neither can be made here.
	DisabledTicket, DisabledSession string

	// Restrict has the member set a limit and take a break: they cannot play for a day after it.
	Restrict bool

	Now func() time.Time
}

// wallet is the server as the cases see it.
type wallet struct {
	*Client
	o      Options
	ctx    context.Context
	ticket string
	token  string // the member's, where the game was launched here
}

// Run launches, runs every case and reports how each went.
func Run(ctx context.Context, o Options, report func(name string, err error)) error {
	w := &wallet{o: o, ctx: ctx, ticket: o.Ticket, Client: &Client{
		URL: o.URL, Vendor: o.Vendor, KeyID: o.KeyID, Key: o.Key, Game: o.Game, Currency: o.Currency,
		Run: strings.ToLower(rand.Text()[:10]), HTTP: &http.Client{Timeout: 30 * time.Second}, Now: o.Now,
	}}
	if o.Restrict && o.Username == "" {
		return errors.New("only a member who is logged in here can set a limit: give a username")
	}
	if w.ticket == "" {
		if err := w.launch(); err != nil {
			return err
		}
	}
	entered, err := w.call("authenticate", map[string]any{"requestId": w.Run, "ticket": w.ticket})
	if err != nil {
		return err
	}
	if entered.Code != "OK" || entered.SessionID == "" {
		return fmt.Errorf("authenticate: %s", entered)
	}
	w.Session = entered.SessionID
	if w.Currency == "" {
		w.Currency = entered.Currency
	}
	all := slices.Concat([]test{{"authenticate says who plays, in what, and what they have", entered.complete}}, tests, malformed, ordered)
	if o.OtherKeyID != "" {
		all = append(all, test{"two keys: what one has begun the other goes on with, each signs for itself", twoKeys})
	}
	if o.DisabledTicket != "" {
		all = append(all, test{"ACCOUNT_DISABLED, each time: a ticket of a member whose account was closed", disabledTicket})
	}
	if o.DisabledSession != "" {
		all = append(all, test{"ACCOUNT_DISABLED, each time: bet, promo and balance of a member whose account was closed; what settles is still taken", disabledSession})
	}
	if o.Restrict {
		all = append(all, restricted...)
	}
	for _, one := range all {
		report(one.name, one.run(w))
	}
	return nil
}

// launch asks for a ticket as the app does.
func (w *wallet) launch() error {
	if w.o.Username == "" {
		return errors.New("give a ticket, or a username and a password")
	}
	var login struct{ Value struct{ Token string } }
	err := w.app(http.MethodPost, "/wps/session/login", map[string]any{"username": w.o.Username, "password": w.o.Password, "type": "username"}, &login)
	if err != nil {
		return err
	}
	w.token = login.Value.Token
	var opened struct{ Value struct{ GameURL string } }
	err = w.app(http.MethodPost, "/wps/game/launchGame", map[string]any{"gameCategory": w.o.Category, "vendor": w.Vendor, "gameId": w.Game, "supportPlay": true}, &opened)
	if err != nil {
		return err
	}
	// The ticket is the longest word of the address that is made of a ticket's signs.
	for _, word := range strings.FieldsFunc(opened.Value.GameURL, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", r)
	}) {
		if len(word) > len(w.ticket) {
			w.ticket = word
		}
	}
	return nil
}

// call is Call for the cases.
func (w *wallet) call(name string, fields map[string]any) (Answer, error) {
	return w.Call(w.ctx, name, fields)
}

func (w *wallet) app(method, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	status, answer, err := w.ask(w.ctx, method, path, raw, map[string]string{"Authorization": w.token})
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s: %d %s", path, status, answer)
	}
	return json.Unmarshal(answer, into)
}
