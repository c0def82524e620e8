package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	verifyBatch = 1000
	missing     = "it is missing"
)

// A Report is the result of Verify.
type Report struct {
	Rows   int64  `json:"rows"`
	Head   string `json:"head"`   // digest of the last row, in hexadecimal
	Broken int64  `json:"broken"` // sequence number of the first broken row; 0 if none
	Why    string `json:"why,omitempty"`
	Partly bool   `json:"partly,omitempty"` // the time limit was reached: only the first Rows rows were checked
}

// Verify recomputes the whole chain.
func Verify(ctx context.Context, store *db.Store) (Report, error) {
	return VerifyFrom(ctx, store, 0, 0)
}

// VerifyFrom recomputes the chain after the row with the sequence number after, which was checked before. If limit is not
// 0, VerifyFrom stops after that time. Call it with the report's Rows to continue.
func VerifyFrom(ctx context.Context, store *db.Store, after int64, limit time.Duration) (Report, error) {
	q, start := store.Q(), time.Now()
	// Read the head before the rows, so that rows that are added meanwhile are not expected to match it.
	head, err := q.AuditHead(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("read audit log: %w", err)
	}
	report := Report{Head: hex.EncodeToString(head.Digest), Rows: after}
	previous := make([]byte, len(head.Digest))
	if after > 0 {
		row, err := q.AuditRow(ctx, after)
		found, err := db.Found("read audit log", err)
		if err != nil {
			return report, err
		}
		if !found {
			report.Broken, report.Why = after, missing
			return report, nil
		}
		previous = row.Digest
	}
	for report.Rows < head.Seq {
		if limit > 0 && time.Since(start) > limit {
			report.Partly = true
			return report, nil
		}
		rows, err := q.AuditRows(ctx, report.Rows, verifyBatch)
		if err != nil {
			return report, fmt.Errorf("read audit log: %w", err)
		}
		if len(rows) == 0 {
			report.Broken, report.Why = report.Rows+1, missing
			return report, nil
		}
		for _, stored := range rows[:min(int64(len(rows)), head.Seq-report.Rows)] {
			if stored.Seq != report.Rows+1 {
				report.Broken, report.Why = report.Rows+1, missing
				return report, nil
			}
			sum, err := toRow(stored).digest(previous)
			if err != nil || !bytes.Equal(sum, stored.Digest) {
				report.Broken, report.Why = stored.Seq, "its digest does not match its content and the row before it"
				return report, nil //nolint:nilerr // a row that cannot be digested is broken
			}
			previous = sum
			report.Rows++
		}
	}
	if !bytes.Equal(previous, head.Digest) {
		report.Broken, report.Why = head.Seq, "it is not the row that the log ended with"
	}
	return report, nil
}

func toRow(s query.Audit) row {
	return row{
		Seq: s.Seq, At: s.At, MerchantID: s.MerchantID, Operator: s.Operator, Permission: s.Permission, Action: s.Action, Object: s.Object,
		Mode: s.Mode, Before: json.RawMessage(s.Before), After: json.RawMessage(s.After), Address: s.Address, RequestID: s.RequestID,
	}
}
