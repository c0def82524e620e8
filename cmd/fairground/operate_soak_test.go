//go:build soak

package main

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
)

func freeAddress(t *testing.T) string {
	t.Helper()
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer probe.Close()
	return probe.Addr().String()
}

// Two replicas start and run while their events server is down. They still see each other's changes.
func TestSoakEventsServerDownAndUp(t *testing.T) {
	t.Parallel()
	dbURL, natsAddr := copyPostgres(t, withDemo), freeAddress(t)
	data := t.TempDir()
	serve := func(data string) *program {
		return start(t, "--data", data, "--db", dbURL, "--nats", "nats://"+natsAddr, "--demo")
	}
	one := serve(data) // before its events server
	bus := startEventsServer(t, natsAddr)
	two := serve(t.TempDir())
	check := func(when string) {
		t.Helper()
		for _, value := range []string{`{"on":true}`, `{"on":false}`} {
			if code, out, stderr := command(t, "", "merchant", "set", "system.maintenance", value, "--data", data, "--db", dbURL); code != 0 {
				t.Fatalf("%s: exit code = %d, want 0: %s%s", when, code, out, stderr)
			}
			want := map[string]int{`{"on":true}`: 503, `{"on":false}`: 200}[value]
			for end := time.Now().Add(testTimeout); ; time.Sleep(5 * time.Millisecond) {
				if status, _, _ := two.get(pagesPath); status == want {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("%s: the other replica did not return %d", when, want)
				}
			}
		}
	}
	// wantBus waits until each replica reports whether it is connected to the events server. It must be ready in both states.
	wantBus := func(when string, connected bool, replicas ...*program) {
		t.Helper()
		state, metric := `"bus":"disconnected"`, "\nfairground_bus_connected 0\n"
		if connected {
			state, metric = `"bus":"connected"`, "\nfairground_bus_connected 1\n"
		}
		for n, replica := range replicas {
			for end := time.Now().Add(testTimeout); ; time.Sleep(5 * time.Millisecond) {
				status, ready, _ := replica.get("/readyz")
				_, metrics, _ := replica.get("/metrics")
				if status == http.StatusOK && strings.Contains(ready, `"status":"ok"`) && strings.Contains(ready, state) && strings.Contains(metrics, metric) {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("%s: replica %d: /readyz = %d %s, want 200 with %s, and the metric%s", when, n+1, status, ready, state, metric)
				}
			}
		}
	}
	wantBus("events server up", true, one, two)
	check("events server up")
	token := two.login("demo88", demo.Password)
	eventStream := two.events(token)
	bus.Close()
	wantBus("events server down", false, one, two)
	check("events server down")
	for range eventStream { // maintenance mode closed the stream
	}
	three := serve(t.TempDir())
	three.login("demo88", demo.Password)
	wantBus("started while the events server was down", false, three)
	bus = startEventsServer(t, natsAddr)
	defer bus.Close()
	wantBus("events server up again", true, one, two, three)
	check("events server up again")
	if a := one.call(http.MethodGet, "/healthz", "", ""); a.status != http.StatusOK {
		t.Errorf("health: status %d, want 200", a.status)
	}
}

// The second server refuses to start, because it would use the database of the first without sharing events with it.
func TestSoakUnsharedEventsServers(t *testing.T) {
	t.Parallel()
	dbURL := copyPostgres(t, withoutDemo)
	start(t, "--data", t.TempDir(), "--db", dbURL, "--nats-listen", freeAddress(t))
	wantError(t, "without sharing events", "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--db", dbURL, "--nats-listen", freeAddress(t))
}

// A server starts right after another on the same folder and database was killed.
func TestSoakStartAfterKill(t *testing.T) {
	t.Parallel()
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
		for range 5 {
			kill, out := startChild(t, args...)
			serverURL(t, out)
			kill()
		}
		start(t, args...)
	})
}
