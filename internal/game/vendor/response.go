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

// A code is a result code of the protocol.
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
	unknownOutcome    code = "UNKNOWN_OUTCOME" // sent with a 5xx status; the vendor must repeat the same request
)

// Refusals stored in the ledger, by this package's gate and by the limits gate.
const (
	refusedClosed   = "vendor.round_closed"
	refusedNoRound  = "vendor.round_not_found"
	refusedCurrency = "vendor.wrong_currency"
	refusedLimit    = "limits.reached"
	refusedCheck    = "limits.check_due"
	refusedExcluded = "limits.excluded"
)

// Rejections by this package's gate that are not stored.
var (
	errSessionEnded = errors.New("the session of the play has ended")
	errDisabled     = errors.New("the member of the play is disabled")
	errBonusRound   = errors.New("a bonus paid the first stake of the round")
)

// codes maps stored refusals to result codes.
var codes = map[string]code{
	"":                          ok,
	ledger.ErrInsufficient.Code: insufficientFunds,
	ledger.ErrTombstone.Code:    txRolledBack,
	ledger.ErrConflict.Code:     duplicateConflict,
	ledger.ErrOverflow.Code:     limitReached, // above the maximum balance
	refusedClosed:               roundClosed,
	refusedNoRound:              roundNotFound,
	refusedCurrency:             wrongCurrency,
	refusedLimit:                limitReached,
	refusedCheck:                limitReached,
	refusedExcluded:             excluded,
}

// codeOf returns the result code for the error of a post. It returns errors without a code, because their outcome is unknown.
func codeOf(err error) (code, error) {
	switch {
	case err == nil:
		return ok, nil
	case errors.Is(err, errSessionEnded):
		return sessionExpired, nil
	case errors.Is(err, errDisabled):
		return accountDisabled, nil
	}
	var f *fault.Fault
	if errors.As(err, &f) && f.Kind != fault.Unavailable {
		if c, known := codes[f.Code]; known {
			return c, nil
		}
	}
	return "", err
}

// A response is the response to a valid call.
type response struct {
	Code     code   `json:"code" enum:"OK,DUPLICATE_CONFLICT,INSUFFICIENT_FUNDS,TX_ROLLED_BACK,ROUND_CLOSED,ROUND_NOT_FOUND,SESSION_EXPIRED,ACCOUNT_DISABLED,EXCLUDED,LIMIT_REACHED,WRONG_CURRENCY,GAME_UNAVAILABLE"`
	Balance  string `json:"balance" doc:"The player's balance in units of the currency; 0 if the player is unknown."`
	Currency string `json:"currency"`

	TransactionID *string `json:"transactionId,omitempty" doc:"Our ID of the movement. Movements only; empty if nothing is recorded."`
	Replayed      *bool   `json:"replayed,omitempty" doc:"Movements only: the txId is known, and this repeats its first response."`
	Status        string  `json:"status,omitempty" enum:"tombstone,reversed,unchanged" doc:"Successful rollbacks only. unchanged: nothing was returned, because the bet was refused or already reversed, or refTxId is not a bet."`

	SessionID string `json:"sessionId,omitempty" doc:"authenticate only."`
	PlayerID  string `json:"playerId,omitempty" doc:"authenticate only: the same in all sessions of this player."`
	Nickname  string `json:"nickname,omitempty" doc:"authenticate only: may be shown to other players."`
	Language  string `json:"language,omitempty" doc:"authenticate only."`
	GameCode  string `json:"gameCode,omitempty" doc:"authenticate only: the launched game's code, to be used in all other calls."`
	Trial     *bool  `json:"trial,omitempty" doc:"authenticate only: the currency is play money."`
}

// withMovement sets the fields that only calls with a txId return.
func (resp response) withMovement(id int64, replayed bool) response {
	named := ""
	if id != 0 {
		named = formatID(id)
	}
	resp.TransactionID, resp.Replayed = &named, &replayed
	return resp
}

func newResponse(c code, currency string, balance money.Minor) response {
	resp := response{Code: c, Currency: currency, Balance: "0"}
	if known, err := money.Find(currency); err == nil {
		resp.Balance = known.Format(balance)
	}
	return resp
}

// responseWithBalance returns a response with the player's current balance, or 0 if the player is unknown.
func (s *Service) responseWithBalance(ctx context.Context, c code, p *cachedPlay, r *request) (response, error) {
	if p == nil {
		return newResponse(c, r.Currency, 0), nil
	}
	balance, err := s.o.Ledger.Balance(ctx, p.playerAccount)
	return newResponse(c, p.currency, balance), err
}

// responseWithPlayable returns a response whose balance is the largest stake that the player can pay, from cash or from a bonus.
func (s *Service) responseWithPlayable(ctx context.Context, c code, p *cachedPlay, r *request) (response, error) {
	if p == nil || p.ownWallet || s.o.Bonuses == nil {
		return s.responseWithBalance(ctx, c, p, r)
	}
	balance, err := s.o.Ledger.Balance(ctx, p.playerAccount)
	if err != nil {
		return response{}, err
	}
	bonus, err := s.o.Bonuses.Left(ctx, p.MemberID, p.currency)
	return newResponse(c, p.currency, max(balance, bonus)), err
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"code":"UNKNOWN_OUTCOME"}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n')) // a vendor that gets no response retries
}

// An errorResponse is the response to a call that was rejected or failed.
type errorResponse struct {
	Code  code   `json:"code" enum:"INVALID_REQUEST,INVALID_AMOUNT,INVALID_SIGNATURE,UNKNOWN_OUTCOME"`
	Field string `json:"field,omitempty" doc:"Status 400 only: the malformed field, or body."`
}
