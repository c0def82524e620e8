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

// modelTicket is what the model knows of a ticket that sets a new password.
type modelTicket struct {
	token  string
	whose  string
	of     string // the password that it replaces
	issued time.Time
	spent  bool
}

// tickets is how they must behave: each is good once, for ten minutes, for its own member, and for the password of then.
type ticketModel struct {
	*rapid.T
	*testServer
	outer     *testing.T
	passwords map[string]string // by account
	tickets   []*modelTicket
	sessions  map[string]string // a live one of each
	made      int
}

var modelMembers = map[string]string{"minhanh92": "0912345678", "thanhtung": "0987654321"}

func (w *ticketModel) next() string {
	w.made++
	return fmt.Sprintf("mat-khau-%d", w.made)
}

func (w *ticketModel) good(h *modelTicket) bool {
	return !h.spent && w.Clock.Now().Before(h.issued.Add(10*time.Minute)) && w.passwords[h.whose] == h.of
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

func (w *ticketModel) enter(username string) {
	g, err := w.testServer.sessions.Login(w.Context(), session.Credentials{MerchantID: w.ID, Username: username, Password: w.passwords[username], Address: "192.0.2.1"})
	if err != nil {
		w.Fatalf("%s cannot log in with the password that the model knows: %v", username, err)
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
		w.tickets = append(w.tickets, &modelTicket{token: w.newTicket(who), whose: who, of: w.passwords[who], issued: w.Clock.Now()})
	case "use":
		w.use(rapid.SampledFrom(w.tickets).Draw(w.T, "ticket"), 1)
	case "use at once":
		w.use(rapid.SampledFrom(w.tickets).Draw(w.T, "ticket"), 3)
	case "alter":
		token := []byte(rapid.SampledFrom(w.tickets).Draw(w.T, "ticket").token)
		token[rapid.IntRange(0, len(token)-1).Draw(w.T, "at")] ^= 1
		if err := w.reset(string(token), w.next()); !errors.Is(err, account.ErrResetStale) {
			w.Fatalf("an altered ticket: %v", err)
		}
	case "change":
		fresh := w.next()
		reply := w.Call(w.outer, "PUT", changePath, change(w.passwords[who], fresh, fresh), "Authorization", w.sessions[who])
		w.passwords[who], w.sessions[who] = fresh, merchanttest.Value[struct{ Token string }](w.outer, reply).Token
	case "wait":
		w.Clock.Add(time.Duration(rapid.IntRange(1, 700).Draw(w.T, "seconds")) * time.Second)
		for who, token := range w.sessions { // in use, so that none lies idle
			if !w.isLoggedIn(w.Context(), token) {
				w.Fatalf("the session of %s is over", who)
			}
		}
	}
}

// use hands a ticket in, so many times at once: it sets a password once, if it is good.
func (w *ticketModel) use(h *modelTicket, times int) {
	good, set := w.good(h), atomic.Int64{}
	var won atomic.Value
	var all sync.WaitGroup
	for range times {
		fresh := w.next()
		all.Go(func() {
			switch err := w.reset(h.token, fresh); {
			case err == nil:
				set.Add(1)
				won.Store(fresh)
			case !errors.Is(err, account.ErrResetStale):
				w.Errorf("refused otherwise: %v", err)
			}
		})
	}
	all.Wait()
	if want := map[bool]int64{true: 1}[good]; set.Load() != want {
		w.Fatalf("a ticket that is good %v set %d passwords, handed in %d times", good, set.Load(), times)
	}
	for username, token := range w.sessions {
		if alive := w.isLoggedIn(w.Context(), token); alive == (good && username == h.whose) {
			w.Fatalf("a ticket of %s that is good %v: the session of %s lives %v", h.whose, good, username, alive)
		}
	}
	if good {
		h.spent, w.passwords[h.whose] = true, won.Load().(string)
		w.enter(h.whose)
	}
}

// Whatever is done with tickets, by whom and when, does as the model says.
func TestSE02TicketsFollowTheModel(t *testing.T) {
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
			h.Clock.Add(time.Hour) // every bucket is full again
			for username := range modelMembers {
				w.passwords[username] = w.next()
				if err := w.reset(w.newTicket(username), w.passwords[username]); err != nil {
					rt.Fatal(err)
				}
				w.enter(username)
			}
			for range rapid.IntRange(2, 12).Draw(rt, "steps") {
				w.step()
			}
		})
	})
}
