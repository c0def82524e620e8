package wallet

import (
	"errors"

	"fairground/internal/game/house/refusal"
)

// Codes of the vendor protocol that the House acts on.
const (
	CodeOK       = "OK"
	CodeFunds    = "INSUFFICIENT_FUNDS"
	CodeLimit    = "LIMIT_REACHED"
	CodeExcluded = "EXCLUDED"
	CodeExpired  = "SESSION_EXPIRED"
	CodeDisabled = "ACCOUNT_DISABLED"
	CodeRolled   = "TX_ROLLED_BACK"
	CodeClosed   = "ROUND_CLOSED"
	CodeNoRound  = "ROUND_NOT_FOUND"
	CodeCurrency = "WRONG_CURRENCY"
	CodeGameOff  = "GAME_UNAVAILABLE"
)

// CodeBettingClosed is not a code of the protocol. The House uses it if the wallet took the stake after the table had closed.
const CodeBettingClosed = "BETTING_CLOSED"

// StatusTombstone is the status of a rollback for a bet that the wallet never received.
const StatusTombstone = "tombstone"

// Final lists the refusals that the wallet stores with a txId. Every later call with that txId gets the same refusal.
var Final = []string{CodeFunds, CodeLimit, CodeExcluded, CodeClosed, CodeNoRound, CodeRolled, CodeCurrency}

// Refusal returns the fault that a player sees for a code.
func Refusal(code string) error {
	switch code {
	case CodeFunds:
		return refusal.ErrFunds
	case CodeLimit:
		return refusal.ErrLimit
	case CodeExcluded:
		return refusal.ErrExcluded
	case CodeBettingClosed:
		return refusal.ErrBettingClosed
	case CodeGameOff:
		return refusal.ErrClosed
	case CodeExpired, CodeDisabled:
		return refusal.ErrExpired
	default:
		return refusal.ErrUnavailable.Because(errors.New("the wallet returned code " + code))
	}
}
