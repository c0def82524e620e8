package db_test

import (
	"errors"
	"math"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
)

// PostgreSQL uses an index for every page of the operators' large lists.
func TestOperatorListsUseIndexes(t *testing.T) {
	t.Parallel()
	store := dbtest.Postgres(t)
	dbtest.Fill(
		t, store,
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)",
		"INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) SELECT n, 1, 'player' || n, 0, 'VND', '', n FROM generate_series(1, 10000) n",
		"INSERT INTO deposit_method (id, merchant_id, code, kind, scheme, name, currency, min_amount, max_amount, fee, fee_rate, opens_at, closes_at, minutes, accounts, sorting, enabled, created_at) VALUES (1, 1, 'bank', 'mt', '', 'Bank', 'VND', 1, 2, 0, 0, '00:00', '00:00', 30, '[]', 1, TRUE, 0)",
		"INSERT INTO deposit (id, merchant_id, member_id, method_id, kind, reference, status, currency, amount, fee, source_id, cash_id, reserve_id, created_at, expires_at) SELECT n, 1, 1 + n % 10000, 1, 'mt', 'D' || n, CASE WHEN n % 10000 = 0 THEN 'WAITING' ELSE 'CREDITED' END, 'VND', 1, 0, 1, 1, n, n, n FROM generate_series(1, 100000) n",
		"INSERT INTO bank_card (id, merchant_id, member_id, bank, sealed, last_four, digest, is_default, created_at) SELECT n, 1, n, 'VCB', '', '1234', '', TRUE, n FROM generate_series(1, 10000) n",
		"INSERT INTO withdrawal (id, merchant_id, member_id, card_id, reference, status, currency, amount, fee, cash_id, held_id, hold_id, created_at) SELECT n, 1, 1 + n % 10000, 1 + n % 10000, 'W' || n, CASE WHEN n % 1000 = 0 THEN 'REVIEW' ELSE 'PAID' END, 'VND', 1, 0, 1, 1, n, n FROM generate_series(1, 100000) n",
		"INSERT INTO audit (seq, at, merchant_id, operator, permission, action, object, mode, before, after, address, request_id, digest) SELECT n, n, 1, 'op' || n % 5, 'member.edit', 'member.tag', 'member/' || n % 10000, 'single', '', '', '', '', '' FROM generate_series(1, 100000) n",
		"INSERT INTO approval (id, merchant_id, permission, action, object, payload, digest, state, requested_by, requested_at) SELECT n, 1, 'ledger.adjust', 'ledger.adjust', 'adjustment/' || n, '{}', '', 'approved', 'op', n FROM generate_series(1, 50000) n",
		"INSERT INTO task (id, merchant_id, kind, reference, object, permission, state, created_at) SELECT n, 1, 'kyc.review', 'r' || n, 'kyc/' || n, 'kyc.review', CASE WHEN n % 1000 = 0 THEN 'open' ELSE 'done' END, n FROM generate_series(1, 50000) n",
	)
	const all = int64(math.MaxInt64)
	deposits := query.MerchantDepositsParams{MerchantID: 1, Until: all, BeforeAt: all, BeforeID: all, Most: 26}
	withdrawals := query.MerchantWithdrawalsParams{MerchantID: 1, Until: all, BeforeAt: all, BeforeID: all, Most: 26}
	audits := query.AuditPageParams{MerchantID: 1, Until: all, Before: all, Most: 26}
	approvals := query.ApprovalsParams{MerchantID: 1, Until: all, Before: all, Permissions: "|ledger.adjust|", Most: 26}
	tasks := query.TasksParams{MerchantID: 1, Until: all, Before: all, Permissions: "|kyc.review|", Most: 26}

	recorder := &dbtest.Recorder{}
	q := query.New(recorder)
	for name, read := range map[string]func() error{
		"deposits": func() error { _, err := q.MerchantDeposits(t.Context(), deposits); return err },
		"later page of deposits": func() error {
			p := deposits
			p.BeforeAt, p.BeforeID = 50_000, 50_000
			_, err := q.MerchantDeposits(t.Context(), p)
			return err
		},
		"deposits in a state": func() error {
			p := deposits
			p.Status = "WAITING"
			_, err := q.MerchantDeposits(t.Context(), p)
			return err
		},
		"deposits of a period": func() error {
			p := deposits
			p.Since, p.Until = 100, 200
			_, err := q.MerchantDeposits(t.Context(), p)
			return err
		},
		"deposits in the review queue": func() error { p := deposits; p.Queue = "any"; _, err := q.MerchantDeposits(t.Context(), p); return err },
		"withdrawals":                  func() error { _, err := q.MerchantWithdrawals(t.Context(), withdrawals); return err },
		"withdrawals in a state": func() error {
			p := withdrawals
			p.Status = "REVIEW"
			_, err := q.MerchantWithdrawals(t.Context(), p)
			return err
		},
		"withdrawals of a member": func() error {
			p := withdrawals
			p.MemberID = 7
			_, err := q.MerchantWithdrawals(t.Context(), p)
			return err
		},
		"withdrawals of a period": func() error {
			p := withdrawals
			p.Since, p.Until = 100, 200
			_, err := q.MerchantWithdrawals(t.Context(), p)
			return err
		},
		"audit log":            func() error { _, err := q.AuditPage(t.Context(), audits); return err },
		"audit of an operator": func() error { p := audits; p.Operator = "op1"; _, err := q.AuditPage(t.Context(), p); return err },
		"audit of an object":   func() error { p := audits; p.Object = "member/7"; _, err := q.AuditPage(t.Context(), p); return err },
		"approvals":            func() error { _, err := q.Approvals(t.Context(), approvals); return err },
		"approvals in a state": func() error { p := approvals; p.State = "waiting"; _, err := q.Approvals(t.Context(), p); return err },
		"tasks":                func() error { _, err := q.Tasks(t.Context(), tasks); return err },
		"tasks in a state":     func() error { p := tasks; p.State = "open"; _, err := q.Tasks(t.Context(), p); return err },
	} {
		// The recorder keeps the query and returns ErrRecorded instead of running it.
		if err := read(); !errors.Is(err, dbtest.ErrRecorded) {
			t.Fatalf("%s: %v, want ErrRecorded", name, err)
		}
		dbtest.WantIndexScan(t, store, name, recorder.Text, recorder.Args, "deposit_method", "deposit_queue")
	}
}
