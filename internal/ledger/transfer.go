package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"

	"fairground/internal/fault"
	"fairground/internal/money"
)

// Refusals that are remembered: the key that met one keeps it for good.
var (
	ErrInsufficient = fault.New(fault.Refused, "ledger.insufficient_funds")
	ErrOverflow     = fault.New(fault.Refused, "ledger.overflow")
	ErrSettled      = fault.New(fault.Conflict, "ledger.settled")   // the hold was paid or released, the transfer reversed
	ErrTombstone    = fault.New(fault.Conflict, "ledger.tombstone") // taken back before it came: Tombstone was faster
)

// Answers that leave no trace: the same key may be tried again.
var (
	ErrConflict       = fault.New(fault.Conflict, "ledger.key_conflict")     // the key was used with other content
	ErrMalformed      = fault.New(fault.Invalid, "ledger.malformed")         // never well formed, whatever the balances
	ErrAccount        = fault.New(fault.NotFound, "ledger.unknown_account")  // no such account
	ErrMismatch       = fault.New(fault.Invalid, "ledger.account_mismatch")  // other currency, other merchant, or money on hold
	ErrOrigin         = fault.New(fault.NotFound, "ledger.unknown_transfer") // no such hold or transfer to settle or reverse
	ErrNotReversible  = fault.New(fault.Invalid, "ledger.not_reversible")    // holds, settlements, reversals and what moved nothing
	ErrRow            = fault.New(fault.Conflict, "ledger.row_refused")      // a row riding with the post broke its table's rules
	ErrUnavailable    = fault.New(fault.Unavailable, "ledger.unavailable")   // not posted; the database is down, full or busy
	ErrOutcomeUnknown = fault.New(fault.Unavailable, "ledger.unknown")       // perhaps posted: ask again with the same key
	ErrClosed         = fault.New(fault.Unavailable, "ledger.closed")
)

// Kinds of transfer that carry rules of their own. All others are names that domains choose.
const (
	KindHold     = "hold"         // cash set aside, to be paid or released later
	KindPay      = "hold.pay"     // a hold that left the member
	KindRelease  = "hold.release" // a hold that came back
	KindReversal = "reversal"     // the exact opposite of an earlier transfer

	kindTombstone = "tombstone" // a key that is refused whatever comes under it; see Tombstone
)

// MaxAmount bounds one transfer, so that no batch of them can overflow a sum.
const MaxAmount money.Minor = 1_000_000_000_000_000

const (
	maxKey  = 200
	maxKind = 64
	maxNote = 500
)

// Transfer asks for one movement of money from Debit to Credit. Everything above Empty is its content: the same
// Key with the same content is the same transfer, whatever else is asked with it.
type Transfer struct {
	Key    string // the caller's name for this movement, unique for ever; prefix it with the domain
	Debit  int64  // account that gives
	Credit int64  // account that receives
	Amount money.Minor
	Kind   string
	Origin int64 // for KindPay, KindRelease and KindReversal: what is settled or reversed

	RefType string // what the domain calls the cause: bet, deposit, withdrawal …
	RefID   string
	Note    string

	Empty   bool   // moves nothing, Amount is 0: a call that is made once, under the same key, gate and lock as those that move
	Refuse  string // the caller has found against it: remember this code, unless the key is known
	Guarded bool   // ask Limits before posting
	Rows    []Row  // domain rows written together with it, once, when it is posted
}

// Posted is the answer to a transfer. A repeated key gets the first answer again.
type Posted struct {
	ID          int64
	At          time.Time
	DebitAfter  money.Minor // balance after this transfer or refusal; zero for derived accounts, whose balance lags
	CreditAfter money.Minor
	Replayed    bool // the key was known: nothing was posted by this call
}

// check refuses what could never be posted.
func (t *Transfer) check() error {
	switch {
	case !validKey(t.Key):
		return ErrMalformed.On("key")
	case t.Debit <= 0:
		return ErrMalformed.On("debit")
	case t.Credit <= 0 || t.Credit == t.Debit:
		return ErrMalformed.On("credit")
	case t.Amount < 0 || t.Amount > MaxAmount || t.Empty != (t.Amount == 0):
		return ErrMalformed.On("amount")
	case t.Kind == "" || len(t.Kind) > maxKind || !validText(t.Kind) || t.Kind == kindTombstone || t.Empty && (t.settles() || t.Kind == KindHold):
		return ErrMalformed.On("kind")
	case len(t.Refuse) > maxKind || !validText(t.Refuse):
		return ErrMalformed.On("refuse")
	case t.settles() != (t.Origin > 0) || t.Origin < 0:
		return ErrMalformed.On("origin")
	case len(t.RefType) > maxKind || len(t.RefID) > maxKey || len(t.Note) > maxNote:
		return ErrMalformed.On("reference")
	case !validText(t.RefType) || !validText(t.RefID) || !validText(t.Note):
		return ErrMalformed.On("reference")
	}
	for i := range t.Rows {
		if err := t.Rows[i].check(); err != nil {
			return err
		}
	}
	return nil
}

func validKey(s string) bool { return s != "" && len(s) <= maxKey && validText(s) }

// clean says that both engines store the text as it is: PostgreSQL takes neither broken UTF-8 nor a zero.
func validText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

func (t *Transfer) settles() bool {
	return t.Kind == KindPay || t.Kind == KindRelease || t.Kind == KindReversal
}

// hash is the digest of the content. Each text carries its length, so no two contents share a form.
func (t *Transfer) hash() [sha256.Size]byte {
	b := make([]byte, 0, 256)
	for _, n := range [...]int64{t.Debit, t.Credit, int64(t.Amount), t.Origin} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	for _, s := range [...]string{t.Kind, t.RefType, t.RefID, t.Note} {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return sha256.Sum256(b)
}

// refusalOf is the fault that a stored refusal stands for.
func refusalOf(code string) *fault.Fault {
	for _, f := range [...]*fault.Fault{ErrInsufficient, ErrOverflow, ErrSettled, ErrTombstone} {
		if f.Code == code {
			return f
		}
	}
	return fault.New(fault.Refused, code) // one of Limits' or of the caller's
}
