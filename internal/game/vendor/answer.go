package vendor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
)

// code is the protocol's word for how a call went.
type code string

const (
	ok                code = "OK"
	invalidSignature  code = "INVALID_SIGNATURE"
	invalidRequest    code = "INVALID_REQUEST"
	invalidAmount     code = "INVALID_AMOUNT"
	duplicateConflict code = "DUPLICATE_CONFLICT"
	insufficientFunds code = "INSUFFICIENT_FUNDS"
	txRolledBack      code = "TX_ROLLED_BACK"
	roundClosed       code = "ROUND_CLOSED"
	roundNotFound     code = "ROUND_NOT_FOUND"
	sessionExpired    code = "SESSION_EXPIRED"
	accountDisabled   code = "ACCOUNT_DISABLED"
	excluded          code = "EXCLUDED"
	limitReached      code = "LIMIT_REACHED"
	wrongCurrency     code = "WRONG_CURRENCY"
	gameUnavailable   code = "GAME_UNAVAILABLE"
	unknownOutcome    code = "UNKNOWN_OUTCOME" // 5xx: the same request is to be sent again
)

// Refusals that the ledger remembers for this package's gate, and those that the limits' gate gives.
const (
	refusedClosed   = "vendor.round_closed"
	refusedNoRound  = "vendor.round_not_found"
	refusedCurrency = "vendor.wrong_currency"
	refusedLimit    = "limits.reached"
	refusedCheck    = "limits.check_due"
	refusedExcluded = "limits.excluded"
)

// codes maps what is remembered under a call's key to the protocol's words.
var codes = map[string]code{
	"":                          ok,
	ledger.ErrInsufficient.Code: insufficientFunds,
	ledger.ErrTombstone.Code:    txRolledBack,
	ledger.ErrConflict.Code:     duplicateConflict,
	ledger.ErrOverflow.Code:     limitReached, // more than anybody can have
	refusedClosed:               roundClosed,
	refusedNoRound:              roundNotFound,
	refusedCurrency:             wrongCurrency,
	refusedLimit:                limitReached,
	refusedCheck:                limitReached,
	refusedExcluded:             excluded,
}

// codeOf gives the protocol's word for a post's error. An error that it has none for is an unknown outcome.
func codeOf(err error) (code, error) {
	if err == nil {
		return ok, nil
	}
	var f *fault.Fault
	if errors.As(err, &f) && f.Kind != fault.Unavailable {
		if c, known := codes[f.Code]; known {
			return c, nil
		}
	}
	return "", err
}

// answer is what a vendor is told.
type answer struct {
	Code     code   `json:"code" enum:"OK,DUPLICATE_CONFLICT,INSUFFICIENT_FUNDS,TX_ROLLED_BACK,ROUND_CLOSED,ROUND_NOT_FOUND,SESSION_EXPIRED,ACCOUNT_DISABLED,EXCLUDED,LIMIT_REACHED,WRONG_CURRENCY,GAME_UNAVAILABLE"`
	Balance  string `json:"balance" doc:"What the player has, in the currency's unit; 0 where the player cannot be told."`
	Currency string `json:"currency"`

	TransactionID *string `json:"transactionId,omitempty" doc:"Ours. Of movements only; empty where nothing is remembered."`
	Replayed      *bool   `json:"replayed,omitempty" doc:"Of movements only: the txId was known, and this is its first answer."`
	Status        string  `json:"status,omitempty" enum:"tombstone,reversed,unchanged" doc:"Of a rollback that is OK only. unchanged: nothing was given back, for the bet was refused or is back already, or the id is no bet's."`

	SessionID string `json:"sessionId,omitempty" doc:"Of authenticate only."`
	PlayerID  string `json:"playerId,omitempty" doc:"Of authenticate only: the same every time this player comes."`
	Nickname  string `json:"nickname,omitempty" doc:"Of authenticate only: as others may see it."`
	Language  string `json:"language,omitempty" doc:"Of authenticate only."`
	GameCode  string `json:"gameCode,omitempty" doc:"Of authenticate only: the game that was launched, as all other calls name it."`
	Trial     *bool  `json:"trial,omitempty" doc:"Of authenticate only: the currency is play money."`
}

// movement completes the answer to a call that has a txId.
func (a answer) movement(id int64, replayed bool) answer {
	named := ""
	if id != 0 {
		named = text(id)
	}
	a.TransactionID, a.Replayed = &named, &replayed
	return a
}

// say gives an answer with a balance.
func say(c code, currency string, balance money.Minor) answer {
	a := answer{Code: c, Currency: currency, Balance: "0"}
	if known, err := money.Find(currency); err == nil {
		a.Balance = known.Format(balance)
	}
	return a
}

// sayNow gives an answer with the balance as it is now; of a player who cannot be told there is none.
func (s *Service) sayNow(ctx context.Context, c code, p *live, r *request) (answer, error) {
	if p == nil {
		return say(c, r.Currency, 0), nil
	}
	balance, err := s.o.Ledger.Balance(ctx, p.cash)
	return say(c, p.currency, balance), err
}

func send(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"code":"UNKNOWN_OUTCOME"}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n')) // a caller that is gone asks again
}

// refusal is an answer that is none of a call's own.
type refusal struct {
	Code  code   `json:"code" enum:"INVALID_REQUEST,INVALID_AMOUNT,INVALID_SIGNATURE,UNKNOWN_OUTCOME"`
	Field string `json:"field,omitempty" doc:"Of 400: which field is malformed; body where it is none of them."`
}
