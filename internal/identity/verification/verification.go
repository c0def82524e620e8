// Package verification proves that someone can read what is sent to a mobile number or an e-mail address: by a code
// that is good for some minutes and some tries, as the merchant has it. A code is stored only as a digest, and so is whom it
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
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
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

const (
	otherTries = 3 // in all, of networks that have not asked for the code; no more than who asked has
	// pause is how soon after a code another is sent at the earliest. Asked for sooner, the answer is the running one's.
	pause = time.Minute
	// keepFor is how long a code that has run out stays known, so that it can be told from one that never was.
	keepFor = time.Hour
)

// How many codes are sent, an hour and a day: to a target from one network, to it from anywhere, and from a network. As token
// buckets: so many at once, then one each time one fills in. A target's own are wider than those of a network with it, and
// nothing to a network that its account was lately opened from, so that strangers do not use up what its owner has.
var (
	askerHour   = ratelimit.Limit{Burst: 5, Every: time.Hour / 5}
	askerDay    = ratelimit.Limit{Burst: 10, Every: 24 * time.Hour / 10}
	targetHour  = ratelimit.Limit{Burst: 20, Every: time.Hour / 20}
	targetDay   = ratelimit.Limit{Burst: 40, Every: 24 * time.Hour / 40}
	networkHour = ratelimit.Limit{Burst: 20, Every: time.Hour / 20}
)

// wrongLimit is how many wrong codes a target may be tried with over all that are sent to it, from networks that its account was
// not lately opened from: without it each new code would bring new tries.
var wrongLimit = ratelimit.Limit{Burst: 40, Every: 30 * time.Minute}

// askerSite is how much more often than a network the site around it may ask for codes for one target: less than the target has.
const askerSite = 2

// Messages is the part of the messages that codes need.
type Messages interface {
	Can(c notify.Channel) bool
	SendIn(ctx context.Context, tx *db.Tx, m notify.Message) error
}

// Settings is the part of the merchant's settings that codes follow.
type Settings interface {
	Name(ctx context.Context, merchantID int64) (string, error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
	// CodeRules says how many digits codes have, how often who asked may try one, and how long it is good.
	CodeRules(ctx context.Context, merchantID int64) (digits, tries int, lifetime time.Duration, err error)
	// Rules gives the rules of every field of every form.
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	// AcceptsNumber tells whether text messages are sent to a number.
	AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error)
}

// Members tells whether a number or an address belongs to a member already.
type Members interface {
	HasMobile(ctx context.Context, merchantID int64, e164 string) (bool, error)
	HasEmail(ctx context.Context, merchantID int64, email string) (bool, error)
}

// Logins tells whether the account that has a code's number or address was lately opened from a network.
type Logins interface {
	NetworkKnownIn(ctx context.Context, tx *db.Tx, of notify.Subject, network string) (bool, error)
}

// Captchas tells people from programs.
type Captchas interface {
	CheckImage(ctx context.Context, cookie, answer string) error
}

// Options of the service.
type Options struct {
	Store    *db.Store
	Keys     *secret.Keys
	Messages Messages
	Limiter  *ratelimit.Stored
	Settings Settings
	Members  Members
	Logins   Logins
	Captchas Captchas
	Now      func() time.Time
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
		strconv.FormatInt(of.MerchantID, 10), string(of.Channel), target, string(of.Purpose), of.Username)
}

func (s *Service) hash(subject []byte, code string) []byte {
	return s.o.Keys.MAC("verification.code", string(subject), code)
}

func (s *Service) network(name string) []byte { return s.o.Keys.MAC("verification.network", name) }

// asked is where the code lies that a network asked for: each has its own, so that no stranger replaces it or uses up its
// tries. The last one that anybody asked for lies at the subject too, for people who read it at another network.
func (s *Service) asked(subject, network []byte) []byte {
	return s.o.Keys.MAC("verification.asked", string(subject), string(network))
}

// Request sends a new code in place of the one that the network asked for last, and says when it expires. Within a minute
// of that it sends none and says when that one does.
func (s *Service) Request(ctx context.Context, r Request) (expires time.Time, err error) {
	if kinds[r.Purpose] == "" {
		return time.Time{}, fmt.Errorf("no code is for %q", r.Purpose)
	}
	if !s.o.Messages.Can(r.Channel) {
		return time.Time{}, ErrUnavailable
	}
	site, err := s.o.Settings.Name(ctx, r.MerchantID)
	if err != nil {
		return time.Time{}, err
	}
	digits, tries, lifetime, err := s.o.Settings.CodeRules(ctx, r.MerchantID)
	if err != nil {
		return time.Time{}, err
	}
	now := s.o.Now()
	subject, network, code := s.digest(r.Subject), s.network(r.Network), newCode(digits)
	asked, hash := s.asked(subject, network), s.hash(subject, code)
	decoy := s.o.Keys.MAC("verification.decoy", string(subject)) // no code fits it: nobody can guess what was never sent
	if !r.Really {
		hash = decoy
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		fresh := query.PutCodeParams{
			Subject: asked, Hash: hash, Network: network, Tries: int64(tries),
			CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(lifetime)), SentBefore: db.Millis(now.Add(-pause)),
		}
		laid, until, err := s.put(ctx, tx, fresh, decoy)
		expires = time.UnixMilli(until)
		if err != nil || !laid {
			return err
		}
		fresh.Subject, fresh.SentBefore = subject, fresh.CreatedAt
		if _, _, err := s.put(ctx, tx, fresh, decoy); err != nil {
			return err
		}
		return s.post(ctx, tx, r, notify.Values{Site: site, Code: code, Minutes: int(lifetime.Minutes())}, expires)
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("send code: %w", err)
	}
	return expires, nil
}

// put lays a code where the one before it lies, unless that was sent only just. It tells whether it did, and when the one that
// lies there runs out.
func (s *Service) put(ctx context.Context, tx *db.Tx, fresh query.PutCodeParams, decoy []byte) (laid bool, until int64, err error) {
	kept, err := keeps(ctx, tx, fresh, decoy)
	if err != nil || kept {
		return kept, fresh.ExpiresAt, err
	}
	n, err := tx.Q.PutCode(ctx, fresh)
	if err != nil {
		return false, 0, err
	}
	running, err := tx.Q.Code(ctx, fresh.Subject)
	return n > 0, running.ExpiresAt, err
}

// keeps tells whether a code that is not sent leaves one in its place that somebody was sent and can still use.
func keeps(ctx context.Context, tx *db.Tx, fresh query.PutCodeParams, decoy []byte) (bool, error) {
	running, err := tx.Q.Code(ctx, fresh.Subject) // whoever is really sent one costs the same
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	sent := subtle.ConstantTimeCompare(fresh.Hash, decoy) == 1 && subtle.ConstantTimeCompare(running.Hash, decoy) != 1
	return sent && running.Tries > 0 && running.ExpiresAt > fresh.CreatedAt && running.CreatedAt <= fresh.SentBefore, err
}

// post counts a message and queues it.
func (s *Service) post(ctx context.Context, tx *db.Tx, r Request, says notify.Values, expires time.Time) error {
	if err := s.count(ctx, tx, r); err != nil {
		return err
	}
	m := notify.Compose(r.Channel, r.Target, r.Language, kinds[r.Purpose], says)
	m.Until, m.Withheld = expires, !r.Really
	return s.o.Messages.SendIn(ctx, tx, m)
}

// Send sends a visitor a new code, in their language. Where really is false all is done alike and nothing is sent.
func (s *Service) Send(ctx context.Context, of notify.Subject, from rest.Visitor, really bool) (notify.Delivery, error) {
	expires, err := s.Request(ctx, Request{Subject: of, Language: from.Language, Network: from.Network, Really: really})
	if err != nil {
		return notify.Delivery{}, err
	}
	_, _, lifetime, err := s.o.Settings.CodeRules(ctx, of.MerchantID)
	return notify.Delivery{ExpiredMinutes: int(lifetime.Minutes()), ExpirationTime: expires.UnixMilli()}, err
}

// count takes from the limits. One that is used up undoes the whole request. Each purpose, each name and each network that asks have
// their own: what strangers ask for in somebody's name must not use up that person's. What is withheld counts with what is sent, or
// a limit that starts anew would tell when a number has become somebody's.
func (s *Service) count(ctx context.Context, tx *db.Tx, r Request) error {
	target := fmt.Sprintf("%d/%s/%s/%s/%s", r.MerchantID, r.Channel, strings.ToLower(r.Target), r.Purpose, r.Username)
	targetLimits := []ratelimit.Bucket{{Key: "verification/target/" + target + "/hour", Limit: targetHour}, {Key: "verification/target/" + target + "/day", Limit: targetDay}}
	known, err := s.o.Logins.NetworkKnownIn(ctx, tx, r.Subject, r.Network)
	if err != nil {
		return err
	}
	if known {
		targetLimits = nil
	}
	return s.o.Limiter.TakeAllIn(ctx, tx, slices.Concat(
		ratelimit.NetworkBuckets("verification/asker/", r.Network, "/"+target+"/hour", askerHour, askerSite),
		ratelimit.NetworkBuckets("verification/asker/", r.Network, "/"+target+"/day", askerDay, askerSite),
		targetLimits,
		ratelimit.NetworkBuckets("verification/network/", r.Network, "", networkHour, ratelimit.BlockFactor),
	))
}

// newCode draws so many digits, each code as likely as any other.
func newCode(digits int) string {
	n, err := rand.Int(rand.Reader, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	if err != nil {
		panic(err) // the system has no randomness left: no code may be sent
	}
	return fmt.Sprintf("%0*d", digits, n.Int64())
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
// refused and must be committed, or its try would cost nothing. Where a target was tried too often nobody's code is looked at, but
// from a network that its account was lately opened from; a wrong one is told the same there, so that this tells nothing.
func (s *Service) CheckIn(ctx context.Context, tx *db.Tx, of notify.Subject, network, code string) (refused, err error) {
	code = validation.Trim(code)
	// A running code has as many digits as were usual when it was sent.
	if len(code) < validation.CodeDigits.Min || len(code) > validation.CodeDigits.Max || strings.Trim(code, "0123456789") != "" {
		return ErrIncorrect.On("verificationCode"), nil
	}
	key := fmt.Sprintf("verification/wrong/%d/%s/%s", of.MerchantID, of.Channel, strings.ToLower(of.Target))
	limited := s.o.Limiter.TakeIn(ctx, tx, key, wrongLimit)
	if limited != nil {
		if !errors.Is(limited, ratelimit.ErrLimited) {
			return nil, limited
		}
		if known, err := s.o.Logins.NetworkKnownIn(ctx, tx, of, network); err != nil || !known {
			return limited, err
		}
	}
	refused, err = s.tryIn(ctx, tx, of, network, code)
	switch {
	case err != nil:
	case refused == nil && limited == nil:
		err = s.o.Limiter.ReturnIn(ctx, tx, key, wrongLimit)
	case refused != nil && limited != nil:
		refused = limited
	}
	return refused, err
}

// tryIn takes a network's try at a code.
func (s *Service) tryIn(ctx context.Context, tx *db.Tx, of notify.Subject, network, code string) (refused, err error) {
	incorrect := ErrIncorrect.On("verificationCode")
	subject, from := s.digest(of), s.network(network)
	hash := s.hash(subject, code)
	tried, err := tx.Q.TryCode(ctx, s.asked(subject, from), db.Millis(s.o.Now()))
	if err != nil {
		return nil, err
	}
	if len(tried) > 0 && subtle.ConstantTimeCompare(hash, tried[0]) == 1 {
		return s.use(ctx, tx, subject, from, hash)
	}
	others, asker, err := s.tryOthers(ctx, tx, of.MerchantID, subject, from)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(hash, others) == 1 {
		return s.use(ctx, tx, subject, asker, hash)
	}
	if len(tried) > 0 {
		return incorrect, nil // and the try is gone
	}
	over, err := s.over(ctx, tx.Q, subject, from)
	if over {
		return ErrExpired.On("verificationCode"), err
	}
	return incorrect, err
}

// tryOthers takes a try at the code that another network asked for last, and gives what the right one must be, and who asked; none
// where no try is left. All who have not asked share a few, beside the asker's own.
func (s *Service) tryOthers(ctx context.Context, tx *db.Tx, merchantID int64, subject, from []byte) (hash, asker []byte, err error) {
	row, err := tx.Q.Code(ctx, subject)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil, nil
	}
	if err != nil || row.ExpiresAt <= db.Millis(s.o.Now()) || subtle.ConstantTimeCompare(row.Network, from) == 1 {
		return nil, nil, err
	}
	_, tries, _, err := s.o.Settings.CodeRules(ctx, merchantID)
	if err != nil {
		return nil, nil, err
	}
	// As long as the code is good, no try comes back.
	lifetime := time.Duration(row.ExpiresAt-row.CreatedAt) * time.Millisecond
	err = s.o.Limiter.TakeIn(ctx, tx, fmt.Sprintf("verification/others/%x/%x/%d", subject, row.Hash, row.CreatedAt), ratelimit.Limit{Burst: min(otherTries, tries), Every: lifetime})
	if errors.Is(err, ratelimit.ErrLimited) {
		return nil, nil, nil
	}
	return row.Hash, row.Network, err
}

// use drops a code that was right wherever it lies. The asker's comes first, so that those who use one at once wait for each
// other in one order; the second finds none.
func (s *Service) use(ctx context.Context, tx *db.Tx, subject, asker, hash []byte) (refused, err error) {
	dropped := int64(0)
	for _, place := range [][]byte{s.asked(subject, asker), subject} {
		n, err := tx.Q.DropCode(ctx, place, hash)
		if err != nil {
			return nil, err
		}
		dropped += n
	}
	if dropped == 0 {
		return ErrIncorrect.On("verificationCode"), nil
	}
	return nil, nil
}

// over tells whether there was a code that the caller's own network asked for. Codes for unknown people leave the
// same trace, so it tells nothing.
func (s *Service) over(ctx context.Context, q *query.Queries, subject, from []byte) (bool, error) {
	_, err := q.Code(ctx, s.asked(subject, from))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Waiting tells a network whether a code it asked for is still running, and until when.
func (s *Service) Waiting(ctx context.Context, of notify.Subject, network string) (expires time.Time, waiting bool, err error) {
	row, err := s.o.Store.Q().Code(ctx, s.asked(s.digest(of), s.network(network)))
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read code: %w", err)
	}
	if row.Tries == 0 || row.ExpiresAt <= db.Millis(s.o.Now()) {
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
