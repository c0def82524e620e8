package ledger

import (
	"context"
	"crypto/sha256"
	"math"
	"slices"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A book holds the rows that one transaction has locked and read. It applies every money rule, in the same way for
// both engines. It does no I/O, except when it opens the gate.
type book struct {
	at        int64
	accounts  map[int64]*account
	origins   map[int64]*origin
	changed   []*account // member accounts, in the order of their first change
	deltas    map[int64]int64
	stored    map[string]query.TransferByKeyRow // transfers already stored under the posts' keys
	finished  map[string]*post                  // posts of this batch that have a result, by key
	gate      Gate
	gateIndex map[*post]int // index of each guarded post in the gate
}

type account struct {
	query.Account
	touched bool
}

type origin struct {
	query.Transfer
	settled bool
}

type post struct {
	*Transfer
	digest         [sha256.Size]byte       // of the content
	triedSingle    bool                    // postSingle did not post it, so the batch must
	outcomeUnknown bool                    // a connection was lost after the post was sent, so it may have been committed
	tombstone      *query.TransferByKeyRow // tombstone stored under the key, or nil
	result         Posted
	err            error
}

// An entry is one side of a transfer. If the transfer moves nothing, it is the account's last entry.
type entry struct {
	account int64
	seq     int64
	amount  int64
	after   *int64 // balance after the entry; nil for a house account
}

// seqOrNil returns the seq to store in the transfer row. It returns nil for a house account that did not move.
func (e *entry) seqOrNil() *int64 {
	if e.seq == 0 && e.after == nil {
		return nil
	}
	return &e.seq
}

// A decision is the result of the rules for one post: a refusal, an error, or neither. Without an error,
// debit and credit are set.
type decision struct {
	refusal       string // code of a stored refusal
	err           error  // not stored
	debit, credit *account
}

func newBook(at int64) *book {
	return &book{
		at: at, accounts: make(map[int64]*account), origins: make(map[int64]*origin), deltas: make(map[int64]int64),
		stored: make(map[string]query.TransferByKeyRow), finished: make(map[string]*post),
	}
}

func (b *book) add(rows ...query.Account) {
	for _, row := range rows {
		b.accounts[row.ID] = &account{Account: row}
	}
}

func prepareLimits(limits Limits, engine db.Engine, posts []*post) LimitCheck {
	if limits == nil {
		return LimitCheck{}
	}
	var guarded []*Transfer
	for _, p := range posts {
		if p.Guarded {
			guarded = append(guarded, p.Transfer)
		}
	}
	if guarded == nil {
		return LimitCheck{}
	}
	return limits.Prepare(engine, guarded)
}

func (b *book) openGate(ctx context.Context, q LimitCheck, v View, posts []*post) error {
	if q.Open == nil {
		return nil
	}
	var guarded []Guarded
	for _, p := range posts {
		d, c := b.accounts[p.Debit], b.accounts[p.Credit]
		if _, known := b.stored[p.Key]; known || !p.Guarded || d == nil || c == nil {
			continue
		}
		if b.gateIndex == nil {
			b.gateIndex = make(map[*post]int)
		}
		b.gateIndex[p] = len(guarded)
		guarded = append(guarded, Guarded{Transfer: *p.Transfer, DebitAccount: accountOf(d.Account), CreditAccount: accountOf(c.Account), At: b.at})
	}
	if guarded == nil {
		return nil
	}
	gate, err := q.Open(ctx, v, guarded)
	b.gate = gate
	return err
}

// finishFromKey returns the earlier result of the post's key, if this batch or an earlier one used the key. A
// tombstone is not a result. The first post under a tombstone is decided, and its content is stored in the tombstone.
func (b *book) finishFromKey(p *post) (finished bool) {
	p.tombstone = nil
	if first, ok := b.finished[p.Key]; ok {
		p.copyResult(first)
		return true
	}
	row, ok := b.stored[p.Key]
	if ok && row.Kind == kindTombstone {
		p.tombstone = &row
		return false
	}
	if ok {
		p.replay(row)
	}
	return ok
}

// decide applies every rule to a post with a new key. It changes nothing. It checks for errors first, then for
// refusals, in this order: tombstone, caller, settled origin, gate, balance.
func (b *book) decide(p *post) decision {
	d, c := b.accounts[p.Debit], b.accounts[p.Credit]
	switch {
	case d == nil:
		return decision{err: ErrAccount.On("debit")}
	case c == nil:
		return decision{err: ErrAccount.On("credit")}
	case d.Currency != c.Currency:
		return decision{err: ErrMismatch.On("currency")}
	case d.MerchantID != c.MerchantID:
		return decision{err: ErrMismatch.On("merchant")}
	}
	if err := checkHeld(p.Kind, &d.Account, &c.Account); err != nil {
		return decision{err: err}
	}
	o := b.origins[p.Origin]
	if p.Origin != 0 {
		if err := checkOrigin(p.Transfer, o); err != nil {
			return decision{err: err}
		}
	}
	if err := b.gateError(p); err != nil {
		return decision{err: err}
	}
	refusal := b.refusal(p, d, c, o)
	if p.Attempt && p.tombstone == nil && refusal == ErrInsufficient.Code {
		return decision{err: ErrShort}
	}
	return decision{debit: d, credit: c, refusal: refusal}
}

func (b *book) gateError(p *post) error {
	i, guarded := b.gateIndex[p]
	stopper, ok := b.gate.(Stopper)
	if !guarded || !ok || p.tombstone != nil || p.Refuse != "" {
		return nil
	}
	return stopper.Stop(i)
}

func (b *book) refusal(p *post, d, c *account, o *origin) string {
	switch {
	case p.tombstone != nil:
		return p.tombstone.Refusal.String
	case p.Refuse != "":
		return p.Refuse
	case o != nil && o.settled:
		return ErrSettled.Code
	}
	if i, ok := b.gateIndex[p]; ok {
		if code := b.gate.Admit(i); code != "" {
			return code
		}
	}
	if p.Empty {
		return "" // an account below a raised floor may still end a round
	}
	if !d.Derived {
		left, err := money.Minor(d.Balance).Sub(p.Amount)
		if err != nil || int64(left) < d.Floor {
			return ErrInsufficient.Code
		}
	}
	if !c.Derived && c.Balance > math.MaxInt64-int64(p.Amount) {
		return ErrOverflow.Code
	}
	return ""
}

// checkHeld allows only holds and their settlements to use held accounts, so that a held balance always equals the
// sum of open holds. A hold can be paid only to the house. A payment to a member would bypass the transfer rules.
func checkHeld(kind string, d, c *query.Account) error {
	switch kind {
	case KindHold:
		if d.Kind == Held || c.Kind != Held || d.MemberID != c.MemberID {
			return ErrMismatch.On("hold")
		}
	case KindPay:
		if d.Kind != Held || !c.Derived {
			return ErrMismatch.On("hold")
		}
	case KindRelease:
		if d.Kind != Held || d.MemberID != c.MemberID {
			return ErrMismatch.On("hold")
		}
	default:
		if d.Kind == Held || c.Kind == Held {
			return ErrMismatch.On("hold")
		}
	}
	return nil
}

func checkOrigin(t *Transfer, o *origin) error {
	if o == nil || o.Refusal.Valid {
		return ErrOrigin
	}
	if t.Kind == KindReversal && !isReversible(&o.Transfer) {
		return ErrNotReversible
	}
	if t.Kind != KindReversal && o.Kind != KindHold {
		return ErrOrigin
	}
	same := t.Debit == o.CreditID && int64(t.Amount) == o.Amount
	if t.Kind != KindPay {
		same = same && t.Credit == o.DebitID
	}
	if !same {
		return ErrMalformed.On("origin")
	}
	return nil
}

func isReversible(o *query.Transfer) bool {
	return o.Kind != KindHold && !o.OriginID.Valid && o.Amount > 0
}

func (r decision) moves(p *post) bool { return r.refusal == "" && !p.Empty }

// entries returns the entries to create. If the transfer moves nothing, it returns the accounts' last entries, so
// that a replay returns the same balances.
func (r decision) entries(p *post, id int64) (debit, credit entry) {
	if !r.moves(p) {
		return r.debit.lastEntry(), r.credit.lastEntry()
	}
	return r.debit.nextEntry(id, -int64(p.Amount)), r.credit.nextEntry(id, int64(p.Amount))
}

func (a *account) lastEntry() entry {
	if a.Derived {
		return entry{account: a.ID}
	}
	balance := a.Balance
	return entry{account: a.ID, seq: a.Seq, after: &balance}
}

func (a *account) nextEntry(transfer, amount int64) entry {
	if a.Derived {
		return entry{account: a.ID, seq: transfer, amount: amount}
	}
	after := a.Balance + amount
	return entry{account: a.ID, seq: a.Seq + 1, amount: amount, after: &after}
}

func (b *book) apply(p *post, r decision, id int64) {
	debit, credit := r.entries(p, id)
	p.result = Posted{ID: id, At: time.UnixMilli(b.at).UTC(), DebitAfter: orZero(debit.after), CreditAfter: orZero(credit.after)}
	p.err = nil
	b.finished[p.Key] = p
	if r.refusal != "" {
		p.err = refusalOf(r.refusal)
		if p.tombstone != nil {
			p.result.ID, p.result.At = p.tombstone.ID, time.UnixMilli(p.tombstone.CreatedAt).UTC()
		}
		return
	}
	if r.moves(p) {
		b.move(r.debit, debit)
		b.move(r.credit, credit)
	}
	if o := b.origins[p.Origin]; o != nil {
		o.settled = true
	}
	if i, ok := b.gateIndex[p]; ok {
		b.gate.Count(i)
	}
}

func (b *book) move(a *account, e entry) {
	if a.Derived {
		b.deltas[a.ID] += e.amount // cannot overflow, because it is at most MaxAmount × maxBatch
		return
	}
	a.Balance, a.Seq = *e.after, e.seq
	if !a.touched {
		a.touched = true
		b.changed = append(b.changed, a)
	}
}

// replay sets the result from the stored transfer of the post's key.
func (p *post) replay(row query.TransferByKeyRow) {
	if !slices.Equal(row.PayloadHash, p.digest[:]) {
		p.result, p.err = Posted{}, ErrConflict
		return
	}
	p.result = Posted{ID: row.ID, At: time.UnixMilli(row.CreatedAt).UTC(), Replayed: true,
		DebitAfter: money.Minor(row.DebitAfter.Int64), CreditAfter: money.Minor(row.CreditAfter.Int64)}
	p.err = nil
	if row.Refusal.Valid {
		p.err = refusalOf(row.Refusal.String)
	}
}

// copyResult copies the result of an earlier post with the same key in this batch.
func (p *post) copyResult(first *post) {
	if p.digest != first.digest {
		p.result, p.err = Posted{}, ErrConflict
		return
	}
	p.result, p.err = first.result, first.err
	p.result.Replayed = true
}

func orZero(n *int64) money.Minor {
	if n == nil {
		return 0
	}
	return money.Minor(*n)
}
