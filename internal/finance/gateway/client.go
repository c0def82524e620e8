package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Errors of a call to a gateway.
var (
	// ErrNoAnswer means that the result is unknown: the gateway is down or slow, or its response is invalid. Retry the call.
	ErrNoAnswer = errors.New("the gateway has no definite answer")
	// ErrRejected means that the gateway refused the call permanently.
	ErrRejected = errors.New("the gateway rejected the call")
	// ErrNotFound means that the gateway does not know the reference.
	ErrNotFound = errors.New("the gateway does not know the reference")
)

// CallTimeout bounds one call to a gateway. It leaves time to respond to the member within 10 seconds.
const CallTimeout = 8500 * time.Millisecond

// Statuses of payments and payouts.
const (
	Pending = "pending"
	Paid    = "paid"
	Failed  = "failed"
	Expired = "expired"
)

// Statuses lists all statuses.
var Statuses = []string{Pending, Paid, Failed, Expired}

// A Payment is a request to a gateway to collect money.
type Payment struct {
	Merchant  string `json:"merchant"`
	Reference string `json:"reference"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	Method    string `json:"method"`
	NotifyURL string `json:"notifyUrl"`
	ReturnURL string `json:"returnUrl"`
	ExpiresAt int64  `json:"expiresAt"`
}

// A Created is the response to a Payment.
type Created struct {
	GatewayID string `json:"gatewayId"`
	PayURL    string `json:"payUrl"`
	QR        string `json:"qr,omitempty"`
}

// A Payout is a request to a gateway to pay money to a bank account.
type Payout struct {
	Merchant  string `json:"merchant"`
	Reference string `json:"reference"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	Bank      string `json:"bank"`
	Number    string `json:"number"`
	Holder    string `json:"holder"`
}

// A Sent is the response to a Payout.
type Sent struct {
	GatewayID string `json:"gatewayId"`
	Status    string `json:"status"`
}

// A State is the state of a payment or a payout at the gateway.
type State struct {
	Reference string `json:"reference"`
	GatewayID string `json:"gatewayId"`
	Status    string `json:"status"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
}

// CreatePayment creates a payment. Repeated calls with the same reference create one payment.
func (s *Service) CreatePayment(ctx context.Context, g Gateway, p Payment) (Created, error) {
	var out Created
	if err := s.call(ctx, g, http.MethodPost, "/v1/payment", p, &out); err != nil {
		return Created{}, err
	}
	u, err := url.Parse(out.PayURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(out.PayURL) > 2000 || !tokenFormat.MatchString(out.GatewayID) || len(out.QR) > 2000 {
		return Created{}, fmt.Errorf("%w: payment without a valid gatewayId or payUrl", ErrNoAnswer)
	}
	return out, nil
}

const payoutPath = "/v1/payout"

// undecided are statuses 4xx that do not decide about a payout, because a proxy may send them, or because the gateway may still be
// at work on an earlier call.
var undecided = []int{http.StatusNotFound, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests}

// CreatePayout creates a payout. Repeated calls with the same reference create one payout.
func (s *Service) CreatePayout(ctx context.Context, g Gateway, p Payout) (Sent, error) {
	var out Sent
	if err := s.call(ctx, g, http.MethodPost, payoutPath, p, &out); err != nil {
		return Sent{}, err
	}
	if !tokenFormat.MatchString(out.GatewayID) || !slices.Contains(Statuses, out.Status) {
		return Sent{}, fmt.Errorf("%w: payout without a valid gatewayId or status", ErrNoAnswer)
	}
	return out, nil
}

// PaymentState returns the state of a payment, or ErrNotFound if the gateway does not know the reference.
func (s *Service) PaymentState(ctx context.Context, g Gateway, reference string) (State, error) {
	return s.state(ctx, g, "/v1/payment/", reference)
}

// PayoutState returns the state of a payout, or ErrNotFound if the gateway does not know the reference.
func (s *Service) PayoutState(ctx context.Context, g Gateway, reference string) (State, error) {
	return s.state(ctx, g, payoutPath+"/", reference)
}

func (s *Service) state(ctx context.Context, g Gateway, path, reference string) (State, error) {
	var out State
	if err := s.call(ctx, g, http.MethodGet, path+url.PathEscape(reference), nil, &out); err != nil {
		return State{}, err
	}
	amount, ok := canonicalAmount(out.Amount)
	if out.Reference != reference || !slices.Contains(Statuses, out.Status) || !tokenFormat.MatchString(out.GatewayID) || !ok || !currencyFormat.MatchString(out.Currency) {
		return State{}, fmt.Errorf("%w: invalid state of %s", ErrNoAnswer, reference)
	}
	out.Amount = amount
	return out, nil
}

// call sends a request signed with the newest key. If the gateway does not know that key yet, call retries with the previous
// one.
func (s *Service) call(ctx context.Context, g Gateway, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, CallTimeout)
	defer cancel()
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return fmt.Errorf("encode call: %w", err)
		}
	}
	keys, err := s.o.Store.Q().ActiveGatewayKeys(ctx, g.ID)
	if err != nil {
		return fmt.Errorf("read gateway's keys: %w", err)
	}
	err = fmt.Errorf("%w: the gateway has no key", ErrNoAnswer)
	for _, k := range keys {
		key, unwrapErr := s.o.Keys.Unwrap(keyPurpose+k.KeyID, k.Wrapped)
		if unwrapErr != nil {
			return unwrapErr
		}
		var status int
		if status, err = s.send(ctx, g, k.KeyID, string(key), method, path, body, out); status != http.StatusUnauthorized {
			return err
		}
	}
	return err
}

func (s *Service) send(ctx context.Context, g Gateway, keyID, key, method, path string, body []byte, out any) (status int, err error) {
	r, err := http.NewRequestWithContext(ctx, method, g.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	r.Header.Set("Accept", "application/json")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	SignRequest(r, g.Code, keyID, key, body, s.o.Clock())
	response, err := s.client.Do(r)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	case response.StatusCode == http.StatusNotFound && method == http.MethodGet:
		return response.StatusCode, ErrNotFound
	case path == payoutPath && slices.Contains(undecided, response.StatusCode):
		return response.StatusCode, fmt.Errorf("%w: status %d", ErrNoAnswer, response.StatusCode)
	case response.StatusCode >= 400 && response.StatusCode < 500:
		return response.StatusCode, fmt.Errorf("%w: status %d", ErrRejected, response.StatusCode)
	case response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated:
		return response.StatusCode, fmt.Errorf("%w: status %d", ErrNoAnswer, response.StatusCode)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return response.StatusCode, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	return response.StatusCode, nil
}

// canonicalAmount returns a decimal amount in its shortest form, without superfluous zeros.
func canonicalAmount(amount string) (string, bool) {
	if !amountFormat.MatchString(amount) {
		return "", false
	}
	whole, fraction, _ := strings.Cut(amount, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return whole + "." + fraction, true
	}
	return whole, true
}
