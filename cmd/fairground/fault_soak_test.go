//go:build soak

package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/game/conformance"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
)

// A roundLoad plays rounds from several goroutines until it is stopped. A call without a response is sent again to the next
// server.
type roundLoad struct {
	answered atomic.Int64
	repeated atomic.Int64 // calls that were sent again
	refused  atomic.Int64 // calls that were sent again more than once
	stopping atomic.Bool
	callers  sync.WaitGroup
	played   [6][]*vendorCall
}

func startLoad(t *testing.T, o *vendorClient, servers ...string) *roundLoad {
	t.Helper()
	clients := make([]*conformance.Client, len(servers))
	for i, server := range servers {
		c := *o.Client
		c.URL, c.HTTP = server, &http.Client{Timeout: 10 * time.Second}
		clients[i] = &c
	}
	l := &roundLoad{}
	for c := range l.played {
		l.callers.Go(func() {
			for n := 0; !l.stopping.Load(); n++ {
				for _, s := range o.round(fmt.Sprintf("c%d-%d", c, n), c+n*len(l.played)) {
					l.played[c] = append(l.played[c], s)
					if !l.call(t, clients, c+n, s) {
						return
					}
				}
			}
		})
	}
	t.Cleanup(func() { l.stop() })
	return l
}

// call sends a call until a server responds. It reports whether one did.
func (l *roundLoad) call(t *testing.T, clients []*conformance.Client, first int, s *vendorCall) bool {
	end := time.Now().Add(testTimeout)
	for try := 0; time.Now().Before(end) && t.Context().Err() == nil; try++ {
		switch try {
		case 1:
			l.repeated.Add(1)
		case 2:
			l.refused.Add(1)
		}
		got, err := clients[(first+try)%len(clients)].Call(t.Context(), s.call, s.fields)
		if err == nil && got.HTTP < http.StatusInternalServerError {
			s.got = got
			l.answered.Add(1)
			return true
		}
		time.Sleep(time.Duration(min(try, 10)) * 20 * time.Millisecond)
	}
	if t.Context().Err() == nil {
		t.Errorf("%s %v: no server responded", s.call, s.fields["txId"])
	}
	return false
}

// await waits for n more responses.
func (l *roundLoad) await(t *testing.T, n int64) {
	t.Helper()
	want := l.answered.Load() + n
	for end := time.Now().Add(testTimeout); l.answered.Load() < want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d calls had a response, want %d", l.answered.Load(), want)
		}
	}
}

// stop waits for the running rounds and returns all calls, in order per goroutine.
func (l *roundLoad) stop() (all []*vendorCall) {
	l.stopping.Store(true)
	l.callers.Wait()
	for _, p := range l.played {
		all = append(all, p...)
	}
	return all
}

// checkLoad checks that every call was executed once: repeated calls return the same response, and the balance, the record,
// the ledger and the audit log agree with the responses.
func checkLoad(t *testing.T, o *vendorClient, s *program, args []string, l *roundLoad) {
	t.Helper()
	all := l.stop()
	o.URL = s.url
	if fresh := o.repeatAll(t, all); fresh != 0 {
		t.Errorf("%d acknowledged calls were lost", fresh)
	}
	o.checkBalances(t, s, all)
	for _, c := range [][]string{{"ledger", "verify"}, {"audit", "verify"}} {
		if code, report, stderr := command(t, "", append(c, args...)...); code != 0 {
			t.Errorf("%s: exit code = %d, want 0: %s%s", strings.Join(c, " "), code, report, stderr)
		}
	}
	t.Logf("%d calls, %d of them sent again", len(all), l.repeated.Load())
}

// startEventsServer starts an events server in this process. The caller must close it.
func startEventsServer(t *testing.T, address string) *events.Bus {
	t.Helper()
	bus, err := events.OpenBus(events.BusOptions{Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	return bus
}

func TestSoakReplicaKilled(t *testing.T) {
	t.Run("FT-02 one of three replicas killed under load: the others' error rate is 0 after one retry", func(t *testing.T) {
		listen := freeAddress(t)
		t.Cleanup(startEventsServer(t, listen).Close)
		args := []string{"--data", t.TempDir(), "--db", copyPostgres(t, withDemo)}
		replica := func(data string) []string {
			return []string{"--data", data, "--db", args[3], "--nats", "nats://" + listen, "--demo"}
		}
		s := start(t, replica(args[1])...)
		o := newVendorClient(t, s, args)
		servers := []string{s.url}
		var kills []func()
		for range 2 {
			kill, out := startChild(t, replica(t.TempDir())...)
			servers = append(servers, serverURL(t, out))
			kills = append(kills, kill)
		}
		l := startLoad(t, o, servers...)
		l.await(t, 300)
		kills[0]()
		l.await(t, 300)
		checkLoad(t, o, s, args, l)
		if n := l.refused.Load(); n != 0 {
			t.Errorf("%d calls failed after one retry", n)
		}
		if l.repeated.Load() == 0 {
			t.Error("no call was sent to the killed replica")
		}
	})
}

func TestSoakPrimaryKilled(t *testing.T) {
	t.Run("FT-03 PostgreSQL primary killed, synchronous standby promoted: the server reconnects by itself", func(t *testing.T) {
		primary, standby, err := dbtest.StartReplicated(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { // they have no data to keep
			_ = standby.Stop()
			_ = primary.Stop()
		})
		if err := primary.Create(t.Context(), "site", "template0"); err != nil {
			t.Fatal(err)
		}
		address := "postgres://postgres@/site?host=" + primary.Dir() + "," + standby.Dir() + "&sslmode=disable&target_session_attrs=read-write"
		args := []string{"--data", t.TempDir(), "--db", address}
		s := start(t, append(args, "--demo")...)
		o := newVendorClient(t, s, args)
		l := startLoad(t, o, s.url)
		l.await(t, 200)
		if err := primary.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := standby.Promote(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.await(t, 200)
		checkLoad(t, o, s, args, l)
	})
}

// A linkState is the state of a network between a server and a service.
type linkState int32

const (
	linkUp      linkState = iota
	linkSlow              // every packet takes 20 ms more
	linkStalled           // connections stay open, but nothing arrives
	linkCut               // connections end, and new ones are closed at once
)

// A link forwards connections.
type link struct {
	listener    net.Listener
	network, to string
	state       atomic.Int32
	mu          sync.Mutex
	conns       map[net.Conn]bool
}

func newLink(t *testing.T, network, to string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{listener: listener, network: network, to: to, conns: map[net.Conn]bool{}}
	go l.accept()
	t.Cleanup(func() {
		_ = listener.Close()
		l.set(linkCut)
	})
	return l
}

func (l *link) set(s linkState) {
	l.state.Store(int32(s))
	if s != linkCut {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		_ = c.Close()
	}
	clear(l.conns)
}

func (l *link) accept() {
	for {
		in, err := l.listener.Accept()
		if err != nil {
			return // closed
		}
		out, err := net.Dial(l.network, l.to)
		if err != nil || linkState(l.state.Load()) == linkCut {
			_ = in.Close()
			if out != nil {
				_ = out.Close()
			}
			continue
		}
		l.mu.Lock()
		l.conns[in], l.conns[out] = true, true
		l.mu.Unlock()
		go l.forward(out, in)
		go l.forward(in, out)
	}
}

func (l *link) forward(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	for buffer := make([]byte, 32<<10); ; {
		n, err := from.Read(buffer)
		for linkState(l.state.Load()) == linkStalled {
			time.Sleep(5 * time.Millisecond)
		}
		if linkState(l.state.Load()) == linkSlow {
			time.Sleep(20 * time.Millisecond)
		}
		if _, writeErr := to.Write(buffer[:n]); err != nil || writeErr != nil {
			return
		}
	}
}

func TestSoakNetworkCut(t *testing.T) {
	t.Run("FT-05 network cut and slow between server and PostgreSQL, server and NATS: no double posting", func(t *testing.T) {
		direct := copyPostgres(t, withDemo)
		parsed, err := url.Parse(direct)
		if err != nil {
			t.Fatal(err)
		}
		database := newLink(t, "unix", filepath.Join(parsed.Query().Get("host"), ".s.PGSQL.5432"))
		listen := freeAddress(t)
		t.Cleanup(startEventsServer(t, listen).Close)
		bus := newLink(t, "tcp", listen)
		args := []string{"--data", t.TempDir(), "--db", direct}
		through := "postgres://postgres@" + database.listener.Addr().String() + parsed.Path + "?sslmode=disable"
		replica := func(data string) *program {
			return start(t, "--data", data, "--db", through, "--nats", "nats://"+bus.listener.Addr().String(), "--demo")
		}
		s, two := replica(args[1]), replica(t.TempDir())
		o := newVendorClient(t, s, args)
		l := startLoad(t, o, s.url, two.url)
		l.await(t, 100)
		for _, fault := range []struct {
			link  *link
			state linkState
			works bool // calls are executed during the fault
		}{
			{bus, linkSlow, true}, {bus, linkStalled, true}, {bus, linkCut, true},
			{database, linkSlow, true}, {database, linkStalled, false}, {database, linkCut, false},
		} {
			fault.link.set(fault.state)
			if fault.works {
				l.await(t, 30)
			} else {
				time.Sleep(3 * time.Second)
			}
			fault.link.set(linkUp)
			l.await(t, 50)
		}
		checkLoad(t, o, s, args, l)
	})
}
