package db_test

import (
	"errors"
	"math"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
)

// PostgreSQL uses an index for every page of the lists about members' affairs, if more rows match than the page holds.
func TestDeskListsUseIndexes(t *testing.T) {
	t.Parallel()
	store := dbtest.Postgres(t)
	dbtest.Fill(
		t, store,
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)",
		"INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) SELECT n, 1, 'player' || n, 0, 'VND', '', n FROM generate_series(1, 10000) n",
		"INSERT INTO kyc (id, merchant_id, member_id, state, details, number_mac, images, created_at) SELECT n, 1, n, CASE WHEN n % 100 = 0 THEN 'WAITING' ELSE 'REFUSED' END, '', convert_to('m' || n, 'UTF8'), '', n FROM generate_series(1, 10000) n",
		"INSERT INTO promotion (id, merchant_id, code, kind, category, currency, texts, image, payout, rate, amount, least, most, wagering, every, promo_code, max_rewards, claim_days, days, starts_at, ends_at, apply_by, published, sorting, created_at) SELECT n, 1, 'p' || n, 'application', 'event', 'VND', '{}', '', 'cash', 0, 1, 0, 0, 0, '', '', 0, 7, 7, 0, 0, 0, TRUE, n, 0 FROM generate_series(1, 20) n",
		"INSERT INTO reward (id, merchant_id, member_id, promotion_id, period, status, payout, currency, amount, required, days, created_at, expires_at) SELECT n, 1, 1 + n % 10000, 1 + n % 20, 'r' || n, CASE WHEN n % 100 = 0 THEN 'APPLIED' ELSE 'CLAIMED' END, 'cash', 'VND', 1, 0, 7, n, 0 FROM generate_series(1, 20000) n",
		"INSERT INTO message (id, merchant_id, audience, filter, texts, link, promotional, status, created_by, created_at) SELECT n, 1, 'member', '{}', '{}', '', FALSE, CASE WHEN n % 100 = 0 THEN 'scheduled' ELSE 'sent' END, 'lan', n FROM generate_series(1, 10000) n",
		"INSERT INTO inbox (id, member_id, message_id, kind, args, created_at, read_at) SELECT n, 1 + n % 10000, 1 + n % 9999, 'operator', '{}', n, n FROM generate_series(1, 20000) n ON CONFLICT DO NOTHING",
		"INSERT INTO feedback (id, merchant_id, member_id, category, content, images, status, created_at) SELECT n, 1, 1 + n % 10000, 'other', 'x', '[]', CASE WHEN n % 100 = 0 THEN 'open' ELSE 'answered' END, n FROM generate_series(1, 20000) n",
		"INSERT INTO chat (id, merchant_id, member_id, name, language, status, operator_id, queued_at, created_at, updated_at) SELECT n, 1, n, 'player' || n, 'vi', CASE WHEN n % 100 = 0 THEN 'waiting' ELSE 'closed' END, n % 100, n, n, n FROM generate_series(1, 10000) n",
		"INSERT INTO chat_message (chat_id, seq, sender, client_id, kind, body, created_at) SELECT 1 + n % 10000, n, 'customer', 'c' || n, 'text', 'x', n FROM generate_series(1, 20000) n",
	)
	const all = int64(math.MaxInt64)
	checks := query.MerchantKycParams{MerchantID: 1, Until: all, BeforeAt: all, BeforeID: all, Most: 26}
	rewards := query.MerchantRewardsParams{MerchantID: 1, Until: all, BeforeAt: all, BeforeID: all, Most: 26}
	messages := query.MerchantMessagesParams{MerchantID: 1, Until: all, Pattern: "%%", BeforeAt: all, BeforeID: all, Most: 26}
	feedback := query.MerchantFeedbackParams{MerchantID: 1, Until: all, BeforeAt: all, BeforeID: all, Most: 26}
	chats := query.MerchantChatsParams{MerchantID: 1, Until: all, BeforeAt: all, BeforeID: all, Most: 26}
	queue := query.MerchantChatsByWaitParams{MerchantID: 1, Until: all, Status: "waiting", Most: 26}

	recorder := &dbtest.Recorder{}
	q := query.New(recorder)
	for name, read := range map[string]func() error{
		"identity checks": func() error { _, err := q.MerchantKyc(t.Context(), checks); return err },
		"later page of identity checks": func() error {
			p := checks
			p.BeforeAt, p.BeforeID = 5_000, 5_000
			_, err := q.MerchantKyc(t.Context(), p)
			return err
		},
		"identity checks that wait": func() error { p := checks; p.State = "WAITING"; _, err := q.MerchantKyc(t.Context(), p); return err },
		"identity checks of a period": func() error {
			p := checks
			p.Since, p.Until = 100, 200
			_, err := q.MerchantKyc(t.Context(), p)
			return err
		},
		"rewards": func() error { _, err := q.MerchantRewards(t.Context(), rewards); return err },
		"later page of rewards": func() error {
			p := rewards
			p.BeforeAt, p.BeforeID = 10_000, 10_000
			_, err := q.MerchantRewards(t.Context(), p)
			return err
		},
		"applications": func() error {
			p := rewards
			p.Status = "APPLIED"
			_, err := q.MerchantRewards(t.Context(), p)
			return err
		},
		"rewards of a promotion": func() error { p := rewards; p.PromotionID = 7; _, err := q.MerchantRewards(t.Context(), p); return err },
		"rewards of a period": func() error {
			p := rewards
			p.Since, p.Until = 100, 200
			_, err := q.MerchantRewards(t.Context(), p)
			return err
		},
		"messages": func() error { _, err := q.MerchantMessages(t.Context(), messages); return err },
		"later page of messages": func() error {
			p := messages
			p.BeforeAt, p.BeforeID = 5_000, 5_000
			_, err := q.MerchantMessages(t.Context(), p)
			return err
		},
		"scheduled messages": func() error {
			p := messages
			p.Status = "scheduled"
			_, err := q.MerchantMessages(t.Context(), p)
			return err
		},
		"feedback": func() error { _, err := q.MerchantFeedback(t.Context(), feedback); return err },
		"later page of feedback": func() error {
			p := feedback
			p.BeforeAt, p.BeforeID = 10_000, 10_000
			_, err := q.MerchantFeedback(t.Context(), p)
			return err
		},
		"open feedback": func() error {
			p := feedback
			p.Status = "open"
			_, err := q.MerchantFeedback(t.Context(), p)
			return err
		},
		"chats": func() error { _, err := q.MerchantChats(t.Context(), chats); return err },
		"later page of chats": func() error {
			p := chats
			p.BeforeAt, p.BeforeID = 5_000, 5_000
			_, err := q.MerchantChats(t.Context(), p)
			return err
		},
		"chats that wait":      func() error { p := chats; p.Status = "waiting"; _, err := q.MerchantChats(t.Context(), p); return err },
		"chats of an operator": func() error { p := chats; p.OperatorID = 7; _, err := q.MerchantChats(t.Context(), p); return err },
		"queue of chats":       func() error { _, err := q.MerchantChatsByWait(t.Context(), queue); return err },
	} {
		if err := read(); !errors.Is(err, dbtest.ErrRecorded) {
			t.Fatalf("%s: %v", name, err)
		}
		dbtest.WantIndexScan(t, store, name, recorder.Text, recorder.Args, "promotion")
	}
}
