package message_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// segmentMembers differ in everything that a segment selects by.
var segmentMembers = []struct {
	name, vip string
	disabled  bool
	promotion bool // agreed to promotions
	onBreak   bool
	logins    []time.Duration // ago
	deposits  map[string]int64
}{
	{name: "an", vip: "Gold", promotion: true, logins: []time.Duration{240 * time.Hour, 24 * time.Hour}, deposits: map[string]int64{"CREDITED": 100, "CREDITED again": 50, "WAITING": 900}},
	{name: "binh", vip: "Gold", logins: []time.Duration{240 * time.Hour}, deposits: map[string]int64{"CREDITED": 200}},
	{name: "chi", vip: "Silver", promotion: true, onBreak: true, logins: []time.Duration{24 * time.Hour}, deposits: map[string]int64{"CREDITED": 151}},
	{name: "dung", deposits: map[string]int64{"REFUSED": 500}},
	{name: "gone", vip: "Gold", disabled: true, promotion: true, logins: []time.Duration{24 * time.Hour}, deposits: map[string]int64{"CREDITED": 160}},
}

// addSegmentMembers adds the members and returns their names by id.
func (h *inboxSite) addSegmentMembers(t *testing.T, now time.Time) map[int64]string {
	t.Helper()
	names := map[int64]string{playerID: "player", strangerID: "stranger"}
	methodID := h.IDs()
	h.Exec(t, `INSERT INTO deposit_method (id, merchant_id, code, kind, scheme, name, currency, min_amount, max_amount, fee, fee_rate, opens_at, closes_at, minutes, accounts, sorting, enabled, created_at)
		VALUES ($1, $2, 'bank', 'mt', '', 'Bank', 'VND', 1, 1000, 0, 0, '00:00', '00:00', 30, '[]', 1, TRUE, 0)`, methodID, h.ID)
	for i, m := range segmentMembers {
		id := int64(811 + i)
		names[id] = m.name
		h.AddMember(t, id, m.name)
		h.Exec(t, "UPDATE member SET vip_label = $1 WHERE id = $2", m.vip, id)
		if m.disabled {
			h.Exec(t, "UPDATE member SET status = 'disabled' WHERE id = $1", id)
		}
		if m.promotion {
			h.Exec(t, "INSERT INTO notify_choice (member_id, topic, way, allowed, changed_at) VALUES ($1, 'promotion', 'inbox', TRUE, 0)", id)
		}
		if m.onBreak {
			h.Exec(t, "INSERT INTO limit_guard (member_id, break_kind, break_period, break_since, break_until) VALUES ($1, 'timeOut', '1w', $2, $3)", id, db.Millis(now), db.Millis(now.Add(time.Hour)))
		}
		for _, ago := range m.logins {
			session := h.IDs()
			h.Exec(t, "INSERT INTO session (id, member_id, token_hash, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, 0, 0)", session, id, []byte(strconv.FormatInt(session, 10)), db.Millis(now.Add(-ago)))
		}
		for name, amount := range m.deposits {
			status, _, _ := strings.Cut(name, " ")
			deposit := h.IDs()
			h.Exec(t, `INSERT INTO deposit (id, merchant_id, member_id, method_id, kind, reference, status, currency, amount, fee, source_id, cash_id, reserve_id, created_at, expires_at)
				VALUES ($1, $2, $3, $4, 'mt', $5, $6, 'VND', $7, 0, 1, 1, 1, 0, 0)`, deposit, h.ID, id, methodID, fmt.Sprint("D", deposit), status, amount)
		}
	}
	return names
}

// The number in the preview and the recipients come from two queries. Both must select the same members.
func TestSegmentsSelectTheSameMembersInPreviewAndDelivery(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newInboxSite(t, store)
		now := h.Clock.Now()
		names := h.addSegmentMembers(t, now)
		ago := func(d time.Duration) int64 { return db.Millis(now.Add(-d)) }
		for _, c := range []struct {
			name        string
			segment     map[string]any
			promotional bool
			want        string
		}{
			{name: "no condition", segment: map[string]any{}, want: "an binh chi dung player stranger"},
			{name: "VIP level", segment: map[string]any{"vip": "Gold"}, want: "an binh"},
			{name: "another VIP level", segment: map[string]any{"vip": "Silver"}, want: "chi"},
			{name: "unknown VIP level", segment: map[string]any{"vip": "Platinum"}, want: ""},
			{name: "logged in at or after the time of a login", segment: map[string]any{"seenSince": ago(24 * time.Hour)}, want: "an chi"},
			{name: "logged in after the last login", segment: map[string]any{"seenSince": ago(24*time.Hour) + 1}, want: ""},
			{name: "logged in within ten days", segment: map[string]any{"seenSince": ago(240 * time.Hour)}, want: "an binh chi"},
			{name: "not logged in since the time of a login", segment: map[string]any{"seenBefore": ago(24 * time.Hour)}, want: "binh dung player stranger"},
			{name: "not logged in since a time after all logins", segment: map[string]any{"seenBefore": ago(24*time.Hour) + 1}, want: "an binh chi dung player stranger"},
			{name: "logged in between two times", segment: map[string]any{"seenSince": ago(240 * time.Hour), "seenBefore": ago(24 * time.Hour)}, want: "binh"},
			{name: "deposits of at least the sum of two", segment: map[string]any{"depositMin": 150}, want: "an binh chi"},
			{name: "deposits of at least more", segment: map[string]any{"depositMin": 151}, want: "binh chi"},
			{name: "deposits of at most a sum", segment: map[string]any{"depositMax": 150}, want: "an dung player stranger"},
			{name: "deposits between two sums", segment: map[string]any{"depositMin": 150, "depositMax": 151}, want: "an chi"},
			{name: "all conditions", segment: map[string]any{"vip": "Gold", "language": "vi", "type": 0, "seenSince": ago(240 * time.Hour), "seenBefore": ago(time.Hour), "depositMin": 100, "depositMax": 150}, want: "an"},
			{name: "promotion", segment: map[string]any{}, promotional: true, want: "an"},
			{name: "promotion to a VIP level", segment: map[string]any{"vip": "Silver"}, promotional: true, want: ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				want := strings.Fields(c.want)
				audience := map[string]any{"audience": "segment", "segment": c.segment, "promotional": c.promotional}
				preview := merchanttest.Value[struct{ Members int }](t, h.operator("POST", "/ops/v1/messages/preview", maps.Clone(audience)))
				wantEqual(t, "members in the preview", preview.Members, len(want))
				m := h.send(t, audience, "Hello", "<p>Text</p>")
				id, err := strconv.ParseInt(m.ID, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				if err := h.Server.Inbox.Run(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				wantEqual(t, "reached", h.status(t, m.ID).Reached, int64(len(want)))
				var got []string
				for _, memberID := range h.recipients(t, id) {
					got = append(got, names[memberID])
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("recipients: got %v, want %v", got, want)
				}
			})
		}
	})
}

// recipients returns the ids of the members whose inbox has a message.
func (h *inboxSite) recipients(t *testing.T, id int64) (members []int64) {
	t.Helper()
	rows, err := db.Bind(h.Store.Engine, h.Store.Reader).QueryContext(t.Context(), "SELECT member_id FROM inbox WHERE message_id = $1", id)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var member int64
		if err := rows.Scan(&member); err != nil {
			t.Fatal(err)
		}
		members = append(members, member)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return members
}
