package deposit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"fairground/internal/platform/db"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
)

const (
	proofFolder = "proof/"
	// maxProofSide is the maximum length of a proof's longer side, in pixels. The text of a screenshot stays readable.
	maxProofSide = 2000
)

// AddProof stores a picture of the member's payment. The deposit becomes claimed, and an operator decides about it. A new picture
// replaces the previous one.
func (s *Service) AddProof(ctx context.Context, memberID, id int64, key, contentType string, data []byte) (View, error) {
	d, err := s.o.Store.Q().DepositByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && d.MemberID != memberID {
		return View{}, ErrUnknown
	}
	if err != nil {
		return View{}, fmt.Errorf("find deposit: %w", err)
	}
	upload, err := picture.Check(contentType, data)
	if err != nil {
		return View{}, ErrPicture.On("image").Because(err)
	}
	rendered, err := s.decoder.Render(ctx, upload, upload.Fit(maxProofSide))
	if errors.Is(err, picture.ErrFormat) {
		return View{}, ErrPicture.On("image").Because(err)
	}
	if err != nil {
		return View{}, err
	}
	name, err := s.pictures.Put(ctx, proofFolder, rendered) // deleted later, unless the transaction marks it as used
	if err != nil {
		return View{}, err
	}
	sum := sha256.Sum256(data)
	request := idempotency.Request{
		Owner: idempotency.Member(memberID), Call: "deposit.proof", Key: key, Content: []string{formatID(id), hex.EncodeToString(sum[:])},
	}
	return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (View, error) {
		d, err := lockOwnDeposit(ctx, tx, memberID, id)
		if err != nil {
			return View{}, err
		}
		if !isOpen(d.Status) || d.Kind == Pay { // the gateway reports its own payments
			return View{}, ErrState
		}
		if d.Proof != "" {
			if err := s.pictures.DiscardIn(ctx, tx, d.Proof); err != nil {
				return View{}, err
			}
		}
		if err := s.pictures.KeepIn(ctx, tx, name); err != nil {
			return View{}, err
		}
		if err := tx.Q.ClaimDeposit(ctx, d.ID, name); err != nil {
			return View{}, fmt.Errorf("claim deposit: %w", err)
		}
		if d.Status == Waiting {
			if err := s.queueIn(ctx, tx, &d, QueueClaimed, 0); err != nil {
				return View{}, err
			}
		}
		d.Status, d.Proof = Claimed, name
		if err := s.announceIn(ctx, tx, &d); err != nil {
			return View{}, err
		}
		return viewOf(d)
	})
}

// OpenProof opens the proof of a merchant's deposit. The caller closes it.
func (s *Service) OpenProof(ctx context.Context, merchantID, id int64) (io.ReadCloser, error) {
	d, err := s.o.Store.Q().DepositByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (d.MerchantID != merchantID || d.Proof == "") {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("find deposit: %w", err)
	}
	return s.o.Blobs.Open(ctx, d.Proof)
}
