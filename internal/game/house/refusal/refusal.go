// Package refusal defines the faults of House calls that players make. The engines define some more.
package refusal

import "fairground/internal/fault"

// Faults of all games.
var (
	ErrExpired       = fault.New(fault.Unauth, "house.session_expired")
	ErrUnavailable   = fault.New(fault.Unavailable, "house.unavailable") // no money moved
	ErrClosed        = fault.New(fault.Refused, "house.game_closed")     // the game is off or under maintenance; no money moved
	ErrPending       = fault.New(fault.Unavailable, "house.pending")     // the outcome is unknown; the client repeats the same request
	ErrFunds         = fault.New(fault.Refused, "house.insufficient_funds")
	ErrLimit         = fault.New(fault.Refused, "house.limit_reached")
	ErrExcluded      = fault.New(fault.Refused, "house.excluded")
	ErrTooFast       = fault.New(fault.TooMany, "house.too_fast")
	ErrConflict      = fault.New(fault.Conflict, "house.spin_conflict")
	ErrOtherSeed     = fault.New(fault.Conflict, "house.other_seed") // another round has used the seed that the player saw
	ErrRefunded      = fault.New(fault.Refused, "house.refunded")
	ErrStuck         = fault.New(fault.Refused, "house.set_aside") // the payout or refund is still owed
	ErrUnknownRound  = fault.New(fault.NotFound, "house.unknown_round")
	ErrUnknownEngine = fault.New(fault.NotFound, "house.unknown_engine")
	ErrWrongGame     = fault.New(fault.NotFound, "house.wrong_game") // a call for tables from a slot's frame, or a call for slots from a table's frame
)

// Faults of the live tables. No money moved.
var (
	ErrBettingClosed = fault.New(fault.Conflict, "house.betting_closed")
	ErrSpotLimit     = fault.New(fault.Refused, "house.spot_limit")
	ErrTableLimit    = fault.New(fault.Refused, "house.table_limit")
	ErrBelowMinimum  = fault.New(fault.Refused, "house.below_minimum")
	ErrWrongMultiple = fault.New(fault.Refused, "house.wrong_multiple")
	ErrTooMany       = fault.New(fault.Refused, "house.too_many_tickets")
)
