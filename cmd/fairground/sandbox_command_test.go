package main

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
)

var sandboxLine = regexp.MustCompile(`^Sandbox gateway BOX serves (http://127\.0\.0\.1:\d+)/\n$`)

// startSandbox runs gateway sandbox and returns its address. stop ends the command and returns its exit code.
func startSandbox(t *testing.T, key gateway.Key, mode string) (address string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var out, log safeBuffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(newTestConsole(ctx, strings.NewReader(""), &out, &log), []string{
			"gateway", "sandbox", "--addr", "127.0.0.1:0", "--code", key.Code, "--key-id", key.KeyID, "--key", key.Key, "--mode", mode,
		})
	}()
	stop = func() int {
		cancel()
		code := <-ended
		ended <- code
		return code
	}
	t.Cleanup(func() { stop() })
	for end := time.After(testTimeout); ; {
		if found := sandboxLine.FindStringSubmatch(out.String()); found != nil {
			return found[1], stop
		}
		select {
		case code := <-ended:
			ended <- code
			t.Fatalf("the sandbox ended with %d: %s", code, log.String())
		case <-end:
			t.Fatalf("the sandbox did not start: %s%s", out.String(), log.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// The command runs a gateway that pays a deposit of a running server, until it is stopped.
func TestGatewaySandboxCommand(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		c := newCashierDesk(t, args)
		var key gateway.Key
		created := runCommand(t, "", c.args, "gateway", "create", "--code", "BOX", "--name", "Box", "--url", "http://127.0.0.1:1", "--currency", "VND")
		if err := json.Unmarshal([]byte(created), &key); err != nil {
			t.Fatal(err)
		}
		address, stop := startSandbox(t, key, "pay")
		execSQL(t, optionsOf(args), "UPDATE gateway SET base_url = $1 WHERE code = 'BOX'", address)
		get := func() (status int, err error) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/", nil)
			if err != nil {
				return 0, err
			}
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				return 0, err
			}
			return res.StatusCode, res.Body.Close()
		}
		if status, err := get(); status != http.StatusOK || err != nil {
			t.Errorf("page of the sandbox: got %d, %v, want 200", status, err)
		}
		stream := c.events(c.token)
		paid := c.create("pg", "BOX")
		if want := address + "/pay/" + paid.Reference; paid.PayURL != want {
			t.Errorf("address of the payment: got %s, want %s", paid.PayURL, want)
		}
		c.awaitBalanceEvent(stream, `"balance":12980500,`)
		if got := c.find(paid.ID).Status; got != deposit.Credited {
			t.Errorf("status of the deposit: got %s, want %s", got, deposit.Credited)
		}
		c.wantBalance("12980500")
		taken := strings.TrimPrefix(address, "http://")
		wantError(t, "another program uses that port", "gateway", "sandbox", "--addr", taken, "--code", "BOX", "--key-id", key.KeyID, "--key", key.Key)
		if code := stop(); code != 0 {
			t.Errorf("exit code after the stop: got %d, want 0", code)
		}
		if status, err := get(); err == nil {
			t.Errorf("page of the stopped sandbox: got %d, want no answer", status)
		}
		wantError(t, "--mode", "gateway", "sandbox", "--code", "BOX", "--key-id", key.KeyID, "--key", key.Key, "--mode", "steal")
		wantError(t, "--key", "gateway", "sandbox", "--code", "BOX", "--key-id", key.KeyID)
		c.wantUnbroken()
	})
}
