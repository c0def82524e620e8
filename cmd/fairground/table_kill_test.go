package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
)

// A replica is one of several servers on one database, in a separate process.
type replica struct {
	*program
	kill func()
}

// replicas starts servers that share PostgreSQL and NATS.
type replicas struct {
	t     *testing.T
	url   string
	nats  string
	store *db.Store
}

func newReplicas(t *testing.T) *replicas {
	t.Helper()
	r := &replicas{t: t, url: copyPostgres(t, withDemo)}
	for range 20 { // another process may take the port first
		probe, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		r.nats = probe.Addr().String()
		if err := probe.Close(); err != nil {
			t.Fatal(err)
		}
		bus, err := events.OpenBus(events.BusOptions{Listen: r.nats})
		if err == nil {
			t.Cleanup(bus.Close)
			return r
		}
		t.Log(err)
	}
	t.Fatal("no free port found")
	return r
}

func (r *replicas) start() *replica {
	r.t.Helper()
	kill, out := startChild(r.t, "--data", r.t.TempDir(), "--db", r.url, "--nats", "nats://"+r.nats, "--demo")
	one := &replica{&program{t: r.t, url: serverURL(r.t, out)}, kill}
	if r.store == nil {
		store, err := db.Open(r.t.Context(), db.Options{Data: r.t.TempDir(), URL: r.url})
		if err != nil {
			r.t.Fatal(err)
		}
		r.t.Cleanup(func() { _ = store.Close() })
		r.store = store
	}
	return one
}

func (r *replicas) exec(statement string) {
	r.t.Helper()
	if _, err := r.store.Writer.ExecContext(r.t.Context(), statement); err != nil {
		r.t.Fatal(err)
	}
}

func (r *replicas) number(query string) (n int64) {
	r.t.Helper()
	if err := r.store.Reader.QueryRowContext(r.t.Context(), query).Scan(&n); err != nil {
		r.t.Fatal(err)
	}
	return n
}

func (r *replicas) await(name, query string, want int64) {
	r.t.Helper()
	for end := time.Now().Add(testTimeout); r.number(query) != want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("%s = %d, want %d", name, r.number(query), want)
		}
	}
}

// The leader of a table is killed in each phase of a round. Another replica takes over, and every ticket is paid once. The
// test changes the times in the database to control the phases.
func TestKillOfTableLeaderWithReplicas(t *testing.T) {
	t.Parallel()
	t.Run("PP-15 kill -9 of a table's leader in each phase with another replica and many tickets", func(t *testing.T) {
		t.Parallel()
		const each, later, hour = 30, 5, "3600000"
		r := newReplicas(t)
		leader := r.start()
		players := map[string]*tablePlayer{}
		for _, who := range []string{"demo88", "agent88"} {
			players[who] = openTable(t, leader.program, who, "live-007")
		}
		round := players["demo88"].awaitBetting()
		r.exec("UPDATE house_table_round SET closes_at = closes_at + " + hour + ", deal_at = deal_at + " + hour + ", result_at = result_at + " + hour + ", ends_at = ends_at + " + hour + " WHERE id = " + round)
		bet := func(from, to int) {
			for who, p := range players {
				for n := from; n < to; n++ {
					a := leader.call(http.MethodPost, "/house/v1/table/bet", p.frame, fmt.Sprintf(`{"betId":"00000000-0000-4000-8000-%s%06d","round":%q,"spots":{"dragon":20000,"tie":20000}}`,
						map[string]string{"demo88": "000001", "agent88": "000002"}[who], n, round))
					if a.status != http.StatusOK {
						t.Fatalf("%s, ticket %d: %+v, want 200", who, n, a)
					}
				}
			}
		}
		bet(0, each)
		other := r.start()
		next := func(phase string) {
			const holder = "SELECT fence FROM house_table WHERE id = 'dragontiger-1'"
			r.await("rounds in the phase "+phase, "SELECT COUNT(*) FROM house_table_round WHERE status = '"+phase+"' AND id = "+round, 1)
			fence := r.number(holder)
			leader.kill()
			r.await("fence", holder, fence+1)
			leader = other
		}
		next("betting")
		bet(each, each+later) // in the same round
		other = r.start()
		r.exec("UPDATE house_table_round SET closes_at = opens_at WHERE id = " + round)
		next("locked")
		other = r.start()
		// A late deal sets new times. A trigger delays them, so that the phase lasts.
		r.exec("CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.status = 'dealing' AND OLD.status = 'locked' THEN NEW.result_at := NEW.result_at + " + hour + "; END IF; RETURN NEW; END $$")
		r.exec("CREATE TRIGGER hold BEFORE UPDATE ON house_table_round FOR EACH ROW EXECUTE FUNCTION hold()")
		r.exec("UPDATE house_table_round SET deal_at = opens_at WHERE id = " + round)
		next("dealing")
		r.exec("DROP TRIGGER hold ON house_table_round")
		other = r.start()
		r.exec("UPDATE house_table_round SET result_at = deal_at WHERE id = " + round)
		// Kill the leader after the first payouts.
		for r.number("SELECT COUNT(*) FROM house_round WHERE status = 'settled'") == 0 {
			time.Sleep(time.Millisecond)
		}
		leader.kill()
		r.await("open tickets", "SELECT COUNT(*) FROM house_round WHERE status <> 'settled'", 0)
		if n := r.number("SELECT COUNT(*) FROM house_round WHERE table_round = " + round); n != 2*(each+later) {
			t.Errorf("%d tickets, want %d", n, 2*(each+later))
		}
		for who, balance := range map[string]int64{"demo88": 12_480_500, "agent88": 5_000_000} {
			want := balance + r.number("SELECT CAST(SUM(win - stake) AS BIGINT) FROM house_round WHERE spin_id LIKE '%-"+map[string]string{"demo88": "000001", "agent88": "000002"}[who]+"%'")
			if got := other.balance(other.login(who, demo.Password)); got != fmt.Sprint(want) {
				t.Errorf("balance of %s = %s, want %d", who, got, want)
			}
		}
		args := []string{"--data", t.TempDir(), "--db", r.url}
		id := fmt.Sprint(r.number("SELECT MAX(id) FROM house_round"))
		if code, out, stderr := command(t, "", append([]string{"fairness", "verify", "--round", id}, args...)...); code != 0 || !strings.Contains(out, "matches the stored outcome") {
			t.Errorf("fairness: %d %s%s, want exit code 0 and \"matches the stored outcome\"", code, out, stderr)
		}
		if code, report, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
			t.Errorf("verify: %d %s%s, want exit code 0 and \"transfers\"", code, report, stderr)
		}
	})
}

// awaitBetting waits for a round that accepts bets and returns its id.
func (p *tablePlayer) awaitBetting() (round string) {
	p.t.Helper()
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if table := value[tableState](p.program, http.MethodGet, "/house/v1/table", p.frame, ""); table.Round != nil && table.Round.Phase == "betting" {
			return table.Round.ID
		}
	}
	p.t.Fatal("the table did not accept bets")
	return ""
}
