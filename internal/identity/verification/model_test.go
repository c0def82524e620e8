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
	"fairground/internal/platform/ratelimit"
)

type modelCode struct {
	code             string // empty if withheld
	requester        string
	tries            int // attempts left for the requester
	sharedTries      int // attempts left for all other networks
	created, expires time.Time
}

// model is a simple in-memory implementation of codes and their limits.
type model struct {
	requested map[string]*modelCode // by target and network
	latest    map[string]*modelCode // by target
	fullAt    map[string]time.Time  // when a bucket will be full again
}

func (m *model) takeRequest(now time.Time, target, network string) bool {
	return m.take(now, map[string]ratelimit.Limit{
		"requester hour/" + network + target: {Burst: 5, Every: 12 * time.Minute},
		"requester day/" + network + target:  {Burst: 10, Every: 144 * time.Minute},
		"target hour/" + target:              {Burst: 20, Every: 3 * time.Minute},
		"target day/" + target:               {Burst: 40, Every: 36 * time.Minute},
		"network/" + network:                 {Burst: 20, Every: 3 * time.Minute},
	})
}

func (m *model) takeForeign(now time.Time, network string) bool {
	return m.take(now, map[string]ratelimit.Limit{"foreign/" + network: foreignCodes})
}

// foreignCodes limits a network's attempts at codes of other networks.
var foreignCodes = ratelimit.Limit{Burst: 20, Every: 3 * time.Minute}

// tryForeign uses an attempt at the latest code if another network requested it.
func (m *model) tryForeign(now time.Time, target, from string) bool {
	latest := m.latest[target]
	if latest == nil || latest.requester == from || !now.Before(latest.expires) || !m.takeForeign(now, from) || latest.sharedTries == 0 {
		return false
	}
	latest.sharedTries--
	return true
}

func (m *model) take(now time.Time, limits map[string]ratelimit.Limit) bool {
	next := map[string]time.Time{}
	for key, limit := range limits {
		fullAt := m.fullAt[key]
		if fullAt.Before(now) {
			fullAt = now
		}
		next[key] = fullAt.Add(limit.Every)
		if next[key].Sub(now) > time.Duration(limit.Burst)*limit.Every {
			return false
		}
	}
	maps.Copy(m.fullAt, next)
	return true
}

func (m *model) use(c *modelCode) {
	for _, codes := range []map[string]*modelCode{m.requested, m.latest} {
		maps.DeleteFunc(codes, func(_ string, stored *modelCode) bool { return stored == c })
	}
}

// After random requests, attempts and waits, from several networks on two replicas, the service and the model agree. In the model, no
// network replaces another network's code or uses up its attempts or messages.
func TestSE02CodesMatchModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		run := 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			m := &model{map[string]*modelCode{}, map[string]*modelCode{}, map[string]time.Time{}}
			w := &modelRun{T: rt, site: s, model: m, run: run}
			for range rapid.IntRange(5, 40).Draw(rt, "steps") {
				w.step()
			}
		})
	})
}

type modelRun struct {
	*rapid.T
	site  *codeSite
	model *model
	run   int
}

func (w *modelRun) step() {
	target := rapid.SampledFrom([]string{"a", "b"}).Draw(w.T, "target")
	network := rapid.SampledFrom([]string{"n1", "n2"}).Draw(w.T, "network")
	from := rapid.SampledFrom([]string{network, "n3"}).Draw(w.T, "from") // n3 never requests a code
	subject := w.site.subject(fmt.Sprintf("%d/%s", w.run, target))
	switch rapid.SampledFrom([]string{"request", "request", "wrong", "wrong", "concurrent wrong", "own code", "latest code", "wait", "long wait"}).Draw(w.T, "step") {
	case "request":
		w.request(subject, target, network, rapid.IntRange(0, 3).Draw(w.T, "deliver") > 0)
	case "wrong":
		w.attempt(subject, target, from, w.wrong(target, from))
	case "concurrent wrong":
		w.concurrentAttempts(subject, target, from, rapid.IntRange(2, 8).Draw(w.T, "attempts"))
	case "own code":
		w.attempt(subject, target, from, codeOf(w.model.requested[target+from]))
	case "latest code":
		w.attempt(subject, target, from, codeOf(w.model.latest[target]))
	case "wait":
		w.site.Clock.Add(time.Duration(rapid.IntRange(1, 130).Draw(w.T, "seconds")) * time.Second)
	case "long wait":
		w.site.Clock.Add(time.Duration(rapid.IntRange(1, 200).Draw(w.T, "minutes")) * time.Minute)
	}
}

func codeOf(c *modelCode) string {
	if c == nil || c.code == "" {
		return "000000"
	}
	return c.code
}

// wrong returns a code that differs from the network's code and the latest one.
func (w *modelRun) wrong(target, network string) string {
	ownCode, latest := codeOf(w.model.requested[target+network]), codeOf(w.model.latest[target])
	code := wrong(ownCode)
	for code == ownCode || code == latest {
		code = ownCode[:5] + string('0'+(code[5]-'0'+1)%10)
	}
	return code
}

func (w *modelRun) runNetwork(network string) string { return fmt.Sprintf("%d/%s", w.run, network) }

func (w *modelRun) randomReplica() *verification.Service {
	return rapid.SampledFrom([]*verification.Service{w.site.codes, w.site.replica}).Draw(w.T, "replica")
}

func (w *modelRun) concurrentAttempts(subject notify.Subject, target, from string, attempts int) {
	code := w.wrong(target, from)
	var all sync.WaitGroup
	for i := range attempts {
		server := []*verification.Service{w.site.codes, w.site.replica}[i%2]
		all.Go(func() {
			err := server.Check(context.Background(), subject, w.runNetwork(from), code)
			if !errors.Is(err, verification.ErrIncorrect) && !errors.Is(err, verification.ErrExpired) {
				w.Errorf("wrong code: %v", err)
			}
		})
	}
	all.Wait()
	now := w.site.Clock.Now()
	if ownCode := w.model.requested[target+from]; ownCode != nil && now.Before(ownCode.expires) {
		ownCode.tries = max(0, ownCode.tries-attempts)
	}
	for range attempts {
		w.model.tryForeign(now, target, from)
	}
}

func (w *modelRun) request(subject notify.Subject, target, network string, deliver bool) {
	now := w.site.Clock.Now()
	expires, err := w.randomReplica().Request(context.Background(), verification.Request{
		Subject: subject, Language: "en", Network: w.runNetwork(network), Deliver: deliver,
	})
	current, latest := w.model.requested[target+network], w.model.latest[target]
	switch {
	case current != nil && now.Sub(current.created) < time.Minute:
		if err != nil || !expires.Equal(current.expires) {
			w.Fatalf("second request within a minute: expires %s, %v, want %s", expires, err, current.expires)
		}
	case !w.model.takeRequest(now, target, network):
		if !errors.Is(err, ratelimit.ErrLimited) {
			w.Fatalf("not limited: %v", err)
		}
	default:
		if err != nil || !expires.Equal(now.Add(5*time.Minute)) {
			w.Fatalf("request: expires %s, %v", expires, err)
		}
		next := &modelCode{requester: network, tries: 5, sharedTries: 3, created: now, expires: expires}
		if deliver {
			next.code = w.site.lastCode(w.T)
		}
		mustKeep := func(c *modelCode) bool { return !deliver && c != nil && c.code != "" && now.Before(c.expires) }
		if !mustKeep(current) || current.tries == 0 {
			w.model.requested[target+network] = next
		}
		if !mustKeep(latest) {
			w.model.latest[target] = next
		}
	}
}

func (w *modelRun) attempt(subject notify.Subject, target, from, code string) {
	err := w.randomReplica().Check(context.Background(), subject, w.runNetwork(from), code)
	now := w.site.Clock.Now()
	ownCode, latest := w.model.requested[target+from], w.model.latest[target]
	tried := ownCode != nil && ownCode.tries > 0 && now.Before(ownCode.expires)
	if tried {
		ownCode.tries--
	}
	match := ownCode
	if !tried || ownCode.code != code {
		match = nil
	}
	if match == nil && w.model.tryForeign(now, target, from) && latest.code == code {
		match = latest
		w.model.fullAt["foreign/"+from] = w.model.fullAt["foreign/"+from].Add(-foreignCodes.Every)
	}
	switch {
	case match != nil:
		w.model.use(match)
		if err != nil {
			w.Fatalf("correct code: %v", err)
		}
	case ownCode != nil && !tried:
		if !errors.Is(err, verification.ErrExpired) {
			w.Fatalf("expired code: got %v, want ErrExpired", err)
		}
	case !errors.Is(err, verification.ErrIncorrect):
		w.Fatalf("wrong code: got %v, want ErrIncorrect", err)
	}
}

// A stranger uses up the limit of their own network, not the owner's. The limits of the target apply across all networks.
func TestSE02LimitsOfTarget(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		sent := 0
		request := func(network string) bool {
			_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(memberNumber), Language: "en", Network: network, Deliver: true})
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
			request("stranger")
		}
		if sent != 7 { // a burst of 5, plus 2 refills of 12 minutes
			t.Errorf("%d codes in half an hour, want 7", sent)
		}
		if !request("owner") {
			t.Error("the owner is limited")
		}
		for i := range 600 {
			request(fmt.Sprint(i))
		}
		if sent != 57 { // a burst of 40, plus 17 refills of 36 minutes
			t.Errorf("%d codes in ten and a half hours, want 57", sent)
		}
		if n := s.count(t, "dispatch"); n != sent {
			t.Errorf("%d messages, want %d", n, sent)
		}
		mail := notify.Subject{MerchantID: s.ID, Channel: notify.Email, Target: "A@mail.example", Purpose: notify.ForReset}
		s.request(t, mail, true)
		mail.Target = "a@MAIL.example"
		if err := s.codes.Check(t.Context(), mail, noNetwork, s.lastCode(t)); err != nil {
			t.Errorf("same address in another case: %v", err)
		}
	})
}

// Strangers on many networks cannot exceed the target's limits. Their wrong codes do not affect the owner's right code.
func TestSE02StrangersDoNotLimitOwner(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		subject := s.subject(memberNumber)
		request := func(network string) error {
			_, err := s.codes.Request(t.Context(), verification.Request{Subject: subject, Language: "en", Network: network, Deliver: true})
			return err
		}
		for range 50 { // no code was sent
			if err := s.codes.Check(t.Context(), subject, "stranger", "000000"); !errors.Is(err, verification.ErrIncorrect) {
				t.Fatalf("wrong code without a sent one: got %v, want ErrIncorrect", err)
			}
		}
		if err := request("owner"); err != nil {
			t.Fatalf("request of the owner: %v", err)
		}
		if err := s.codes.Check(t.Context(), subject, "owner", s.lastCode(t)); err != nil {
			t.Errorf("right code after a stranger's wrong ones: %v", err)
		}
		for i := range 40 {
			network := fmt.Sprint("stranger", i)
			if err := request(network); err != nil && !errors.Is(err, ratelimit.ErrLimited) {
				t.Fatal(err)
			}
			for range 5 {
				err := s.codes.Check(t.Context(), subject, network, wrong(s.lastCode(t)))
				if !errors.Is(err, verification.ErrIncorrect) {
					t.Fatalf("wrong code: got %v, want ErrIncorrect", err)
				}
			}
		}
		if err := request("new"); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("request of another stranger: got %v, want ErrLimited", err)
		}
		if err := request(homeNetwork); err != nil {
			t.Fatalf("request of the owner: %v", err)
		}
		code := s.lastCode(t)
		for range 4 {
			if err := s.codes.Check(t.Context(), subject, homeNetwork, wrong(code)); !errors.Is(err, verification.ErrIncorrect) {
				t.Errorf("wrong code of the owner: got %v, want ErrIncorrect", err)
			}
		}
		if err := s.codes.Check(t.Context(), subject, homeNetwork, code); err != nil {
			t.Errorf("fifth attempt of the owner: %v", err)
		}
		s.Clock.Add(30 * time.Minute)
		if err := request("new"); err != nil {
			t.Fatal(err)
		}
		if err := s.codes.Check(t.Context(), subject, "new", s.lastCode(t)); err != nil {
			t.Errorf("right code on a new network after half an hour: %v", err)
		}
	})
}

// Withheld and sent messages share limits, so the limits do not reveal when a number registers.
func TestSE02LimitsDoNotRevealRegistration(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	for i := range 6 {
		_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(newNumber), Language: "en", Network: "stranger", Deliver: i == 5})
		if limited := errors.Is(err, ratelimit.ErrLimited); limited != (i == 5) {
			t.Errorf("request %d: %v, want limited = %t", i+1, err, i == 5)
		}
		s.Clock.Add(time.Minute)
	}
}
