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

// Modes: how payments end.
const (
	Manual = "manual" // a person decides on the pay page
	Pay    = "pay"
	Fail   = "fail"
	Late   = "late"  // paid after the deposit has expired
	Twice  = "twice" // paid under two ids
	Other  = "other" // paid with another amount
	Slow   = "slow"  // answers after SlowFor, then pays
	Down   = "down"  // answers 503
)

// Modes lists all modes.
var Modes = []string{Manual, Pay, Fail, Late, Twice, Other, Slow, Down}

// SlowFor is how long a slow gateway takes to answer.
const SlowFor = 12 * time.Second

// Options configures a Gateway.
type Options struct {
	Code, KeyID, Key string
	Base             string // address under which browsers reach it, like http://127.0.0.1:9090
	Prefix           string // path of the address, like /sandbox
	Mode             string
	Client           *http.Client
	Now              func() time.Time
	Wait             func(context.Context, time.Duration) error // waits; nil means the real time
	Log              *slog.Logger
}

// A payment is a payment or a payout that was requested.
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

	mu       sync.Mutex
	mode     string
	payments map[string]*payment // by kind and reference
	last     int

	running sync.WaitGroup
	ctx     context.Context
	stop    context.CancelFunc
}

// New returns a gateway. Close ends its notices.
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

// Close ends the notices that wait.
func (g *Gateway) Close() {
	g.stop()
	g.running.Wait()
}

// Drain waits for the notices that are being sent.
func (g *Gateway) Drain() { g.running.Wait() }

// SetMode sets how the next payments end.
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
			reply(w, http.StatusBadRequest, map[string]string{"code": "INVALID_REQUEST", "field": "body"})
			return
		}
		h := r.Header
		valid := gateway.Valid(g.o.Key, h.Get(gateway.HeaderTime), r.URL.EscapedPath(), h.Get(gateway.HeaderSignature), body, g.o.Now())
		if !valid || h.Get(gateway.HeaderGateway) != g.o.Code || h.Get(gateway.HeaderKey) != g.o.KeyID {
			reply(w, http.StatusUnauthorized, map[string]string{"code": "INVALID_SIGNATURE"})
			return
		}
		switch g.currentMode() {
		case Down:
			reply(w, http.StatusServiceUnavailable, map[string]string{"code": "DOWN"})
			return
		case Slow:
			if g.o.Wait(r.Context(), SlowFor) != nil {
				return
			}
		}
		next(w, r, body)
	}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller repeats
}

func (g *Gateway) create(kind string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, body []byte) {
		var p gateway.Payment
		if err := json.Unmarshal(body, &p); err != nil || p.Reference == "" || p.Amount == "" || p.Currency == "" {
			reply(w, http.StatusBadRequest, map[string]string{"code": "INVALID_REQUEST", "field": "body"})
			return
		}
		g.mu.Lock()
		known := g.payments[kind+p.Reference]
		if known == nil {
			g.last++
			known = &payment{Payment: p, kind: kind, id: fmt.Sprintf("SBX-%d-%d", g.o.Now().UnixMilli(), g.last), status: gateway.Pending, mode: g.mode}
			g.payments[kind+p.Reference] = known
			switch {
			case kind == gateway.KindPayout:
				known.endPayout()
			case known.mode != Manual:
				g.actLocked(known, known.mode)
			}
		}
		id, status := known.id, known.status
		g.mu.Unlock()
		if kind == gateway.KindPayout {
			reply(w, http.StatusOK, gateway.Sent{GatewayID: id, Status: status})
			return
		}
		reply(w, http.StatusOK, gateway.Created{GatewayID: id, PayURL: g.o.Base + g.o.Prefix + "/pay/" + p.Reference})
	}
}

// endPayout decides how a payout ends. The caller reads its state in the answer: a payout names no address for notices.
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
			reply(w, http.StatusNotFound, map[string]string{"code": "UNKNOWN"})
			return
		}
		reply(w, http.StatusOK, s)
	}
}

// A notice is one message about a payment, after a delay.
type notice struct {
	id, status, amount string
	delay              time.Duration
}

// actLocked decides how a payment ends and sends its notices. The caller holds the lock.
func (g *Gateway) actLocked(p *payment, mode string) {
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
	if mode != Late { // until then the payment is pending
		p.status = notices[0].status
		p.Amount = notices[0].amount
	}
	target, kind, reference, currency := p.NotifyURL, p.kind, p.Reference, p.Currency
	g.running.Go(func() {
		for _, n := range notices {
			if n.delay > 0 {
				if g.o.Wait(g.ctx, n.delay) != nil {
					return
				}
				g.mu.Lock()
				p.status = n.status
				g.mu.Unlock()
			}
			if err := g.send(target, reference, currency, n); err != nil {
				g.o.Log.Warn("sandbox gateway: notice", "kind", kind, "reference", reference, "error", err)
			}
		}
	})
}

// otherAmount returns the amount with a 9 in front.
func otherAmount(amount string) string { return "9" + amount }

// send sends a notice until it is answered. It stops after some minutes.
func (g *Gateway) send(target, reference, currency string, n notice) error {
	body, err := json.Marshal(map[string]any{
		"reference": reference, "gatewayId": n.id, "status": n.status, "amount": n.amount, "currency": currency, "at": g.o.Now().UnixMilli(),
	})
	if err != nil {
		return err
	}
	for try := range 8 {
		if try > 0 {
			if err := g.o.Wait(g.ctx, time.Second<<try); err != nil {
				return err
			}
		}
		if err = g.sendOnce(target, body); err == nil || errors.Is(err, errRefused) {
			return err
		}
	}
	return err
}

var errRefused = errors.New("the notice was refused")

func (g *Gateway) sendOnce(target string, body []byte) error {
	r, err := http.NewRequestWithContext(g.ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return errors.Join(errRefused, err)
	}
	r.Header.Set("Content-Type", "application/json")
	gateway.SignRequest(r, g.o.Code, g.o.KeyID, g.o.Key, body, g.o.Now())
	answer, err := g.o.Client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	switch {
	case err != nil:
		return err
	case answer.StatusCode >= 500:
		return fmt.Errorf("status %d", answer.StatusCode)
	case answer.StatusCode >= 300:
		return fmt.Errorf("%w: status %d %s", errRefused, answer.StatusCode, text)
	}
	return nil
}
