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
	"strings"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

var kinds = map[notify.Purpose]notify.Kind{
	notify.ForLogin: notify.LoginCode, notify.ForRegister: notify.RegisterCode, notify.ForReset: notify.ResetCode, notify.ForBind: notify.BindCode,
	notify.ForPayment: notify.BindCode, notify.ForProof: notify.BindCode,
}

// resendInterval is the minimum time between two codes for the same network and subject.
const resendInterval = time.Minute

// Limits of codes. Strangers must not use up the owner's codes. So the limits of a target are higher than those of one network for that
// target, and they do not apply to networks from which the account recently logged in.
var (
	requesterHour = ratelimit.Limit{Burst: 5, Every: time.Hour / 5}        // per network and target
	requesterDay  = ratelimit.Limit{Burst: 10, Every: 24 * time.Hour / 10} // per network and target
	targetHour    = ratelimit.Limit{Burst: 20, Every: time.Hour / 20}
	targetDay     = ratelimit.Limit{Burst: 40, Every: 24 * time.Hour / 40}
	networkHour   = ratelimit.Limit{Burst: 20, Every: time.Hour / 20}
)

// requesterBlockFactor multiplies the requester limits for an IPv6 block. The product must stay below the target limits.
const requesterBlockFactor = 2

// A Request is a request for a code.
type Request struct {
	notify.Subject
	Language string
	Network  string // of the requester
	Deliver  bool   // if false, do the same work but send nothing
}

// Send sends a code to a visitor, in their language. If deliver is false, it does the same work but sends nothing.
func (s *Service) Send(ctx context.Context, subject notify.Subject, from rest.Visitor, deliver bool) (notify.Delivery, error) {
	expires, err := s.Request(ctx, Request{Subject: subject, Language: from.Language, Network: from.Network, Deliver: deliver})
	if err != nil {
		return notify.Delivery{}, err
	}
	_, _, lifetime, err := s.o.Settings.CodeRules(ctx, subject.MerchantID)
	resend := expires.Add(resendInterval - lifetime)
	return notify.Delivery{ExpiredMinutes: int(resendInterval.Minutes()), ExpirationTime: resend.UnixMilli()}, err
}

// Request sends a new code, which replaces the network's previous one, and returns its expiry. Within resendInterval of the previous
// code it sends nothing and returns that code's expiry.
func (s *Service) Request(ctx context.Context, r Request) (expires time.Time, err error) {
	if kinds[r.Purpose] == "" {
		return time.Time{}, fmt.Errorf("no message kind for codes of purpose %q", r.Purpose)
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
	subjectMAC, network, code := s.subjectKey(r.Subject), s.networkKey(r.Network), newCode(digits)
	hash := s.codeHash(subjectMAC, code)
	decoy := s.o.Keys.MAC("verification.decoy", string(subjectMAC)) // a hash that matches no code
	if !r.Deliver {
		hash = decoy
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		next := query.PutCodeParams{
			Subject: s.requesterKey(subjectMAC, network), Hash: hash, Network: network, Tries: int64(tries),
			CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(lifetime)), SentBefore: db.Millis(now.Add(-resendInterval)),
		}
		proceed, expiresAt, err := s.store(ctx, tx, next, decoy)
		expires = time.UnixMilli(expiresAt)
		if err != nil || !proceed {
			return err
		}
		next.Subject, next.SentBefore = subjectMAC, next.CreatedAt
		if _, _, err := s.store(ctx, tx, next, decoy); err != nil {
			return err
		}
		return s.queueMessage(ctx, tx, r, notify.Values{Site: site, Code: code, Minutes: int(lifetime.Minutes())}, expires)
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("send code: %w", err)
	}
	return expires, nil
}

// store replaces the code at next.Subject, unless that code was sent within resendInterval. It reports whether the request continues, and
// when the current code expires.
func (s *Service) store(ctx context.Context, tx *db.Tx, next query.PutCodeParams, decoy []byte) (proceed bool, expiresAt int64, err error) {
	keep, err := mustKeepCurrent(ctx, tx, next, decoy)
	if err != nil || keep {
		return keep, next.ExpiresAt, err
	}
	n, err := tx.Q.PutCode(ctx, next)
	if err != nil {
		return false, 0, err
	}
	current, err := tx.Q.Code(ctx, next.Subject)
	return n > 0, current.ExpiresAt, err
}

// mustKeepCurrent reports whether next is a decoy while the current code was sent and is still usable. A decoy must not replace such a code.
func mustKeepCurrent(ctx context.Context, tx *db.Tx, next query.PutCodeParams, decoy []byte) (bool, error) {
	current, err := tx.Q.Code(ctx, next.Subject) // always read, so that both cases cost the same
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	replacesSent := subtle.ConstantTimeCompare(next.Hash, decoy) == 1 && subtle.ConstantTimeCompare(current.Hash, decoy) != 1
	return replacesSent && current.Tries > 0 && current.ExpiresAt > next.CreatedAt && current.CreatedAt <= next.SentBefore, err
}

func (s *Service) queueMessage(ctx context.Context, tx *db.Tx, r Request, values notify.Values, expires time.Time) error {
	if err := s.takeLimits(ctx, tx, r); err != nil {
		return err
	}
	m := notify.Compose(r.Channel, r.Target, r.Language, kinds[r.Purpose], values)
	m.Until, m.Withheld = expires, !r.Deliver
	return s.o.Messages.SendIn(ctx, tx, m)
}

// takeLimits counts a request against its limits. ErrLimited rolls back the whole request. Each purpose, username and network has its own
// limits, so that strangers cannot use up those of a member. Withheld messages use the same limits, so the limits reveal nothing.
func (s *Service) takeLimits(ctx context.Context, tx *db.Tx, r Request) error {
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
		ratelimit.NetworkBuckets("verification/asker/", r.Network, "/"+target+"/hour", requesterHour, requesterBlockFactor),
		ratelimit.NetworkBuckets("verification/asker/", r.Network, "/"+target+"/day", requesterDay, requesterBlockFactor),
		targetLimits,
		ratelimit.NetworkBuckets("verification/network/", r.Network, "", networkHour, ratelimit.BlockFactor),
	))
}

func newCode(digits int) string {
	n, err := rand.Int(rand.Reader, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	if err != nil {
		panic(err) // no secure randomness: refuse to send codes
	}
	return fmt.Sprintf("%0*d", digits, n.Int64())
}
