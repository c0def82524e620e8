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

// sharedTries is the number of attempts at a code that all networks share that did not request it.
const sharedTries = 3

// foreignLimit limits a network's attempts at codes that other networks requested, for all targets together.
var foreignLimit = ratelimit.Limit{Burst: 20, Every: 3 * time.Minute}

// Check checks a code from a network. A right code is used up. Wrong codes, codes that were never sent and codes for unknown targets
// all return ErrIncorrect. Only the network that requested a code gets ErrExpired.
//
// Attempts count only against a code that was sent, so that no number of wrong codes locks the owner of a target out.
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

// CheckIn is Check in the caller's transaction: a rollback keeps a right code valid. If refused is not nil, the caller must commit,
// or the attempt is not counted.
func (s *Service) CheckIn(ctx context.Context, tx *db.Tx, of notify.Subject, network, code string) (refused, err error) {
	code = validation.Trim(code)
	// The merchant may have changed the number of digits since the code was sent.
	if len(code) < validation.CodeDigits.Min || len(code) > validation.CodeDigits.Max || strings.Trim(code, "0123456789") != "" {
		return ErrIncorrect.On("verificationCode"), nil
	}
	incorrect := ErrIncorrect.On("verificationCode")
	subject, from := s.subjectKey(of), s.networkKey(network)
	hash := s.codeHash(subject, code)
	own, err := tx.Q.TryCode(ctx, s.requesterKey(subject, from), db.Millis(s.o.Now()))
	if err != nil {
		return nil, err
	}
	if len(own) > 0 && subtle.ConstantTimeCompare(hash, own[0]) == 1 {
		return s.useCode(ctx, tx, subject, from, hash)
	}
	foreign := ratelimit.NetworkBuckets("verification/foreign/", network, "", foreignLimit, ratelimit.BlockFactor)
	latest, requester, err := s.tryLatest(ctx, tx, of.MerchantID, subject, from, foreign)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(hash, latest) == 1 {
		for _, b := range foreign {
			if err := s.o.Limiter.ReturnIn(ctx, tx, b.Key, b.Limit); err != nil {
				return nil, err
			}
		}
		return s.useCode(ctx, tx, subject, requester, hash)
	}
	if len(own) > 0 {
		return incorrect, nil
	}
	requested, err := s.wasRequested(ctx, tx.Q, subject, from)
	if requested {
		return ErrExpired.On("verificationCode"), err
	}
	return incorrect, err
}

// tryLatest takes one of the shared attempts at the latest code, and one of the caller's foreign buckets, if another network requested
// the code. It returns the hash of that code and the network, or nil if no attempt is left.
func (s *Service) tryLatest(ctx context.Context, tx *db.Tx, merchantID int64, subject, from []byte, foreign []ratelimit.Bucket) (hash, requester []byte, err error) {
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
	if err := s.o.Limiter.TakeAllIn(ctx, tx, foreign); errors.Is(err, ratelimit.ErrLimited) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	// The bucket refills no attempt within the lifetime of the code.
	lifetime := time.Duration(row.ExpiresAt-row.CreatedAt) * time.Millisecond
	key := fmt.Sprintf("verification/others/%x/%x/%d", subject, row.Hash, row.CreatedAt)
	err = s.o.Limiter.TakeIn(ctx, tx, key, ratelimit.Limit{Burst: min(sharedTries, tries), Every: lifetime})
	if errors.Is(err, ratelimit.ErrLimited) {
		return nil, nil, nil
	}
	return row.Hash, row.Network, err
}

// useCode deletes a right code under both its keys, always in the same order to avoid deadlocks. Of two concurrent callers the second
// finds no code.
func (s *Service) useCode(ctx context.Context, tx *db.Tx, subject, requester, hash []byte) (refused, err error) {
	dropped := int64(0)
	for _, key := range [][]byte{s.requesterKey(subject, requester), subject} {
		n, err := tx.Q.DropCode(ctx, key, hash)
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

// wasRequested reports whether the network requested a code. Decoys count too, so the result reveals nothing.
func (s *Service) wasRequested(ctx context.Context, q *query.Queries, subject, from []byte) (bool, error) {
	_, err := q.Code(ctx, s.requesterKey(subject, from))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
