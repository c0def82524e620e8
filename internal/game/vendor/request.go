package vendor

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/rest"
)

// A call is the name of a protocol call.
type call string

const (
	callAuthenticate call = "authenticate"
	callBalance      call = "balance"
	callBet          call = "bet"
	callWin          call = "win"
	callRollback     call = "rollback"
	callEndRound     call = "endRound"
	callPromo        call = "promo"
)

// A request is the body of any call. All calls accept all fields and require some of them.
type request struct {
	RequestID string `json:"requestId,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	Ticket    string `json:"ticket,omitempty"`
	Currency  string `json:"currency,omitempty"`
	GameCode  string `json:"gameCode,omitempty"`
	RoundID   string `json:"roundId,omitempty"`
	TxID      string `json:"txId,omitempty"`
	RefTxID   string `json:"refTxId,omitempty"`
	Amount    string `json:"amount,omitempty"`
	Reason    string `json:"reason,omitempty"`
	EndRound  bool   `json:"endRound,omitempty"`

	minor           money.Minor // Amount in minor units
	unknownCurrency bool        // Currency is unknown, so minor is not set
	overMax         bool        // Amount is larger than one transfer allows
	note            string      // an operator's reason; vendors cannot set it
}

var requiredFields = map[call][]string{
	callAuthenticate: {"ticket"},
	callBalance:      {"sessionId"},
	callBet:          {"sessionId", "currency", "gameCode", "roundId", "txId", "amount"},
	callWin:          {"sessionId", "currency", "gameCode", "roundId", "txId", "amount"},
	callRollback:     {"sessionId", "txId", "refTxId"},
	callEndRound:     {"sessionId", "roundId", "txId"},
	callPromo:        {"sessionId", "currency", "txId", "amount", "reason"},
}

var (
	idFormat       = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)
	tokenFormat    = regexp.MustCompile(`^[!-~]{1,128}$`)
	gameFormat     = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	currencyFormat = regexp.MustCompile(`^[A-Z0-9]{3,8}$`)
	amountFormat   = regexp.MustCompile(`^[0-9]{1,40}(\.[0-9]{1,18})?$`)
)

var fieldFormats = map[string]func(string) bool{
	"requestId": tokenFormat.MatchString, "sessionId": tokenFormat.MatchString, "ticket": tokenFormat.MatchString,
	"currency": currencyFormat.MatchString, "gameCode": gameFormat.MatchString, "roundId": idFormat.MatchString,
	"txId": idFormat.MatchString, "refTxId": idFormat.MatchString, "reason": isReadable,
}

// isReadable reports whether s has 1 to 200 bytes and no control characters.
func isReadable(s string) bool {
	return s != "" && len(s) <= 200 && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// A malformedError causes a response with status 400.
type malformedError struct {
	code  code
	field string
}

func (m *malformedError) Error() string { return fmt.Sprintf("%s (%s)", m.code, m.field) }

func parseRequest(c call, body []byte) (*request, error) {
	if err := rest.CheckJSON(body); err != nil {
		return nil, &malformedError{invalidRequest, "body"}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, &malformedError{invalidRequest, "body"}
	}
	r := &request{}
	texts := map[string]*string{
		"requestId": &r.RequestID, "sessionId": &r.SessionID, "ticket": &r.Ticket, "currency": &r.Currency, "gameCode": &r.GameCode,
		"roundId": &r.RoundID, "txId": &r.TxID, "refTxId": &r.RefTxID, "amount": &r.Amount, "reason": &r.Reason,
	}
	for _, name := range requiredFields[c] {
		if _, found := fields[name]; !found {
			return nil, &malformedError{invalidRequest, name}
		}
	}
	for name, raw := range fields {
		into, known := texts[name]
		switch {
		case name == "endRound":
			if string(raw) != "true" && string(raw) != "false" {
				return nil, &malformedError{invalidRequest, name}
			}
			r.EndRound = string(raw) == "true"
		case !known:
			if len(name) > 64 || !tokenFormat.MatchString(name) {
				name = "body"
			}
			return nil, &malformedError{invalidRequest, name}
		case name == "amount":
			if json.Unmarshal(raw, into) != nil || raw[0] != '"' || !amountFormat.MatchString(*into) {
				return nil, &malformedError{invalidAmount, name}
			}
		case raw[0] != '"' || json.Unmarshal(raw, into) != nil || !fieldFormats[name](*into):
			return nil, &malformedError{invalidRequest, name}
		}
	}
	if r.TxID != "" && r.TxID == r.RefTxID {
		return nil, &malformedError{invalidRequest, "refTxId"}
	}
	return r, r.readAmount(c)
}

// maxUnits is the maximum amount in units of any currency.
var maxUnits = new(big.Rat).SetInt64(int64(ledger.MaxAmount))

func (r *request) readAmount(c call) error {
	if c != callBet && c != callWin && c != callPromo {
		return nil
	}
	units, ok := new(big.Rat).SetString(r.Amount)
	if !ok || units.Cmp(maxUnits) > 0 || units.Sign() == 0 && c != callWin {
		return &malformedError{invalidAmount, "amount"}
	}
	currency, err := money.Find(r.Currency)
	if err != nil {
		r.unknownCurrency = true
		return nil //nolint:nilerr // no player has an unknown currency, so the call fails as WRONG_CURRENCY
	}
	r.minor, err = currency.Parse(r.Amount)
	if err != nil {
		return &malformedError{invalidAmount, "amount"}
	}
	if r.minor > ledger.MaxAmount {
		if c != callBet {
			return &malformedError{invalidAmount, "amount"}
		}
		r.minor, r.overMax = ledger.MaxAmount, true // no player has this much, so the bet fails as INSUFFICIENT_FUNDS
	}
	return nil
}

// content returns the parts of a call that its transfer does not store. Reusing a txId with different content is a
// conflict.
func (r *request) content() string { return r.joinContent("end", r.GameCode, r.Currency) }

// rollbackContent includes the round, which a rollback's transfer does not store.
func (r *request) rollbackContent() string {
	return r.joinContent("+end", r.GameCode, r.Currency, r.RoundID)
}

// joinContent returns a unique encoding: different contents have different encodings. Missing values become "~", which no named
// value contains. Each later part has a distinct prefix, and end cannot equal a named value.
func (r *request) joinContent(end string, named ...string) string {
	used := 0
	for i, name := range named {
		if name == "" {
			named[i] = "~"
			continue
		}
		used = i + 1
	}
	var more []string
	if r.EndRound {
		more = append(more, end)
	}
	if r.unknownCurrency || r.overMax {
		more = append(more, "="+r.Amount)
	}
	if r.Reason != "" {
		more = append(more, ":"+r.Reason) // may contain spaces, so it comes last
	}
	if len(more) == 0 {
		named = named[:used]
	}
	return strings.Join(append(named, more...), " ")
}
