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

// book is the part of the ledger that one transaction has locked and read: the accounts, the earlier
// transfers that are to be settled or reversed, and the gate. Every rule about money is decided here, the
// same for both engines; how rows are read and written is not its concern.
type book struct {
	at        int64
	accounts  map[int64]*account
	origins   map[int64]*origin
	changed   []*account // member accounts, in the order of their first change
	deltas    map[int64]int64
	stored    map[string]query.TransferByKeyRow // what stood under the posts' keys, as far as it was looked up
	answered  map[string]*post                  // what this batch has answered for
	gate      Gate
	gateIndex map[*post]int // each guarded post's place at the gate
}

type account struct {
	query.Account
	touched bool
}

type origin struct {
	query.Transfer
	settled bool
}

// post is one transfer on its way through a batch, with its answer.
type post struct {
	*Transfer
	digest      [sha256.Size]byte
	triedSingle bool                    // the one-statement way found that a rule might say no
	tombstone   *query.TransferByKeyRow // stands under the key
	answer      Posted
	err         error
}

// entry is one side of a transfer: made by it, or the account's last where nothing moves.
type entry struct {
	account int64
	seq     int64
	amount  int64
	after   *int64
}

// place is what the transfer's row says of this side: nothing of a derived account that was not moved.
func (e *entry) seqOrNil() *int64 {
	if e.seq == 0 && e.after == nil {
		return nil
	}
	return &e.seq
}

// decision is what the rules say of one post: exactly one of refusal, fail and neither. The accounts are there unless
// it fails.
type decision struct {
	refusal       string // the code of one that is remembered
	err           error  // not remembered
	debit, credit *account
}

func newBook(at int64) *book {
	return &book{
		at: at, accounts: make(map[int64]*account), origins: make(map[int64]*origin), deltas: make(map[int64]int64),
		stored: make(map[string]query.TransferByKeyRow), answered: make(map[string]*post),
	}
}

func (b *book) add(rows ...query.Account) {
	for _, row := range rows {
		b.accounts[row.ID] = &account{Account: row}
	}
}

// ask puts Limits' question about the guarded posts; nothing where there are none.
func prepareLimits(limits Limits, engine db.Engine, posts []*post) LimitCheck {
	if limits == nil {
		return LimitCheck{}
	}
	var asked []*Transfer
	for _, p := range posts {
		if p.Guarded {
			asked = append(asked, p.Transfer)
		}
	}
	if asked == nil {
		return LimitCheck{}
	}
	return limits.Prepare(engine, asked)
}

// openGate opens the gate for the guarded posts whose accounts are known and whose keys are not: of what will be
// answered from its key it has nothing to say.
func (b *book) openGate(ctx context.Context, q LimitCheck, v View, posts []*post) error {
	if q.Open == nil {
		return nil
	}
	var asked []Guarded
	for _, p := range posts {
		d, c := b.accounts[p.Debit], b.accounts[p.Credit]
		if _, known := b.stored[p.Key]; known || !p.Guarded || d == nil || c == nil {
			continue
		}
		if b.gateIndex == nil {
			b.gateIndex = make(map[*post]int)
		}
		b.gateIndex[p] = len(asked)
		asked = append(asked, Guarded{Transfer: *p.Transfer, DebitAccount: accountOf(d.Account), CreditAccount: accountOf(c.Account), At: b.at})
	}
	if asked == nil {
		return nil
	}
	gate, err := q.Open(ctx, v, asked)
	b.gate = gate
	return err
}

// recall answers a post whose key was answered for before, by this batch or earlier. A tombstone is not yet an
// answer: what comes under it first is decided, and gives it its content.
func (b *book) answerFromKey(p *post) (answered bool) {
	p.tombstone = nil
	if first, ok := b.answered[p.Key]; ok {
		p.copyAnswer(first)
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

// decide applies every rule to a post that recall did not answer. It changes nothing. What could never be posted fails
// first; of the refusals, that of the key comes before the caller's, the gate's, and the balance's.
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
	return decision{debit: d, credit: c, refusal: b.refusal(p, d, c, o)}
}

// refusal is the code of what stands against a post that could be posted, or empty.
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
		return "" // an account below a raised floor may still end its round
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

// checkHeld keeps held accounts to holds: only so is what stands on them always the sum of the open ones. A hold
// is paid to the house; to another member it would be a transfer that no rule about transfers has seen.
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

// checkOrigin compares a settlement or reversal with what it settles or reverses.
func checkOrigin(t *Transfer, o *origin) error {
	if o == nil || o.Refusal.Valid {
		return ErrOrigin
	}
	if t.Kind == KindReversal && !reversible(&o.Transfer) {
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

func reversible(o *query.Transfer) bool {
	return o.Kind != KindHold && !o.OriginID.Valid && o.Amount > 0
}

// moves says that the decision makes entries.
func (r decision) moves(p *post) bool { return r.refusal == "" && !p.Empty }

// sides are the entries that the decision will make under the transfer's id, or, where nothing moves, the last ones
// of the members' accounts: a repeated key is told the same balances.
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

// apply makes a decision, for or against, true in the book and writes the post's answer.
func (b *book) apply(p *post, r decision, id int64) {
	debit, credit := r.entries(p, id)
	p.answer = Posted{ID: id, At: time.UnixMilli(b.at).UTC(), DebitAfter: orZero(debit.after), CreditAfter: orZero(credit.after)}
	p.err = nil
	b.answered[p.Key] = p
	if r.refusal != "" {
		p.err = refusalOf(r.refusal)
		if p.tombstone != nil {
			p.answer.ID, p.answer.At = p.tombstone.ID, time.UnixMilli(p.tombstone.CreatedAt).UTC()
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
		b.deltas[a.ID] += e.amount // cannot overflow: MaxAmount times the largest batch
		return
	}
	a.Balance, a.Seq = *e.after, e.seq
	if !a.touched {
		a.touched = true
		b.changed = append(b.changed, a)
	}
}

// replay answers a post from what is stored under its key.
func (p *post) replay(row query.TransferByKeyRow) {
	if !slices.Equal(row.PayloadHash, p.digest[:]) {
		p.answer, p.err = Posted{}, ErrConflict
		return
	}
	p.answer = Posted{ID: row.ID, At: time.UnixMilli(row.CreatedAt).UTC(), Replayed: true,
		DebitAfter: money.Minor(row.DebitAfter.Int64), CreditAfter: money.Minor(row.CreditAfter.Int64)}
	p.err = nil
	if row.Refusal.Valid {
		p.err = refusalOf(row.Refusal.String)
	}
}

// repeat answers a post from another with the same key in the same batch.
func (p *post) copyAnswer(first *post) {
	if p.digest != first.digest {
		p.answer, p.err = Posted{}, ErrConflict
		return
	}
	p.answer, p.err = first.answer, first.err
	p.answer.Replayed = true
}

func orZero(n *int64) money.Minor {
	if n == nil {
		return 0
	}
	return money.Minor(*n)
}
