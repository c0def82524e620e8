package house_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// lots notes what is written together. The first one waits to be let on, so that others gather behind it.
type lots struct {
	mu      sync.Mutex
	sizes   []int
	written []int
	first   chan struct{} // closed when somebody writes
	goOn    chan struct{}
	once    sync.Once
	fails   func(lot []int) error
}

func newLots() *lots { return &lots{first: make(chan struct{}), goOn: make(chan struct{})} }

func (l *lots) do(_ context.Context, lot []*int) error {
	l.once.Do(func() {
		close(l.first)
		<-l.goOn
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sizes = append(l.sizes, len(lot))
	var all []int
	for _, n := range lot {
		all = append(all, *n)
	}
	if l.fails != nil {
		if err := l.fails(all); err != nil {
			return err
		}
	}
	l.written = append(l.written, all...)
	return nil
}

// behind has so many ask while one writes, and gives what each was told, the one first.
func (l *lots) behind(t *testing.T, count int) []error {
	t.Helper()
	g := house.NewGathering(l.do)
	told := make([]error, count+1)
	var all sync.WaitGroup
	ask := func(n int) { all.Go(func() { told[n] = g.Ask(t.Context(), n) }) }
	ask(0)
	<-l.first
	for n := 1; n <= count; n++ {
		ask(n)
	}
	g.Await(count)
	close(l.goOn)
	all.Wait()
	return told
}

func TestWhatManyAskForIsWrittenTogether(t *testing.T) {
	t.Parallel()
	t.Run("in as few lots as it takes", func(t *testing.T) {
		t.Parallel()
		l := newLots()
		if err := errors.Join(l.behind(t, 300)...); err != nil || !slices.Equal(l.sizes, []int{1, 256, 44}) {
			t.Errorf("lots of %v, %v", l.sizes, err)
		}
		if slices.Sort(l.written); len(l.written) != 301 || l.written[300] != 300 {
			t.Errorf("written %v", l.written)
		}
	})
	t.Run("one that cannot be written hurts no other", func(t *testing.T) {
		t.Parallel()
		l := newLots()
		bad := errors.New("seven")
		l.fails = func(lot []int) error {
			if slices.Contains(lot, 7) {
				return bad
			}
			return nil
		}
		for n, err := range l.behind(t, 20) {
			if (n == 7) != errors.Is(err, bad) {
				t.Errorf("%d was told %v", n, err)
			}
		}
		if len(l.written) != 20 || slices.Contains(l.written, 7) {
			t.Errorf("written %v", l.written)
		}
	})
	t.Run("whoever gives up in time is left out, and keeps nobody", func(t *testing.T) {
		t.Parallel()
		l := newLots()
		g := house.NewGathering(l.do)
		var all sync.WaitGroup
		all.Go(func() { _ = g.Ask(t.Context(), 0) })
		<-l.first
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan error)
		go func() { given <- g.Ask(ctx, 1) }()
		g.Await(1)
		all.Go(func() {
			if err := g.Ask(t.Context(), 2); err != nil {
				t.Error(err)
			}
		})
		g.Await(2)
		cancel()
		if err := <-given; !errors.Is(err, context.Canceled) {
			t.Errorf("told %v", err)
		}
		close(l.goOn)
		all.Wait()
		if !slices.Equal(l.written, []int{0, 2}) {
			t.Errorf("written %v", l.written)
		}
	})
	t.Run("a writer that breaks off keeps nobody waiting", func(t *testing.T) {
		t.Parallel()
		l := newLots()
		g := house.NewGathering(func(ctx context.Context, lot []*int) error {
			err := l.do(ctx, lot)
			if *lot[0] == 1 {
				panic("broken")
			}
			return err
		})
		var all sync.WaitGroup
		told := make([]error, 4)
		ask := func(n int) {
			all.Go(func() {
				defer func() { _ = recover() }()
				told[n] = g.Ask(t.Context(), n)
			})
		}
		ask(0)
		<-l.first
		ask(1)
		g.Await(1)
		ask(2)
		g.Await(2)
		close(l.goOn)
		all.Wait()
		if told[0] != nil || told[2] == nil {
			t.Errorf("told %v", told)
		}
		ask(3)
		if all.Wait(); told[3] != nil {
			t.Errorf("the next was told %v", told[3])
		}
	})
}

// On PostgreSQL one player's tickets are written while another's are; those of one player, and all on SQLite, one lot after another.
func TestPlayersAreWrittenSideBySide(t *testing.T) {
	t.Parallel()
	goOn, begun := make(chan struct{}), make(chan int, 4)
	ways := house.NewWays(db.Postgres, func(_ context.Context, lot []*int) error {
		begun <- *lot[0]
		if *lot[0] == 1 {
			<-goOn
		}
		return nil
	})
	var all sync.WaitGroup
	ask := func(player string, n int) {
		all.Go(func() {
			if err := ways.Ask(t.Context(), player, n); err != nil {
				t.Error(err)
			}
		})
	}
	ask("a", 1)
	if n := <-begun; n != 1 {
		t.Fatalf("%d was written", n)
	}
	ask("a", 2)
	if err := ways.Ask(t.Context(), "b", 3); err != nil { // comes back though the first is being written
		t.Fatal(err)
	}
	if n := <-begun; n != 3 {
		t.Errorf("%d was written beside the first of the same player", n)
	}
	close(goOn)
	if n := <-begun; n != 2 {
		t.Errorf("%d was written", n)
	}
	all.Wait()
	var busy, most atomic.Int32
	one := house.NewWays(db.SQLite, func(context.Context, []*int) error {
		most.Store(max(most.Load(), busy.Add(1)))
		defer busy.Add(-1)
		runtime.Gosched()
		return nil
	})
	for i := range 50 {
		all.Go(func() { _ = one.Ask(t.Context(), strconv.Itoa(i), i) })
	}
	if all.Wait(); most.Load() != 1 {
		t.Errorf("%d lots at once", most.Load())
	}
}

// Many tickets come at the same time, in two processes: no player gets more onto a spot than it takes, and each ticket is one
// at the wallet.
func TestManyTicketsAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		open := h.betting()
		frames := []string{h.frame, h.enter(lan).Token}
		const tickets = 30 // of which ten find room: a spot takes 5,000,000
		var all sync.WaitGroup
		var mu sync.Mutex
		codes := map[string]int{}
		processes := make([]merchanttest.Site, 2)
		for i := range processes {
			h.restart()
			processes[i] = *h.Site
		}
		for i := range 2 * tickets {
			all.Go(func() {
				body := map[string]any{"betId": spinID(i), "round": open.Round.ID, "spots": map[string]int64{"player": 500_000}}
				r := processes[i/2%2].Call(t, "POST", "/house/v1/table/bet", body, "Authorization", frames[i%2])
				mu.Lock()
				defer mu.Unlock()
				codes[code(t, r)]++
			})
		}
		all.Wait()
		if codes[""] != 20 || codes["house.spot_limit"] != 40 {
			t.Errorf("%v", codes)
		}
		for _, member := range []int64{minh, lan} {
			if got := h.wallet.balances[playerOf(member)]; got != tablePurse-5_000_000 {
				t.Errorf("%d has %d", member, got)
			}
		}
		h.turn()
		if crowd := h.table().Crowd; crowd.Players != 2 || crowd.Spots["player"].Amount != 10_000_000 {
			t.Errorf("%+v", crowd)
		}
		h.pass(90 * time.Second)
		h.balanced(t)
	})
}
