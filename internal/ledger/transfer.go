package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"fairground/internal/fault"
	"fairground/internal/money"
)

// Refusals that are stored. A later post with the same key gets the same refusal.
var (
	ErrInsufficient = fault.New(fault.Refused, "ledger.insufficient_funds")
	ErrOverflow     = fault.New(fault.Refused, "ledger.overflow")
	ErrSettled      = fault.New(fault.Conflict, "ledger.settled")   // the hold was paid or released, or the transfer was reversed
	ErrTombstone    = fault.New(fault.Conflict, "ledger.tombstone") // a tombstone was set before the transfer arrived
)

// Errors that are not stored. The same key may be posted again.
var (
	ErrConflict       = fault.New(fault.Conflict, "ledger.key_conflict") // the key was used with other content
	ErrMalformed      = fault.New(fault.Invalid, "ledger.malformed")     // invalid for any balances
	ErrAccount        = fault.New(fault.NotFound, "ledger.unknown_account")
	ErrMismatch       = fault.New(fault.Invalid, "ledger.account_mismatch")  // different currency or merchant, or wrong use of a held account
	ErrOrigin         = fault.New(fault.NotFound, "ledger.unknown_transfer") // no such hold or transfer to settle or reverse
	ErrNotReversible  = fault.New(fault.Invalid, "ledger.not_reversible")    // the transfer is a hold, a settlement, a reversal or empty
	ErrRow            = fault.New(fault.Conflict, "ledger.row_refused")      // an extra row violates its table's constraints
	ErrUnavailable    = fault.New(fault.Unavailable, "ledger.unavailable")   // not posted, because the database is down, full or busy
	ErrOutcomeUnknown = fault.New(fault.Unavailable, "ledger.unknown")       // possibly posted; retry with the same key
	ErrClosed         = fault.New(fault.Unavailable, "ledger.closed")
)

// ErrShort rejects a post with Attempt whose debit account has too little money. Nothing is stored under its key.
var ErrShort = errors.New("the account of an attempt has too little")

// Kinds of transfer with their own rules. Domains choose all other kinds.
const (
	KindHold     = "hold"         // reserves cash, to be paid or released later
	KindPay      = "hold.pay"     // settles a hold: the money leaves the member
	KindRelease  = "hold.release" // settles a hold: the money returns to the member
	KindReversal = "reversal"     // the exact opposite of an earlier transfer

	kindTombstone = "tombstone" // see Tombstone
)

// MaxAmount is the maximum amount of a transfer. It prevents the sum of a batch from overflowing.
const MaxAmount money.Minor = 1_000_000_000_000_000

const (
	maxKey  = 200
	maxKind = 64
	maxNote = 500
)

// A Transfer is a request to move money from Debit to Credit. The fields above Empty are its content. Two requests
// with the same Key and the same content are the same transfer, even if the other fields differ.
type Transfer struct {
	Key    string // idempotency key, unique forever; prefix it with the domain
	Debit  int64  // account that pays
	Credit int64  // account that receives
	Amount money.Minor
	Kind   string
	Origin int64 // for KindPay, KindRelease and KindReversal: the transfer to settle or reverse

	RefType string // the cause in the domain's terms: bet, deposit, withdrawal …
	RefID   string
	Note    string

	Empty   bool   // moves nothing, and Amount must be 0; records a call with the usual key, gate and locks
	Refuse  string // refuse with this code and store the refusal, unless the key is used
	Guarded bool   // post only if Options.Limits admits it
	Attempt bool   // if the balance is too small, return ErrShort and store nothing, so that another account can pay
	Rows    []Row  // domain rows to write if the transfer is posted
}

// Posted is the result of a transfer. A repeated key returns the first result.
type Posted struct {
	ID          int64
	At          time.Time
	DebitAfter  money.Minor // balance after this transfer or refusal; 0 for house accounts
	CreditAfter money.Minor
	Replayed    bool // the key was used before, so this call posted nothing
}

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

// validText reports whether both engines store s unchanged. PostgreSQL rejects invalid UTF-8 and zero bytes.
func validText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

func (t *Transfer) settles() bool {
	return t.Kind == KindPay || t.Kind == KindRelease || t.Kind == KindReversal
}

// hash returns the digest of the content. Each text is preceded by its length, so different contents have different encodings.
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

func refusalOf(code string) *fault.Fault {
	for _, f := range [...]*fault.Fault{ErrInsufficient, ErrOverflow, ErrSettled, ErrTombstone} {
		if f.Code == code {
			return f
		}
	}
	return fault.New(fault.Refused, code) // from Limits or the caller
}
