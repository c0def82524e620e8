package kyc

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

const maxReason = 300

// findForMerchant returns a check. It fails if the check belongs to another merchant.
func (s *Service) findForMerchant(ctx context.Context, q *query.Queries, merchantID, id int64) (query.Kyc, error) {
	row, err := q.Kyc(ctx, id)
	found, err := db.Found("read identity check", err)
	if err == nil && (!found || row.MerchantID != merchantID) {
		err = ErrUnknown
	}
	return row, err
}

// Approve records that the details match the documents. The name and birth date are then verified.
func (s *Service) Approve(ctx context.Context, merchantID, id, version int64) error {
	return s.decide(ctx, merchantID, id, version, Verified, "")
}

// Refuse records why the documents are not accepted. The member sees the reason and may send other documents.
func (s *Service) Refuse(ctx context.Context, merchantID, id, version int64, reason string) error {
	reason = strings.TrimSpace(reason)
	if reason == "" || utf8.RuneCountInString(reason) > maxReason {
		return ErrNoReason.On("reason").With("max", maxReason)
	}
	return s.decide(ctx, merchantID, id, version, Refused, reason)
}

func (s *Service) decide(ctx context.Context, merchantID, id, version int64, state, reason string) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		row, err := s.findForMerchant(ctx, tx.Q, merchantID, id)
		if err != nil {
			return err
		}
		if row.State == Waiting && row.Version != version {
			return rest.ErrStale
		}
		n, err := tx.Q.DecideKyc(ctx, query.DecideKycParams{
			State: state, Reason: reason, DecidedBy: audit.Actor(ctx), DecidedAt: sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}, ID: id, Version: version,
		})
		if err != nil {
			return fmt.Errorf("decide identity check: %w", err)
		}
		if n == 0 {
			return ErrDecided // possibly decided concurrently
		}
		if err := s.o.Tasks.DoneIn(ctx, tx, taskKind, formatID(id)); err != nil {
			return err
		}
		if err := s.announceIn(ctx, tx, row.MerchantID, row.MemberID, id, state); err != nil {
			return err
		}
		action, kind := "kyc.approve", "identity.verified"
		if state == Refused {
			action, kind = "kyc.refuse", "identity.refused"
		}
		if s.o.Inbox != nil {
			if err := s.o.Inbox.SystemIn(ctx, tx, row.MemberID, kind, map[string]string{"reason": reason}); err != nil {
				return err
			}
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.KYCReview), Action: action, Object: "kyc/" + formatID(id),
			Before: map[string]string{"state": row.State, "member": formatID(row.MemberID)}, After: map[string]string{"state": state, "reason": reason},
		})
	})
}

// View returns picture number, counted from 1, and records in the audit log that the operator saw it.
func (s *Service) View(ctx context.Context, merchantID, id int64, number int) (io.ReadCloser, error) {
	row, err := s.findForMerchant(ctx, s.o.Store.Q(), merchantID, id)
	if err != nil {
		return nil, err
	}
	file, err := s.openImage(ctx, row, number)
	if err != nil {
		return nil, err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.KYCReview), Action: "kyc.view", Object: "kyc/" + formatID(id),
			After: map[string]any{"image": number, "member": formatID(row.MemberID)},
		})
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// deleteActor is the actor of document deletions in the audit log.
const deleteActor = "schedule"

// DeleteDocuments deletes the pictures and document numbers of checks whose retention time after the decision is over. It keeps verified
// names and birth dates.
func (s *Service) DeleteDocuments(ctx context.Context) error {
	merchants, err := s.o.Store.Q().KycMerchants(ctx)
	if err != nil {
		return fmt.Errorf("find old documents: %w", err)
	}
	for _, merchantID := range merchants {
		keep, err := s.o.Settings.KYCKeepTime(ctx, merchantID)
		if err != nil {
			return err
		}
		before := sql.NullInt64{Int64: db.Millis(s.o.Now().Add(-keep)), Valid: true}
		for more := true; more; {
			if more, err = s.deleteBatch(ctx, merchantID, before); err != nil {
				return err
			}
		}
	}
	return nil
}

// deleteBatch deletes the documents of some checks. It reports whether there were any.
func (s *Service) deleteBatch(ctx context.Context, merchantID int64, before sql.NullInt64) (bool, error) {
	rows, err := s.o.Store.Q().OldKycDocuments(ctx, merchantID, before)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	cipher, err := s.documentCipher(ctx)
	if err != nil {
		return false, err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		checks, pictures := 0, 0
		for _, row := range rows {
			details := []byte{}
			if row.State == Verified {
				d, err := cipher.openDetails(row.ID, row.Details)
				if err != nil {
					return err
				}
				d.DocumentNumber = ""
				if details, err = cipher.sealDetails(row.ID, d); err != nil {
					return err
				}
			}
			n, err := tx.Q.DropKycDocuments(ctx, details, row.ID)
			if err != nil {
				return fmt.Errorf("delete documents: %w", err)
			}
			if n == 0 {
				continue // another replica was first
			}
			names, err := imagesOf(row)
			if err != nil {
				return err
			}
			for _, name := range names {
				if err := s.pictures.DiscardIn(ctx, tx, name); err != nil {
					return err
				}
			}
			checks, pictures = checks+1, pictures+len(names)
		}
		if checks == 0 {
			return nil
		}
		return audit.Append(audit.As(ctx, deleteActor), tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.KYCReview), Action: "kyc.delete_documents", Object: "kyc",
			After: map[string]int{"checks": checks, "pictures": pictures},
		})
	})
	return err == nil, err
}
