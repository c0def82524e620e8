package verification_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
)

// modelCode is what the model knows of a code.
type modelCode struct {
	code             string // empty: nobody was sent it
	asker            string
	tries            int // of the network that asked
	others           int // of all others together
	created, expires time.Time
}

// model is how codes and their counters must behave, in a few lines and in memory.
type model struct {
	asked map[string]*modelCode // by target and network
	last  map[string]*modelCode // by target, whoever asked
	full  map[string]time.Time  // when a bucket is full again
}

// admit takes from all limits of one request, or from none.
func (m *model) admit(now time.Time, target, network string) bool {
	return m.take(now, map[string]ratelimit.Limit{
		"asker hour/" + network + target: {Burst: 5, Every: 12 * time.Minute},
		"asker day/" + network + target:  {Burst: 10, Every: 144 * time.Minute},
		"target hour/" + target:          {Burst: 20, Every: 3 * time.Minute},
		"target day/" + target:           {Burst: 40, Every: 36 * time.Minute},
		"network/" + network:             {Burst: 20, Every: 3 * time.Minute},
	})
}

// guess takes what a wrong code costs, unless nothing is left.
func (m *model) guess(now time.Time, target string) bool {
	return m.take(now, map[string]ratelimit.Limit{"wrong/" + target: wrongCodes})
}

var wrongCodes = ratelimit.Limit{Burst: 40, Every: 30 * time.Minute}

func (m *model) take(now time.Time, limits map[string]ratelimit.Limit) bool {
	next := map[string]time.Time{}
	for key, limit := range limits {
		full := m.full[key]
		if full.Before(now) {
			full = now
		}
		next[key] = full.Add(limit.Every)
		if next[key].Sub(now) > time.Duration(limit.Burst)*limit.Every {
			return false
		}
	}
	maps.Copy(m.full, next)
	return true
}

// use forgets a code that was right.
func (m *model) use(c *modelCode) {
	for _, place := range []map[string]*modelCode{m.asked, m.last} {
		maps.DeleteFunc(place, func(_ string, kept *modelCode) bool { return kept == c })
	}
}

// Any order of asking, trying, trying at once and waiting, for several targets from several networks at two replicas, does
// as the model says: no network replaces what another asked for, or uses up its tries or its messages.
func TestSE02CodesFollowTheModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		run := 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			m := &model{map[string]*modelCode{}, map[string]*modelCode{}, map[string]time.Time{}}
			w := &walk{T: rt, site: s, model: m, run: run}
			for range rapid.IntRange(5, 40).Draw(rt, "steps") {
				w.step()
			}
		})
	})
}

type walk struct {
	*rapid.T
	site  *site
	model *model
	run   int
}

func (w *walk) step() {
	target := rapid.SampledFrom([]string{"a", "b"}).Draw(w.T, "target")
	network := rapid.SampledFrom([]string{"n1", "n2"}).Draw(w.T, "network")
	from := rapid.SampledFrom([]string{network, "n3"}).Draw(w.T, "from") // who never asks
	of := w.site.subject(fmt.Sprintf("%d/%s", w.run, target))
	switch rapid.SampledFrom([]string{"ask", "ask", "guess", "guess", "guess at once", "answer", "answer the last", "wait", "long wait"}).Draw(w.T, "step") {
	case "ask":
		w.ask(of, target, network, rapid.IntRange(0, 3).Draw(w.T, "really") > 0)
	case "guess":
		w.try(of, target, from, w.wrong(target, from))
	case "guess at once":
		w.storm(of, target, from, rapid.IntRange(2, 8).Draw(w.T, "guesses"))
	case "answer":
		w.try(of, target, from, codeOf(w.model.asked[target+from]))
	case "answer the last":
		w.try(of, target, from, codeOf(w.model.last[target]))
	case "wait":
		w.site.Clock.Add(time.Duration(rapid.IntRange(1, 130).Draw(w.T, "seconds")) * time.Second)
	case "long wait":
		w.site.Clock.Add(time.Duration(rapid.IntRange(1, 200).Draw(w.T, "minutes")) * time.Minute)
	}
}

// codeOf is what was sent, or what nobody was.
func codeOf(c *modelCode) string {
	if c == nil || c.code == "" {
		return "000000"
	}
	return c.code
}

// wrong gives a code that is neither the one that a network asked for nor the last.
func (w *walk) wrong(target, network string) string {
	asked, last := codeOf(w.model.asked[target+network]), codeOf(w.model.last[target])
	guess := wrong(asked)
	for guess == asked || guess == last {
		guess = asked[:5] + string('0'+(guess[5]-'0'+1)%10)
	}
	return guess
}

// named tells a run's networks from those of others.
func (w *walk) named(network string) string { return fmt.Sprintf("%d/%s", w.run, network) }

// server is one of the replicas.
func (w *walk) server() *verification.Service {
	return rapid.SampledFrom([]*verification.Service{w.site.codes, w.site.replica}).Draw(w.T, "replica")
}

// storm guesses many times at once, at both replicas: each takes a try, while there are some, and none is right.
func (w *walk) storm(of notify.Subject, target, from string, guesses int) {
	code := w.wrong(target, from)
	var all sync.WaitGroup
	var limited atomic.Int64
	for i := range guesses {
		server := []*verification.Service{w.site.codes, w.site.replica}[i%2]
		all.Go(func() {
			err := server.Check(context.Background(), of, w.named(from), code)
			if errors.Is(err, ratelimit.ErrLimited) {
				limited.Add(1)
				return
			}
			if !errors.Is(err, verification.ErrIncorrect) && !errors.Is(err, verification.ErrExpired) {
				w.Errorf("a wrong code: %v", err)
			}
		})
	}
	all.Wait()
	now := w.site.Clock.Now()
	asked := guesses
	for guesses = 0; guesses < asked && w.model.guess(now, target); {
		guesses++
	}
	if int(limited.Load()) != asked-guesses {
		w.Fatalf("%d of %d guesses limited, want %d", limited.Load(), asked, asked-guesses)
	}
	if own := w.model.asked[target+from]; own != nil && now.Before(own.expires) {
		own.tries = max(0, own.tries-guesses)
	}
	if last := w.model.last[target]; last != nil && last.asker != from && now.Before(last.expires) {
		last.others = max(0, last.others-guesses)
	}
}

func (w *walk) ask(of notify.Subject, target, network string, really bool) {
	now := w.site.Clock.Now()
	expires, err := w.server().Request(context.Background(), verification.Request{
		Subject: of, Language: "en", Network: w.named(network), Really: really,
	})
	running, last := w.model.asked[target+network], w.model.last[target]
	switch {
	case running != nil && now.Sub(running.created) < time.Minute:
		if err != nil || !expires.Equal(running.expires) {
			w.Fatalf("asked again within a minute: %s, %v, want %s", expires, err, running.expires)
		}
	case !w.model.admit(now, target, network):
		if !errors.Is(err, ratelimit.ErrLimited) {
			w.Fatalf("not limited: %v", err)
		}
	default:
		if err != nil || !expires.Equal(now.Add(5*time.Minute)) {
			w.Fatalf("asked: %s, %v", expires, err)
		}
		fresh := &modelCode{asker: network, tries: 5, others: 3, created: now, expires: expires}
		if really {
			fresh.code = w.site.lastCode(w.T)
		}
		stays := func(c *modelCode) bool { return !really && c != nil && c.code != "" && now.Before(c.expires) }
		if !stays(running) || running.tries == 0 {
			w.model.asked[target+network] = fresh
		}
		if !stays(last) {
			w.model.last[target] = fresh
		}
	}
}

func (w *walk) try(of notify.Subject, target, from, code string) {
	err := w.server().Check(context.Background(), of, w.named(from), code)
	now := w.site.Clock.Now()
	if !w.model.guess(now, target) {
		if !errors.Is(err, ratelimit.ErrLimited) {
			w.Fatalf("not limited: %v", err)
		}
		return
	}
	own, last := w.model.asked[target+from], w.model.last[target]
	tried := own != nil && own.tries > 0 && now.Before(own.expires)
	if tried {
		own.tries--
	}
	right := own
	if !tried || own.code != code {
		right = nil
	}
	if right == nil && last != nil && last.asker != from && last.others > 0 && now.Before(last.expires) {
		last.others--
		if last.code == code {
			right = last
		}
	}
	switch {
	case right != nil:
		w.model.use(right)
		w.model.full["wrong/"+target] = w.model.full["wrong/"+target].Add(-wrongCodes.Every)
		if err != nil {
			w.Fatalf("the right code is refused: %v", err)
		}
	case own != nil && !tried:
		if !errors.Is(err, verification.ErrExpired) {
			w.Fatalf("of a code that has run out: %v", err)
		}
	case !errors.Is(err, verification.ErrIncorrect):
		w.Fatalf("taken: %v", err)
	}
}

// A stranger uses up what their network may ask for in somebody's name, and not the owner's. The day's limit holds even for who
// waits out the hour's, and so does the target's for who asks from many networks.
func TestSE02LimitsOfATarget(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		sent := 0
		ask := func(network string) bool {
			_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(known), Language: "en", Network: network, Really: true})
			s.Clock.Add(time.Minute)
			if err != nil && !errors.Is(err, ratelimit.ErrLimited) {
				t.Fatal(err)
			}
			if err == nil {
				sent++
			}
			return err == nil
		}
		for range 30 {
			ask("stranger")
		}
		if sent != 7 { // five at once, and one for each of the two twelve minutes that passed
			t.Errorf("%d in half an hour", sent)
		}
		if !ask("owner") {
			t.Error("the owner is sent none")
		}
		for i := range 600 {
			ask(fmt.Sprint(i))
		}
		if sent != 57 { // forty at once, and one for each of seventeen times 36 minutes
			t.Errorf("%d in ten and a half hours", sent)
		}
		if n := s.count(t, "dispatch"); n != sent {
			t.Errorf("%d messages for %d codes", n, sent)
		}
		mail := notify.Subject{MerchantID: s.ID, Channel: notify.Email, Target: "A@mail.example", Purpose: notify.ForReset}
		s.request(t, mail, true)
		mail.Target = "a@MAIL.example"
		if err := s.codes.Check(t.Context(), mail, noNetwork, s.lastCode(t)); err != nil {
			t.Errorf("the same address in another case: %v", err)
		}
	})
}

// Strangers at many networks use up neither an owner's messages nor the owner's tries, where the account was lately opened; nowhere
// else does a target take more wrong codes than its limit, however many are sent to it.
func TestSE02StrangersLeaveTheOwnerRoom(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		of := s.subject(known)
		ask := func(network string) error {
			_, err := s.codes.Request(t.Context(), verification.Request{Subject: of, Language: "en", Network: network, Really: true})
			return err
		}
		looked := 0
		for i := range 40 {
			network := fmt.Sprint("stranger", i)
			if err := ask(network); err != nil && !errors.Is(err, ratelimit.ErrLimited) {
				t.Fatal(err)
			}
			for range 5 {
				err := s.codes.Check(t.Context(), of, network, wrong(s.lastCode(t)))
				if errors.Is(err, verification.ErrIncorrect) {
					looked++
				} else if !errors.Is(err, ratelimit.ErrLimited) {
					t.Fatalf("a wrong code: %v", err)
				}
			}
		}
		if looked != 40 {
			t.Errorf("%d wrong codes were looked at", looked)
		}
		if err := ask("new"); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("one more stranger asks: %v", err)
		}
		if err := ask(atHome); err != nil {
			t.Fatalf("the owner asks: %v", err)
		}
		code := s.lastCode(t)
		for range 4 { // told as strangers are
			if err := s.codes.Check(t.Context(), of, atHome, wrong(code)); !errors.Is(err, ratelimit.ErrLimited) {
				t.Errorf("the owner's wrong code: %v", err)
			}
		}
		if err := s.codes.Check(t.Context(), of, atHome, code); err != nil {
			t.Errorf("the owner's fifth try: %v", err)
		}
		s.Clock.Add(30 * time.Minute)
		if err := ask("new"); err != nil {
			t.Fatal(err)
		}
		if err := s.codes.Check(t.Context(), of, "new", s.lastCode(t)); err != nil {
			t.Errorf("half an hour later, the right code at a new network: %v", err)
		}
	})
}

// What is withheld counts with what is sent: a limit that starts anew would tell that somebody has joined.
func TestSE02LimitsDoNotTellWhenANumberJoins(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	for i := range 6 {
		_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(unknown), Language: "en", Network: "stranger", Really: i == 5})
		if limited := errors.Is(err, ratelimit.ErrLimited); limited != (i == 5) {
			t.Errorf("message %d: %v", i+1, err)
		}
		s.Clock.Add(time.Minute)
	}
}
