package account_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/identity/account"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/site/merchant/merchanttest"
)

// A modelTicket is the model's view of a ticket.
type modelTicket struct {
	token    string
	username string
	password string // the password when the ticket was issued
	issued   time.Time
	used     bool
}

// A ticketModel predicts whether tickets are valid. A ticket is valid once, for ten minutes, for one member, and only until the password
// changes.
type ticketModel struct {
	*rapid.T
	*testServer
	outer     *testing.T
	passwords map[string]string // by username
	tickets   []*modelTicket
	sessions  map[string]string // one active session per username
	counter   int
}

var modelMembers = map[string]string{"minhanh92": "0912345678", "thanhtung": "0987654321"}

func (w *ticketModel) newPassword() string {
	w.counter++
	return fmt.Sprintf("mat-khau-%d", w.counter)
}

func (w *ticketModel) valid(t *modelTicket) bool {
	return !t.used && w.Clock.Now().Before(t.issued.Add(10*time.Minute)) && w.passwords[t.username] == t.password
}

func (w *ticketModel) reset(token, password string) error {
	_, err := w.accounts.Reset(w.Context(), w.ID, map[string]string{"ticket": token, "newPassword": password, "confirmNewPassword": password})
	return err
}

func (w *ticketModel) newTicket(name string) string {
	token, err := w.accounts.VerifyReset(w.Context(), account.ResetRequest{
		MerchantID: w.ID, Channel: notify.SMS, DialingCode: "84", Target: modelMembers[name],
	}, "000000")
	if err != nil {
		w.Fatal(err)
	}
	return token
}

func (w *ticketModel) logIn(username string) {
	g, err := w.testServer.sessions.Login(w.Context(), session.Credentials{MerchantID: w.ID, Username: username, Password: w.passwords[username], Address: "192.0.2.1"})
	if err != nil {
		w.Fatalf("%s cannot log in with the model's password: %v", username, err)
	}
	w.sessions[username] = g.Token
}

func (w *ticketModel) step() {
	who := rapid.SampledFrom([]string{"minhanh92", "thanhtung"}).Draw(w.T, "who")
	step := rapid.SampledFrom([]string{"prove", "prove", "use", "use", "use at once", "alter", "change", "wait"}).Draw(w.T, "step")
	if len(w.tickets) == 0 && (step == "use" || step == "use at once" || step == "alter") {
		step = "prove"
	}
	switch step {
	case "prove":
		w.tickets = append(w.tickets, &modelTicket{token: w.newTicket(who), username: who, password: w.passwords[who], issued: w.Clock.Now()})
	case "use":
		w.use(rapid.SampledFrom(w.tickets).Draw(w.T, "ticket"), 1)
	case "use at once":
		w.use(rapid.SampledFrom(w.tickets).Draw(w.T, "ticket"), 3)
	case "alter":
		token := []byte(rapid.SampledFrom(w.tickets).Draw(w.T, "ticket").token)
		token[rapid.IntRange(0, len(token)-1).Draw(w.T, "at")] ^= 1
		if err := w.reset(string(token), w.newPassword()); !errors.Is(err, account.ErrResetStale) {
			w.Fatalf("altered ticket: %v, want ErrResetStale", err)
		}
	case "change":
		fresh := w.newPassword()
		reply := w.Call(w.outer, "PUT", changePath, change(w.passwords[who], fresh, fresh), "Authorization", w.sessions[who])
		w.passwords[who], w.sessions[who] = fresh, merchanttest.Value[struct{ Token string }](w.outer, reply).Token
	case "wait":
		w.Clock.Add(time.Duration(rapid.IntRange(1, 700).Draw(w.T, "seconds")) * time.Second)
		for who, token := range w.sessions { // use every session, so that none expires
			if !w.isLoggedIn(w.Context(), token) {
				w.Fatalf("the session of %s ended", who)
			}
		}
	}
}

// use redeems a ticket several times concurrently. A valid ticket sets exactly one password.
func (w *ticketModel) use(t *modelTicket, times int) {
	valid, successes := w.valid(t), atomic.Int64{}
	var winner atomic.Value
	var all sync.WaitGroup
	for range times {
		fresh := w.newPassword()
		all.Go(func() {
			switch err := w.reset(t.token, fresh); {
			case err == nil:
				successes.Add(1)
				winner.Store(fresh)
			case !errors.Is(err, account.ErrResetStale):
				w.Errorf("reset: %v, want ErrResetStale", err)
			}
		})
	}
	all.Wait()
	if want := map[bool]int64{true: 1}[valid]; successes.Load() != want {
		w.Fatalf("ticket valid: %v, used %d times, set %d passwords, want %d", valid, times, successes.Load(), want)
	}
	for username, token := range w.sessions {
		if alive := w.isLoggedIn(w.Context(), token); alive == (valid && username == t.username) {
			w.Fatalf("ticket of %s, valid: %v: session of %s active: %v", t.username, valid, username, alive)
		}
	}
	if valid {
		t.used, w.passwords[t.username] = true, winner.Load().(string)
		w.logIn(t.username)
	}
}

func TestSE02ResetTicketsMatchModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.acceptAnyCode(t)
		w := &ticketModel{testServer: h, outer: t, passwords: map[string]string{}, sessions: map[string]string{}}
		for username, number := range modelMembers {
			id, _ := h.member(t, username, "qua-xanh7", member.Player)
			h.setContacts(t, id, "+84"+number[1:], username+"@b.co")
		}
		rapid.Check(t, func(rt *rapid.T) {
			w.T, w.tickets = rt, nil
			h.Clock.Add(time.Hour) // refills all limits
			for username := range modelMembers {
				w.passwords[username] = w.newPassword()
				if err := w.reset(w.newTicket(username), w.passwords[username]); err != nil {
					rt.Fatal(err)
				}
				w.logIn(username)
			}
			for range rapid.IntRange(2, 12).Draw(rt, "steps") {
				w.step()
			}
		})
	})
}
