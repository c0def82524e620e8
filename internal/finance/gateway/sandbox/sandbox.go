// Package sandbox is a payment gateway without money, for the demo and for tests. It speaks the gateway protocol over HTTP, keeps its
// payments in memory, and can misbehave on purpose. A page lets a person decide how each payment ends.
package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"fairground/internal/finance/gateway"
)

// Modes decide how payments end.
const (
	Manual = "manual" // a person decides on the pay page
	Pay    = "pay"
	Fail   = "fail"
	Late   = "late"  // paid after the deposit has expired
	Twice  = "twice" // paid under two ids
	Other  = "other" // paid with another amount
	Slow   = "slow"  // responds after SlowFor, then pays
	Down   = "down"  // responds with status 503
)

// Modes lists all modes.
var Modes = []string{Manual, Pay, Fail, Late, Twice, Other, Slow, Down}

// SlowFor is the response time of a slow gateway.
const SlowFor = 12 * time.Second

// Options configures a Gateway.
type Options struct {
	Code, KeyID, Key string
	Base             string // base URL for browsers, such as http://127.0.0.1:9090
	Prefix           string // path under Base, such as /sandbox
	Mode             string
	Client           *http.Client
	Now              func() time.Time
	Wait             func(context.Context, time.Duration) error // nil: waits in real time
	Log              *slog.Logger
}

// A payment is a requested payment or payout.
type payment struct {
	gateway.Payment

	kind   string // payment or payout
	id     string
	status string
	mode   string
}

// A Gateway is a sandbox gateway.
type Gateway struct {
	o   Options
	mux *http.ServeMux

	mu         sync.Mutex
	mode       string
	payments   map[string]*payment // by kind and reference
	lastNumber int

	sending sync.WaitGroup
	ctx     context.Context
	stop    context.CancelFunc
}

// New returns a gateway. Close cancels its pending notices.
func New(o Options) *Gateway {
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Mode == "" {
		o.Mode = Manual
	}
	g := &Gateway{o: o, mux: http.NewServeMux(), mode: o.Mode, payments: map[string]*payment{}}
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.mux.HandleFunc("POST "+o.Prefix+"/v1/payment", g.signed(g.create(gateway.KindPayment)))
	g.mux.HandleFunc("POST "+o.Prefix+"/v1/payout", g.signed(g.create(gateway.KindPayout)))
	g.mux.HandleFunc("GET "+o.Prefix+"/v1/payment/{reference}", g.signed(g.show(gateway.KindPayment)))
	g.mux.HandleFunc("GET "+o.Prefix+"/v1/payout/{reference}", g.signed(g.show(gateway.KindPayout)))
	g.mux.HandleFunc("GET "+o.Prefix+"/{$}", g.index)
	g.mux.HandleFunc("POST "+o.Prefix+"/mode", g.setMode)
	g.mux.HandleFunc("GET "+o.Prefix+"/pay/{reference}", g.page)
	g.mux.HandleFunc("POST "+o.Prefix+"/pay/{reference}", g.decide)
	return g
}

// ServeHTTP implements http.Handler.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }

// Close cancels the pending notices and waits for them to end.
func (g *Gateway) Close() {
	g.stop()
	g.sending.Wait()
}

// Drain waits until all notices are sent.
func (g *Gateway) Drain() { g.sending.Wait() }

// SetMode sets the mode of new payments.
func (g *Gateway) SetMode(mode string) error {
	if !slices.Contains(Modes, mode) {
		return fmt.Errorf("unknown mode %q: use %s", mode, strings.Join(Modes, ", "))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode = mode
	return nil
}

func (g *Gateway) currentMode() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

const maxBody = 64 << 10

// signed checks the signature, and misbehaves if the mode says so.
func (g *Gateway) signed(next func(w http.ResponseWriter, r *http.Request, body []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			writeJSON(w, http.StatusBadRequest, map[string]string{"code": "INVALID_REQUEST", "field": "body"})
			return
		}
		h := r.Header
		valid := gateway.Valid(g.o.Key, h.Get(gateway.HeaderTime), r.URL.EscapedPath(), h.Get(gateway.HeaderSignature), body, g.o.Now())
		if !valid || h.Get(gateway.HeaderGateway) != g.o.Code || h.Get(gateway.HeaderKey) != g.o.KeyID {
			writeJSON(w, http.StatusUnauthorized, map[string]string{"code": "INVALID_SIGNATURE"})
			return
		}
		switch g.currentMode() {
		case Down:
			writeJSON(w, http.StatusServiceUnavailable, map[string]string{"code": "DOWN"})
			return
		case Slow:
			if g.o.Wait(r.Context(), SlowFor) != nil {
				return
			}
		}
		next(w, r, body)
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller retries
}

func (g *Gateway) create(kind string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, body []byte) {
		var p gateway.Payment
		if err := json.Unmarshal(body, &p); err != nil || p.Reference == "" || p.Amount == "" || p.Currency == "" {
			writeJSON(w, http.StatusBadRequest, map[string]string{"code": "INVALID_REQUEST", "field": "body"})
			return
		}
		g.mu.Lock()
		stored := g.payments[kind+p.Reference]
		if stored == nil {
			g.lastNumber++
			stored = &payment{Payment: p, kind: kind, id: fmt.Sprintf("SBX-%d-%d", g.o.Now().UnixMilli(), g.lastNumber), status: gateway.Pending, mode: g.mode}
			g.payments[kind+p.Reference] = stored
			switch {
			case kind == gateway.KindPayout:
				stored.endPayout()
			case stored.mode != Manual:
				g.endPaymentLocked(stored, stored.mode)
			}
		}
		id, status := stored.id, stored.status
		g.mu.Unlock()
		if kind == gateway.KindPayout {
			writeJSON(w, http.StatusOK, gateway.Sent{GatewayID: id, Status: status})
			return
		}
		writeJSON(w, http.StatusOK, gateway.Created{GatewayID: id, PayURL: g.o.Base + g.o.Prefix + "/pay/" + p.Reference})
	}
}

// endPayout sets the status of a payout by its mode. The caller reads the status in the response, because a payout has no URL
// for notices.
func (p *payment) endPayout() {
	switch p.mode {
	case Fail:
		p.status = gateway.Failed
	case Late:
	case Other:
		p.status, p.Amount = gateway.Paid, otherAmount(p.Amount)
	default:
		p.status = gateway.Paid
	}
}

func (g *Gateway) show(kind string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, r *http.Request, _ []byte) {
		g.mu.Lock()
		p := g.payments[kind+r.PathValue("reference")]
		var s gateway.State
		if p != nil {
			s = gateway.State{Reference: p.Reference, GatewayID: p.id, Status: p.status, Amount: p.Amount, Currency: p.Currency}
		}
		g.mu.Unlock()
		if p == nil {
			writeJSON(w, http.StatusNotFound, map[string]string{"code": "UNKNOWN"})
			return
		}
		writeJSON(w, http.StatusOK, s)
	}
}

// A notice is a message about a payment. It is sent after a delay.
type notice struct {
	id, status, amount string
	delay              time.Duration
}

// endPaymentLocked ends a payment by the mode and sends its notices. The caller holds the lock.
func (g *Gateway) endPaymentLocked(p *payment, mode string) {
	var notices []notice
	paid := notice{id: p.id, status: gateway.Paid, amount: p.Amount}
	switch mode {
	case Pay, Slow:
		notices = []notice{paid}
	case Fail:
		notices = []notice{{id: p.id, status: gateway.Failed, amount: p.Amount}}
	case Late:
		paid.delay = max(0, time.UnixMilli(p.ExpiresAt).Sub(g.o.Now())) + 30*time.Second
		notices = []notice{paid}
	case Twice:
		second := paid
		second.id += "-2"
		notices = []notice{paid, paid, second}
	case Other:
		paid.amount = otherAmount(p.Amount)
		notices = []notice{paid}
	default:
		return
	}
	if mode != Late { // a late payment is pending until its notice is sent
		p.status = notices[0].status
		p.Amount = notices[0].amount
	}
	notifyURL, kind, reference, currency := p.NotifyURL, p.kind, p.Reference, p.Currency
	g.sending.Go(func() {
		for _, n := range notices {
			if n.delay > 0 {
				if g.o.Wait(g.ctx, n.delay) != nil {
					return
				}
				g.mu.Lock()
				p.status = n.status
				g.mu.Unlock()
			}
			if err := g.send(notifyURL, reference, currency, n); err != nil {
				g.o.Log.Warn("sandbox gateway: notice", "kind", kind, "reference", reference, "error", err)
			}
		}
	})
}

// otherAmount returns the amount with a 9 in front.
func otherAmount(amount string) string { return "9" + amount }

// send sends a notice. It retries for some minutes until the server responds.
func (g *Gateway) send(url, reference, currency string, n notice) error {
	body, err := json.Marshal(map[string]any{
		"reference": reference, "gatewayId": n.id, "status": n.status, "amount": n.amount, "currency": currency, "at": g.o.Now().UnixMilli(),
	})
	if err != nil {
		return err
	}
	for attempt := range 8 {
		if attempt > 0 {
			if err := g.o.Wait(g.ctx, time.Second<<attempt); err != nil {
				return err
			}
		}
		if err = g.sendOnce(url, body); err == nil || errors.Is(err, errRefused) {
			return err
		}
	}
	return err
}

var errRefused = errors.New("the notice was refused")

func (g *Gateway) sendOnce(url string, body []byte) error {
	r, err := http.NewRequestWithContext(g.ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return errors.Join(errRefused, err)
	}
	r.Header.Set("Content-Type", "application/json")
	gateway.SignRequest(r, g.o.Code, g.o.KeyID, g.o.Key, body, g.o.Now())
	response, err := g.o.Client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	switch {
	case err != nil:
		return err
	case response.StatusCode >= 500:
		return fmt.Errorf("status %d", response.StatusCode)
	case response.StatusCode >= 300:
		return fmt.Errorf("%w: status %d %s", errRefused, response.StatusCode, text)
	}
	return nil
}
