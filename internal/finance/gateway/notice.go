package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// A Code is the response to a notice.
type Code string

// Codes of the protocol.
const (
	OK             Code = "OK"
	AmountMismatch Code = "AMOUNT_MISMATCH"
	Late           Code = "LATE"
	Conflict       Code = "CONFLICT"
	Unknown        Code = "UNKNOWN"

	invalidSignature Code = "INVALID_SIGNATURE"
	invalidRequest   Code = "INVALID_REQUEST"
	unavailable      Code = "UNAVAILABLE"
)

// Kinds of notices.
const (
	KindPayment = "payment"
	KindPayout  = "payout"
)

// A Notice is a message that a gateway sends about a payment or a payout.
type Notice struct {
	ID        int64
	Gateway   Gateway // id, merchant, code and enabled only
	Kind      string
	Reference string
	PaymentID string // the gateway's id
	Status    string
	Amount    string // decimal, in its shortest form
	Currency  string
	At        int64
}

// SameMoney reports whether the notice has this amount and currency.
func (n Notice) SameMoney(amount money.Minor, code string) bool {
	c, err := money.Find(code)
	if err != nil || n.Currency != code {
		return false
	}
	expected, ok := canonicalAmount(c.Format(amount))
	return ok && expected == n.Amount
}

// SameMoney reports whether the state has this amount and currency.
func (s State) SameMoney(amount money.Minor, code string) bool {
	return Notice{Amount: s.Amount, Currency: s.Currency}.SameMoney(amount, code)
}

// A Receiver decides about new notices, in the transaction that stores them. It returns a code for each notice: Unknown for a
// reference that does not belong to the gateway.
type Receiver interface {
	NoticesIn(ctx context.Context, tx *db.Tx, notices []Notice) ([]Code, error)
}

type noticeBody struct {
	Reference string `json:"reference" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
	GatewayID string `json:"gatewayId" pattern:"^[!-~]{1,128}$"`
	Status    string `json:"status" enum:"pending,paid,failed,expired"`
	Amount    string `json:"amount" pattern:"^[0-9]{1,40}(\\.[0-9]{1,18})?$" doc:"With at most the decimals of the currency."`
	Currency  string `json:"currency" pattern:"^[A-Z0-9]{3,8}$"`
	At        int64  `json:"at" minimum:"0" doc:"Unix milliseconds. Not part of the notice's content."`
}

type noticeReply struct {
	Code     Code `json:"code" enum:"OK,AMOUNT_MISMATCH,LATE,CONFLICT,UNKNOWN"`
	Replayed bool `json:"replayed,omitempty" doc:"The same notice was received before: reference, gatewayId, status, amount and currency are equal. This is its first code."`
}

type noticeFailure struct {
	Code  Code   `json:"code" enum:"INVALID_REQUEST,INVALID_SIGNATURE,UNAVAILABLE"`
	Field string `json:"field,omitempty" doc:"Status 400 only: the malformed field, or body."`
}

var (
	referenceFormat = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)
	tokenFormat     = regexp.MustCompile(`^[!-~]{1,128}$`)
	currencyFormat  = regexp.MustCompile(`^[A-Z0-9]{3,8}$`)
	amountFormat    = regexp.MustCompile(`^[0-9]{1,40}(\.[0-9]{1,18})?$`)
)

// parseNotice parses the body of a notice. malformed is the name of the first malformed field, or empty.
func parseNotice(body []byte) (n Notice, malformed string) {
	var fields map[string]json.RawMessage
	if rest.CheckJSON(body) != nil || json.Unmarshal(body, &fields) != nil || fields == nil {
		return n, "body"
	}
	text := func(name string) string {
		var value string
		raw := fields[name]
		if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
			return ""
		}
		return value
	}
	n = Notice{Reference: text("reference"), PaymentID: text("gatewayId"), Status: text("status"), Currency: text("currency")}
	switch {
	case !referenceFormat.MatchString(n.Reference):
		return n, "reference"
	case !tokenFormat.MatchString(n.PaymentID):
		return n, "gatewayId"
	case !slices.Contains(Statuses, n.Status):
		return n, "status"
	case !currencyFormat.MatchString(n.Currency):
		return n, "currency"
	case json.Unmarshal(fields["at"], &n.At) != nil || n.At < 0 || string(fields["at"]) == "null":
		return n, "at"
	}
	amountText := text("amount")
	amount, ok := canonicalAmount(amountText)
	if c, err := money.Find(n.Currency); ok && err == nil {
		_, decimals, _ := strings.Cut(amountText, ".")
		ok = len(decimals) <= c.Decimals
	}
	if !ok {
		return n, "amount"
	}
	n.Amount = amount
	return n, ""
}

const maxBody = 16 << 10

func (s *Service) serve(kind string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) > maxBody {
			writeJSON(w, http.StatusBadRequest, noticeFailure{invalidRequest, "body"})
			return
		}
		g, err := s.sender(r.Context(), r, body)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if g.ID == 0 {
			writeJSON(w, http.StatusUnauthorized, noticeFailure{Code: invalidSignature})
			return
		}
		n, malformed := parseNotice(body)
		if malformed != "" {
			writeJSON(w, http.StatusBadRequest, noticeFailure{invalidRequest, malformed})
			return
		}
		n.Gateway, n.Kind = g, kind
		code, replayed, err := s.Receive(r.Context(), n)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		writeJSON(w, http.StatusOK, noticeReply{code, replayed})
	})
}

func (s *Service) fail(w http.ResponseWriter, r *http.Request, err error) {
	level := slog.LevelError
	if errors.Is(r.Context().Err(), context.Canceled) {
		level = slog.LevelInfo // the gateway has disconnected
	}
	s.o.Log.Log(r.Context(), level, "gateway notice", "error", err)
	writeJSON(w, http.StatusServiceUnavailable, noticeFailure{Code: unavailable})
}

// reject writes errors of the API layer in the protocol's format.
func reject(w http.ResponseWriter, _ *http.Request, err error) {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.TooLarge:
		writeJSON(w, http.StatusBadRequest, noticeFailure{invalidRequest, "body"})
	case fault.Unauth, fault.Forbidden, fault.NotFound:
		writeJSON(w, http.StatusUnauthorized, noticeFailure{Code: invalidSignature})
	default:
		writeJSON(w, http.StatusServiceUnavailable, noticeFailure{Code: unavailable})
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"code":"UNAVAILABLE"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n')) // a gateway that missed the response repeats the notice
}
