// Package verification proves that someone can read what is sent to a mobile number or an e-mail address: by a code
// of six digits that is good for five minutes and five tries. A code is stored only as a digest, and so is whom it
// is for. It never tells whether an account exists: what is asked for somebody unknown costs and answers the same.
package verification

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rate"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// Faults of the codes.
var (
	ErrIncorrect   = fault.New(fault.Refused, "verification.incorrect")
	ErrExpired     = fault.New(fault.Refused, "verification.expired")
	ErrUnavailable = fault.New(fault.Unavailable, "verification.unavailable")
)

var kinds = map[notify.Purpose]notify.Kind{
	notify.ForLogin: notify.LoginCode, notify.ForRegister: notify.RegisterCode, notify.ForReset: notify.ResetCode, notify.ForBind: notify.BindCode,
	notify.ForPayment: notify.BindCode, notify.ForProof: notify.BindCode,
}

// Minutes is how long a code is good.
const Minutes = 5

const (
	lifetime   = Minutes * time.Minute
	codeDigits = 6
	codeTries  = 5
	otherTries = 3 // in all, of networks that have not asked for the code
	// pause is how soon after a code another is sent at the earliest. Asked for sooner, the answer is the running one's.
	pause = time.Minute
	// keepFor is how long a code that has run out stays known, so that it can be told from one that never was.
	keepFor = time.Hour
)

// How many codes are sent: per target an hour and a day, and per network. As token buckets: so many at once, then one
// each time one fills in.
var (
	targetHour  = rate.Limit{Burst: 5, Every: time.Hour / 5}
	targetDay   = rate.Limit{Burst: 10, Every: 24 * time.Hour / 10}
	networkHour = rate.Limit{Burst: 20, Every: time.Hour / 20}
)

// Sender is the part of the messages that codes need.
type Sender interface {
	Can(c notify.Channel) bool
	SendIn(ctx context.Context, tx *db.Tx, m notify.Message) error
}

// Merchants is the part of the merchant's settings that codes follow.
type Merchants interface {
	Name(ctx context.Context, merchantID int64) (string, error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
	// Rules gives the rules of every field of every form.
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	// Dials tells whether text messages are sent to a number.
	Dials(ctx context.Context, merchantID int64, e164 string) (bool, error)
}

// Owners tells whether a number or an address belongs to a member already.
type Owners interface {
	HasMobile(ctx context.Context, merchantID int64, e164 string) (bool, error)
	HasEmail(ctx context.Context, merchantID int64, email string) (bool, error)
}

// Captchas tells people from programs.
type Captchas interface {
	CheckImage(ctx context.Context, cookie, answer string) error
}

// Options of the service.
type Options struct {
	Store     *db.Store
	Keys      *secret.Keys
	Sender    Sender
	Limiter   *ratelimit.Limiter
	Merchants Merchants
	Owners    Owners
	Captchas  Captchas
	Now       func() time.Time
}

// Service sends and checks codes.
type Service struct{ o Options }

// New makes the service.
func New(o Options) *Service { return &Service{o} }

// Request asks for a code.
type Request struct {
	notify.Subject
	Language string
	Network  string // who asks
	Really   bool   // false: all is done alike and nothing is sent
}

// digest is all that is stored of a subject. An e-mail address is the same in any case, except to be bound: then it is
// stored as it was proved.
func (s *Service) digest(of notify.Subject) []byte {
	target := of.Target
	if of.Purpose != notify.ForBind {
		target = strings.ToLower(target)
	}
	return s.o.Keys.MAC("verification.subject",
		strconv.FormatInt(of.MerchantID, 10), string(of.Channel), target, string(of.Purpose), of.Account)
}

func (s *Service) hash(subject []byte, code string) []byte {
	return s.o.Keys.MAC("verification.code", string(subject), code)
}

func (s *Service) network(name string) []byte { return s.o.Keys.MAC("verification.network", name) }

// Request sends a new code in place of the running one, and says when it expires. Within a minute of the last it
// sends none and says when that one does.
func (s *Service) Request(ctx context.Context, r Request) (expires time.Time, err error) {
	if kinds[r.Purpose] == "" {
		return time.Time{}, fmt.Errorf("no code is for %q", r.Purpose)
	}
	if !s.o.Sender.Can(r.Channel) {
		return time.Time{}, ErrUnavailable
	}
	site, err := s.o.Merchants.Name(ctx, r.MerchantID)
	if err != nil {
		return time.Time{}, err
	}
	now := s.o.Now()
	subject, code := s.digest(r.Subject), newCode()
	hash := s.hash(subject, code)
	decoy := s.o.Keys.MAC("verification.decoy", string(subject)) // no code fits it: nobody can guess what was never sent
	if !r.Really {
		hash = decoy
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		kept, err := s.keeps(ctx, tx, r, subject, decoy)
		if err != nil {
			return err
		}
		if kept {
			expires = now.Add(lifetime)
			return s.post(ctx, tx, r, site, code, expires)
		}
		put, err := tx.Q.PutCode(ctx, query.PutCodeParams{
			Subject: subject, Hash: hash, Network: s.network(r.Network), Tries: codeTries,
			CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(lifetime)), SentBefore: db.Millis(now.Add(-pause)),
		})
		if err != nil {
			return err
		}
		running, err := tx.Q.Code(ctx, subject)
		if err != nil {
			return err
		}
		expires = time.UnixMilli(running.ExpiresAt)
		if put == 0 {
			return nil
		}
		return s.post(ctx, tx, r, site, code, expires)
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("send code: %w", err)
	}
	return expires, nil
}

// keeps tells whether a request that sends nothing leaves a code in its place that somebody was sent and can still use.
func (s *Service) keeps(ctx context.Context, tx *db.Tx, r Request, subject, decoy []byte) (bool, error) {
	running, err := tx.Q.Code(ctx, subject) // whoever asks really costs the same
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	now := s.o.Now()
	sent := !r.Really && subtle.ConstantTimeCompare(running.Hash, decoy) != 1
	return sent && running.Tries > 0 && running.ExpiresAt > db.Millis(now) && running.CreatedAt <= db.Millis(now.Add(-pause)), err
}

// post counts a message and queues it.
func (s *Service) post(ctx context.Context, tx *db.Tx, r Request, site, code string, expires time.Time) error {
	if err := s.count(ctx, tx, r); err != nil {
		return err
	}
	m := notify.Compose(r.Channel, r.Target, r.Language, kinds[r.Purpose], notify.Values{Site: site, Code: code, Minutes: Minutes})
	m.Until, m.Withheld = expires, !r.Really
	return s.o.Sender.SendIn(ctx, tx, m)
}

// Send sends a visitor a new code, in their language. Where really is false all is done alike and nothing is sent.
func (s *Service) Send(ctx context.Context, of notify.Subject, from rest.Visitor, really bool) (time.Time, error) {
	return s.Request(ctx, Request{Subject: of, Language: from.Language, Network: from.Network, Really: really})
}

// count takes from the limits. One that is used up undoes the whole request. Each purpose, each name and what is withheld
// have their own: what strangers ask for in somebody's name must not use up that person's.
func (s *Service) count(ctx context.Context, tx *db.Tx, r Request) error {
	target := fmt.Sprintf("verification/target/%d/%s/%s/%s/%t/%s", r.MerchantID, r.Channel, strings.ToLower(r.Target), r.Purpose, r.Really, r.Account)
	if err := s.o.Limiter.TakeIn(ctx, tx, target+"/hour", targetHour); err != nil {
		return err
	}
	if err := s.o.Limiter.TakeIn(ctx, tx, target+"/day", targetDay); err != nil {
		return err
	}
	return s.o.Limiter.TakeIn(ctx, tx, "verification/network/"+r.Network, networkHour)
}

// newCode draws six digits, each code as likely as any other.
func newCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // the system has no randomness left: no code may be sent
	}
	return fmt.Sprintf("%0*d", codeDigits, n.Int64())
}

// Check takes a network's try at a code. The right one is used up at once. A wrong code, one that was never sent and one for
// somebody unknown answer alike; only who asked for a code is told that it has run out.
func (s *Service) Check(ctx context.Context, of notify.Subject, network, code string) error {
	var refused error
	err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		refused, err = s.CheckIn(ctx, tx, of, network, code)
		return err
	})
	if err != nil {
		return fmt.Errorf("check code: %w", err)
	}
	return refused
}

// CheckIn is Check within a transaction, for what a right code leads to: undone with it, the code stays good. A wrong one gives
// refused and must be committed, or its try would cost nothing.
func (s *Service) CheckIn(ctx context.Context, tx *db.Tx, of notify.Subject, network, code string) (refused, err error) {
	incorrect := ErrIncorrect.On("verificationCode")
	code = validation.Trim(code)
	if len(code) != codeDigits || strings.Trim(code, "0123456789") != "" {
		return incorrect, nil
	}
	subject := s.digest(of)
	hash := s.hash(subject, code)
	right, err := s.try(ctx, tx, subject, network)
	if err != nil {
		return nil, err
	}
	if right == nil {
		over, err := s.over(ctx, tx.Q, subject, network)
		if over {
			return ErrExpired.On("verificationCode"), err
		}
		return incorrect, err
	}
	if subtle.ConstantTimeCompare(hash, right) != 1 {
		return incorrect, nil // and the try is gone
	}
	dropped, err := tx.Q.DropCode(ctx, subject, hash)
	if err == nil && dropped == 0 {
		return incorrect, nil
	}
	return nil, err
}

// try takes a try at the running code, and gives what the right one must be; none where no try is left. Others than the
// network that asked have a few of their own, so that nobody uses up the asker's.
func (s *Service) try(ctx context.Context, tx *db.Tx, subject []byte, network string) ([]byte, error) {
	now := db.Millis(s.o.Now())
	row, err := tx.Q.Code(ctx, subject)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(row.Network, s.network(network)) == 1 {
		hashes, err := tx.Q.TryCode(ctx, subject, now)
		if err != nil || len(hashes) == 0 {
			return nil, err
		}
		return hashes[0], nil
	}
	if row.ExpiresAt <= now || row.Tries == 0 {
		return nil, nil
	}
	// As long as the code is good, no try comes back.
	err = s.o.Limiter.TakeIn(ctx, tx, fmt.Sprintf("verification/others/%x/%x/%d", subject, row.Hash, row.CreatedAt), rate.Limit{Burst: otherTries, Every: lifetime})
	if errors.Is(err, rate.ErrLimited) {
		return nil, nil
	}
	return row.Hash, err
}

// over tells whether there was a code that the caller's own network asked for. Codes for unknown people leave the
// same trace, so it tells nothing.
func (s *Service) over(ctx context.Context, q *query.Queries, subject []byte, network string) (bool, error) {
	row, err := q.Code(ctx, subject)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil && subtle.ConstantTimeCompare(row.Network, s.network(network)) == 1, err
}

// Waiting tells a network whether a code it asked for is still running, and until when.
func (s *Service) Waiting(ctx context.Context, of notify.Subject, network string) (expires time.Time, waiting bool, err error) {
	row, err := s.o.Store.Q().Code(ctx, s.digest(of))
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read code: %w", err)
	}
	if row.Tries == 0 || row.ExpiresAt <= db.Millis(s.o.Now()) || subtle.ConstantTimeCompare(row.Network, s.network(network)) != 1 {
		return time.Time{}, false, nil
	}
	return time.UnixMilli(row.ExpiresAt), true, nil
}

// Sweep forgets codes that ran out a while ago, some in each transaction. It is run as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-keepFor))
	for dropped := int64(1); dropped > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropOldCodes(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old codes: %w", err)
		}
	}
	return nil
}
