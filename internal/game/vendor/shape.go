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

// call names one of the protocol's seven.
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

// request is a call's body. Every call takes every field, and needs some of them.
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

	minor   money.Minor // of Amount, in Currency
	unknown bool        // Currency is none of ours: minor says nothing
	beyond  bool        // Amount is well formed, and more than one transfer can move
	note    string      // an operator's reason: no vendor can send one
}

// needs are the fields that a call cannot do without.
var needs = map[call][]string{
	callAuthenticate: {"ticket"},
	callBalance:      {"sessionId"},
	callBet:          {"sessionId", "currency", "gameCode", "roundId", "txId", "amount"},
	callWin:          {"sessionId", "currency", "gameCode", "roundId", "txId", "amount"},
	callRollback:     {"sessionId", "txId", "refTxId"},
	callEndRound:     {"sessionId", "roundId", "txId"},
	callPromo:        {"sessionId", "currency", "txId", "amount", "reason"},
}

var (
	txForm       = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)
	wordForm     = regexp.MustCompile(`^[!-~]{1,128}$`)
	gameForm     = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	currencyForm = regexp.MustCompile(`^[A-Z0-9]{3,8}$`)
	amountForm   = regexp.MustCompile(`^[0-9]{1,40}(\.[0-9]{1,18})?$`)
)

// forms say how each text field is written.
var forms = map[string]func(string) bool{
	"requestId": wordForm.MatchString, "sessionId": wordForm.MatchString, "ticket": wordForm.MatchString,
	"currency": currencyForm.MatchString, "gameCode": gameForm.MatchString, "roundId": txForm.MatchString,
	"txId": txForm.MatchString, "refTxId": txForm.MatchString, "reason": readable,
}

// readable: 1 to 200 bytes without control characters.
func readable(s string) bool {
	return s != "" && len(s) <= 200 && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// malformed is an answer 400.
type malformed struct {
	code  code
	field string
}

func (m *malformed) Error() string { return fmt.Sprintf("%s (%s)", m.code, m.field) }

// read takes a body apart and checks every field of it.
func read(c call, body []byte) (*request, error) {
	if err := rest.CheckJSON(body); err != nil {
		return nil, &malformed{invalidRequest, "body"}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, &malformed{invalidRequest, "body"}
	}
	r := &request{}
	texts := map[string]*string{
		"requestId": &r.RequestID, "sessionId": &r.SessionID, "ticket": &r.Ticket, "currency": &r.Currency, "gameCode": &r.GameCode,
		"roundId": &r.RoundID, "txId": &r.TxID, "refTxId": &r.RefTxID, "amount": &r.Amount, "reason": &r.Reason,
	}
	for _, name := range needs[c] {
		if _, given := fields[name]; !given {
			return nil, &malformed{invalidRequest, name}
		}
	}
	for name, raw := range fields {
		into, known := texts[name]
		switch {
		case name == "endRound":
			if string(raw) != "true" && string(raw) != "false" {
				return nil, &malformed{invalidRequest, name}
			}
			r.EndRound = string(raw) == "true"
		case !known:
			if len(name) > 64 || !wordForm.MatchString(name) {
				name = "body"
			}
			return nil, &malformed{invalidRequest, name}
		case name == "amount":
			if json.Unmarshal(raw, into) != nil || raw[0] != '"' || !amountForm.MatchString(*into) {
				return nil, &malformed{invalidAmount, name}
			}
		case raw[0] != '"' || json.Unmarshal(raw, into) != nil || !forms[name](*into):
			return nil, &malformed{invalidRequest, name}
		}
	}
	if r.TxID != "" && r.TxID == r.RefTxID {
		return nil, &malformed{invalidRequest, "refTxId"}
	}
	return r, r.readAmount(c)
}

// mostUnits is more than any amount may be, in units of the currency.
var mostUnits = new(big.Rat).SetInt64(int64(ledger.MaxAmount))

// readAmount checks the amount of a call that has one.
func (r *request) readAmount(c call) error {
	if c != callBet && c != callWin && c != callPromo {
		return nil
	}
	units, ok := new(big.Rat).SetString(r.Amount)
	if !ok || units.Cmp(mostUnits) > 0 || units.Sign() == 0 && c != callWin {
		return &malformed{invalidAmount, "amount"}
	}
	currency, err := money.Find(r.Currency)
	if err != nil {
		r.unknown = true
		return nil //nolint:nilerr // nobody's here: it will be the wrong one, whatever the amount
	}
	r.minor, err = currency.Parse(r.Amount)
	if err != nil {
		return &malformed{invalidAmount, "amount"}
	}
	if r.minor > ledger.MaxAmount {
		if c != callBet {
			return &malformed{invalidAmount, "amount"}
		}
		r.minor, r.beyond = ledger.MaxAmount, true // nobody has so much
	}
	return nil
}

// content is what the call says beyond what the transfer has fields for: with it, the same id with other words is a conflict.
func (r *request) content() string { return r.words("end", r.GameCode, r.Currency) }

// backContent is that of a rollback, whose transfer has no field for the round either.
func (r *request) backContent() string { return r.words("+end", r.GameCode, r.Currency, r.RoundID) }

// words writes no two contents alike: what is not said keeps its place, by a sign that nothing named may have, and each word
// behind the named ones is told by how it begins. end is one that no last name can be.
func (r *request) words(end string, named ...string) string {
	said := 0
	for i, name := range named {
		if name == "" {
			named[i] = "~"
			continue
		}
		said = i + 1
	}
	var more []string
	if r.EndRound {
		more = append(more, end)
	}
	if r.unknown || r.beyond {
		more = append(more, "="+r.Amount)
	}
	if r.Reason != "" {
		more = append(more, ":"+r.Reason) // may have blanks, so it comes last
	}
	if len(more) == 0 {
		named = named[:said]
	}
	return strings.Join(append(named, more...), " ")
}
