package verification

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/validation"
)

// sharedTries is the number of attempts at a code from networks that did not request it. They share these attempts.
const sharedTries = 3

// foreignLimit limits a network's attempts at codes that other networks requested. It applies across all targets.
var foreignLimit = ratelimit.Limit{Burst: 20, Every: 3 * time.Minute}

// Check checks a code that a network entered. A correct code works once. Wrong codes, codes that were never sent and codes for unknown
// targets all return ErrIncorrect. Only the network that requested a code gets ErrExpired.
//
// Attempts are counted per code, so that wrong codes do not prevent the owner of a target from using a new code.
func (s *Service) Check(ctx context.Context, subject notify.Subject, network, code string) error {
	var refused error
	err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		refused, err = s.CheckCodeIn(ctx, tx, subject, network, code)
		return err
	})
	if err != nil {
		return fmt.Errorf("check code: %w", err)
	}
	return refused
}

// CheckCodeIn is Check in the caller's transaction. After a rollback, a correct code stays valid. If refused is not nil, the caller must
// commit, so that the attempt counts.
func (s *Service) CheckCodeIn(ctx context.Context, tx *db.Tx, subject notify.Subject, network, code string) (refused, err error) {
	code = validation.Trim(code)
	// The merchant may have changed the number of digits since the code was sent.
	if len(code) < validation.CodeDigits.Min || len(code) > validation.CodeDigits.Max || strings.Trim(code, "0123456789") != "" {
		return ErrIncorrect.On("verificationCode"), nil
	}
	incorrect := ErrIncorrect.On("verificationCode")
	subjectMAC, from := s.subjectKey(subject), s.networkKey(network)
	hash := s.codeHash(subjectMAC, code)
	ownHashes, err := tx.Q.TryCode(ctx, s.requesterKey(subjectMAC, from), db.Millis(s.o.Now()))
	if err != nil {
		return nil, err
	}
	if len(ownHashes) > 0 && subtle.ConstantTimeCompare(hash, ownHashes[0]) == 1 {
		return s.useCode(ctx, tx, subjectMAC, from, hash)
	}
	foreignBuckets := ratelimit.NetworkBuckets("verification/foreign/", network, "", foreignLimit, ratelimit.BlockFactor)
	latestHash, requester, err := s.tryLatest(ctx, tx, subject.MerchantID, subjectMAC, from, foreignBuckets)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(hash, latestHash) == 1 {
		for _, b := range foreignBuckets {
			if err := s.o.Limiter.ReturnIn(ctx, tx, b.Key, b.Limit); err != nil {
				return nil, err
			}
		}
		return s.useCode(ctx, tx, subjectMAC, requester, hash)
	}
	if len(ownHashes) > 0 {
		return incorrect, nil
	}
	requested, err := s.wasRequested(ctx, tx.Q, subjectMAC, from)
	if requested {
		return ErrExpired.On("verificationCode"), err
	}
	return incorrect, err
}

// tryLatest uses one attempt at the latest code if another network requested that code. It counts the attempt against the code's shared
// attempts and against the caller's foreignBuckets. It returns the code's hash and requester, or nil if no attempt is left.
func (s *Service) tryLatest(ctx context.Context, tx *db.Tx, merchantID int64, subjectMAC, from []byte, foreignBuckets []ratelimit.Bucket) (hash, requester []byte, err error) {
	row, err := tx.Q.Code(ctx, subjectMAC)
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
	if err := s.o.Limiter.TakeAllIn(ctx, tx, foreignBuckets); errors.Is(err, ratelimit.ErrLimited) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	// The bucket does not refill before the code expires.
	lifetime := time.Duration(row.ExpiresAt-row.CreatedAt) * time.Millisecond
	key := fmt.Sprintf("verification/others/%x/%x/%d", subjectMAC, row.Hash, row.CreatedAt)
	err = s.o.Limiter.TakeIn(ctx, tx, key, ratelimit.Limit{Burst: min(sharedTries, tries), Every: lifetime})
	if errors.Is(err, ratelimit.ErrLimited) {
		return nil, nil, nil
	}
	return row.Hash, row.Network, err
}

// useCode deletes a correct code under both of its keys, always in the same order to avoid deadlocks. The second of two concurrent
// callers finds no code and is refused.
func (s *Service) useCode(ctx context.Context, tx *db.Tx, subjectMAC, requester, hash []byte) (refused, err error) {
	deleted := int64(0)
	for _, key := range [][]byte{s.requesterKey(subjectMAC, requester), subjectMAC} {
		n, err := tx.Q.DropCode(ctx, key, hash)
		if err != nil {
			return nil, err
		}
		deleted += n
	}
	if deleted == 0 {
		return ErrIncorrect.On("verificationCode"), nil
	}
	return nil, nil
}

// wasRequested reports whether the network requested a code. Requests that sent nothing count too, so the result reveals nothing.
func (s *Service) wasRequested(ctx context.Context, q *query.Queries, subjectMAC, from []byte) (bool, error) {
	_, err := q.Code(ctx, s.requesterKey(subjectMAC, from))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
