package verification_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rate"
)

// modelCode is what the model knows of a running code.
type modelCode struct {
	code             string // empty: nobody was sent it
	tries            int    // of those who have not asked, as nobody has who tries here
	created, expires time.Time
}

// model is how codes and their counters must behave, in a few lines and in memory.
type model struct {
	codes map[string]*modelCode
	full  map[string]time.Time // when a bucket is full again
}

// admit takes from all limits of one request, or from none.
func (m *model) admit(now time.Time, target, network string, really bool) bool {
	target = fmt.Sprint(target, really) // what is withheld is counted apart
	taken := []struct {
		key   string
		limit rate.Limit
	}{
		{"hour/" + target, rate.Limit{Burst: 5, Every: 12 * time.Minute}},
		{"day/" + target, rate.Limit{Burst: 10, Every: 144 * time.Minute}},
		{"network/" + network, rate.Limit{Burst: 20, Every: 3 * time.Minute}},
	}
	next := map[string]time.Time{}
	for _, b := range taken {
		full := m.full[b.key]
		if full.Before(now) {
			full = now
		}
		next[b.key] = full.Add(b.limit.Every)
		if next[b.key].Sub(now) > time.Duration(b.limit.Burst)*b.limit.Every {
			return false
		}
	}
	maps.Copy(m.full, next)
	return true
}

// Any order of asking, trying, trying at once and waiting, for several targets from several networks at two replicas, does
// as the model says.
func TestSE02CodesFollowTheModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		run := 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			m := &model{codes: map[string]*modelCode{}, full: map[string]time.Time{}}
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
	of := w.site.subject(fmt.Sprintf("%d/%s", w.run, target))
	switch rapid.SampledFrom([]string{"ask", "ask", "guess", "guess", "guess at once", "answer", "wait", "long wait"}).Draw(w.T, "step") {
	case "ask":
		w.ask(of, target, network, rapid.IntRange(0, 3).Draw(w.T, "really") > 0)
	case "guess":
		w.try(of, target, false)
	case "guess at once":
		w.storm(of, target, rapid.IntRange(2, 8).Draw(w.T, "guesses"))
	case "answer":
		w.try(of, target, true)
	case "wait":
		w.site.Clock.Add(time.Duration(rapid.IntRange(1, 130).Draw(w.T, "seconds")) * time.Second)
	case "long wait":
		w.site.Clock.Add(time.Duration(rapid.IntRange(1, 200).Draw(w.T, "minutes")) * time.Minute)
	}
}

// server is one of the replicas.
func (w *walk) server() *verification.Service {
	return rapid.SampledFrom([]*verification.Service{w.site.codes, w.site.replica}).Draw(w.T, "replica")
}

// storm guesses many times at once, at both replicas: each takes a try, while there are some, and none is right.
func (w *walk) storm(of notify.Subject, target string, guesses int) {
	running, code := w.model.codes[target], "000000"
	if running != nil && running.code != "" {
		code = wrong(running.code)
	}
	var all sync.WaitGroup
	for i := range guesses {
		server := []*verification.Service{w.site.codes, w.site.replica}[i%2]
		all.Go(func() {
			if err := server.Check(context.Background(), of, noNetwork, code); !errors.Is(err, verification.ErrIncorrect) {
				w.Errorf("a wrong code: %v", err)
			}
		})
	}
	all.Wait()
	if running != nil && w.site.Clock.Now().Before(running.expires) {
		running.tries = max(0, running.tries-guesses)
	}
}

func (w *walk) ask(of notify.Subject, target, network string, really bool) {
	now := w.site.Clock.Now()
	expires, err := w.server().Request(context.Background(), verification.Request{
		Subject: of, Language: "en", Network: fmt.Sprintf("%d/%s", w.run, network), Really: really,
	})
	running := w.model.codes[target]
	switch {
	case running != nil && now.Sub(running.created) < time.Minute:
		if err != nil || !expires.Equal(running.expires) {
			w.Fatalf("asked again within a minute: %s, %v, want %s", expires, err, running.expires)
		}
	case !w.model.admit(now, target, network, really):
		if !errors.Is(err, rate.ErrLimited) {
			w.Fatalf("not limited: %v", err)
		}
	default:
		if err != nil || !expires.Equal(now.Add(5*time.Minute)) {
			w.Fatalf("asked: %s, %v", expires, err)
		}
		if !really && running != nil && running.code != "" && running.tries > 0 && now.Before(running.expires) {
			return // it stays
		}
		fresh := &modelCode{tries: 3, created: now, expires: expires}
		if really {
			fresh.code = w.site.lastCode(w.T)
		}
		w.model.codes[target] = fresh
	}
}

func (w *walk) try(of notify.Subject, target string, right bool) {
	running := w.model.codes[target]
	code := "000000"
	if running != nil && running.code != "" {
		code = running.code
		if !right {
			code = wrong(code)
		}
	}
	err := w.server().Check(context.Background(), of, noNetwork, code)
	good := running != nil && running.tries > 0 && w.site.Clock.Now().Before(running.expires)
	if good {
		running.tries--
	}
	if good && right && running.code != "" {
		delete(w.model.codes, target)
		if err != nil {
			w.Fatalf("the right code is refused: %v", err)
		}
		return
	}
	if !errors.Is(err, verification.ErrIncorrect) { // no request, so never the network that asked
		w.Fatalf("taken: %v", err)
	}
}

// The day's limit holds even for who waits out the hour's.
func TestLimitsOfATarget(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		ask := func(network string) error {
			_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(known), Language: "en", Network: network, Really: true})
			s.Clock.Add(time.Minute)
			return err
		}
		sent := 0
		for range 30 {
			if err := ask(fmt.Sprint(sent)); err == nil {
				sent++
			} else if !errors.Is(err, rate.ErrLimited) {
				t.Fatal(err)
			}
		}
		if sent != 7 { // five at once, and one for each of the two twelve minutes that passed
			t.Errorf("%d in half an hour", sent)
		}
		for range 600 {
			if ask(fmt.Sprint(sent)) == nil {
				sent++
			}
		}
		if sent != 14 { // ten at once, and one for each of four times 144 minutes
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
