package limits_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

// A pastUse is a row of limit_use of the past.
type pastUse struct {
	what   string
	amount money.Minor
	ago    time.Duration
}

func (w *fixture) addPastUses(t testing.TB, id, now int64, uses ...pastUse) {
	t.Helper()
	for _, u := range uses {
		w.site.Exec(t, "INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at) VALUES ($1, $2, $3, $4, $5, $6)",
			w.site.IDs(), id, currency, u.what, int64(u.amount), now-u.ago.Milliseconds())
	}
}

// noon returns a time zone in which it is noon now, because PostgreSQL has its own clock.
func (w *fixture) noon(now int64) limits.Zones {
	zone := time.FixedZone("noon", int((12*time.Hour - time.Duration(now)*time.Millisecond%(24*time.Hour)).Seconds()))
	return func(_ context.Context, merchantID int64) (*time.Location, error) {
		if merchantID != w.site.ID {
			return nil, fmt.Errorf("zone of merchant %d, want %d", merchantID, w.site.ID)
		}
		return zone, nil
	}
}

// signs returns a member's signs: kind, facts, status and version.
func (w *fixture) signs(t testing.TB, id int64) (list []string) {
	t.Helper()
	rows, err := db.Bind(w.site.Store.Engine, w.site.Store.Reader).QueryContext(t.Context(), "SELECT kind, facts, status, version FROM protection_sign WHERE member_id = $1 ORDER BY kind", id)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind, facts, status string
		var version int64
		if err := rows.Scan(&kind, &facts, &status, &version); err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %s %s %d", kind, facts, status, version))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSignsOfRiskyPlay(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	stake := func(ago time.Duration) pastUse { return pastUse{"stake", 1000, ago} }
	deposit := func(ago time.Duration) pastUse { return pastUse{"deposit", 500, ago} }
	win := func(amount money.Minor, ago time.Duration) pastUse { return pastUse{"return", amount, ago} }
	// It is noon, so one o'clock in the night was 11 hours ago.
	night := func(days int) pastUse { return stake(11*time.Hour + time.Duration(days)*day) }
	now := stake(30 * time.Minute)
	cases := []struct {
		name string
		uses []pastUse
		set  []money.Minor // changes of the limit of stakes per day; -1: no limit
		age  time.Duration // of the changes
		want string
	}{
		{name: "three nights", uses: []pastUse{now, night(0), night(1), night(6)}, want: `night {"nights":3}`},
		{name: "two nights", uses: []pastUse{now, night(1), night(2), stake(10*time.Hour + day)}},
		{name: "three nights, one of them more than a week ago", uses: []pastUse{now, night(1), night(2), night(7)}},
		{name: "three mornings at six o'clock", uses: []pastUse{now, stake(6*time.Hour + day), stake(6*time.Hour + 2*day), stake(6*time.Hour + 3*day)}},
		{name: "three nights without a stake", uses: []pastUse{now, win(9000, 11*time.Hour+day), win(9000, 11*time.Hour+2*day), win(9000, 11*time.Hour+3*day)}},
		{name: "three nights, but no play in the last two hours", uses: []pastUse{night(0), night(1), night(2)}},
		{
			name: "two deposits after losses", uses: []pastUse{stake(5 * time.Hour), deposit(4 * time.Hour), stake(3 * time.Hour), deposit(2 * time.Hour), now},
			want: `chase {"currency":"VND","deposits":2,"deposited":1000,"lost":3000}`,
		},
		{name: "one deposit after a loss", uses: []pastUse{deposit(6 * time.Hour), stake(5 * time.Hour), deposit(4 * time.Hour), now}},
		{name: "two deposits after a loss at once", uses: []pastUse{stake(5 * time.Hour), deposit(4 * time.Hour), deposit(4 * time.Hour), now}},
		{name: "two deposits before the losses", uses: []pastUse{deposit(5 * time.Hour), deposit(4 * time.Hour), stake(3 * time.Hour), now}},
		{name: "two deposits after losses, then a win of more", uses: []pastUse{stake(5 * time.Hour), deposit(4 * time.Hour), deposit(3 * time.Hour), now, win(2001, 20*time.Minute)}},
		{name: "two deposits after losses on the day before", uses: []pastUse{stake(29 * time.Hour), deposit(28 * time.Hour), deposit(27 * time.Hour), now}},
		{name: "a raised limit", set: []money.Minor{100, 200}, want: `raise {"kind":"stake","period":"day","currency":"VND","from":100,"to":200}`},
		{name: "a removed limit", set: []money.Minor{100, -1}, want: `raise {"kind":"stake","period":"day","currency":"VND","from":100,"to":0}`},
		{name: "a lower limit", set: []money.Minor{100, 50}},
		{name: "a limit that was raised three hours ago", set: []money.Minor{100, 200}, age: 3 * time.Hour},
	}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store)
		start := w.now(t)
		for i, c := range cases {
			id := int64(i + 1)
			w.addMember(t, id)
			w.addPastUses(t, id, start, c.uses...)
			for _, amount := range c.set {
				w.set(t, id, limits.Stake, limits.Day, amount)
			}
			w.site.Exec(t, "UPDATE play_limit SET asked_at = asked_at - $1 WHERE member_id = $2", c.age.Milliseconds(), id)
		}
		for _, run := range []string{"first", "second"} {
			if err := w.FindSigns(t.Context(), w.site.IDs, w.noon(start)); err != nil {
				t.Fatal(err)
			}
			for i, c := range cases {
				want := ""
				if c.want != "" {
					want = c.want + " new 1"
				}
				if got := strings.Join(w.signs(t, int64(i+1)), ", "); got != want {
					t.Errorf("%s, %s run: signs %q, want %q", c.name, run, got, want)
				}
			}
		}
	})
}

func TestSignsAppearAgainOnlyOnALaterDay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newFixture(t, store, 1)
		start := w.now(t)
		wantSigns := func(when string, want ...string) {
			t.Helper()
			if err := w.FindSigns(t.Context(), w.site.IDs, w.noon(start)); err != nil {
				t.Fatal(err)
			}
			if got := w.signs(t, 1); strings.Join(got, ", ") != strings.Join(want, ", ") {
				t.Errorf("%s: signs %q, want %q", when, got, want)
			}
		}
		const facts = `chase {"currency":"VND","deposits":%d,"deposited":%d,"lost":1000} %s`
		w.addPastUses(t, 1, start, pastUse{"stake", 1000, 9 * time.Hour}, pastUse{"deposit", 500, 8 * time.Hour}, pastUse{"deposit", 500, time.Hour})
		wantSigns("at first", fmt.Sprintf(facts, 2, 1000, "new 1"))
		w.addPastUses(t, 1, start, pastUse{"deposit", 500, 4 * time.Hour})
		wantSigns("with another deposit", fmt.Sprintf(facts, 3, 1500, "new 2"))

		handledAgo := func(d time.Duration) {
			w.site.Exec(t, "UPDATE protection_sign SET status = 'dismissed', handled_by = 'thuha', handled_at = $1", w.now(t)-d.Milliseconds())
		}
		handledAgo(23 * time.Hour)
		w.addPastUses(t, 1, start, pastUse{"deposit", 500, 3 * time.Hour})
		wantSigns("on the day of an operator's decision", fmt.Sprintf(facts, 3, 1500, "dismissed 2"))
		handledAgo(25 * time.Hour)
		for range 2 { // the version stays the same, so that an operator's open screen stays up to date
			wantSigns("on a later day", fmt.Sprintf(facts, 4, 2000, "new 3"))
		}
		w.site.Exec(t, "UPDATE protection_sign SET found_at = $1", w.now(t)-(30*24*time.Hour+time.Minute).Milliseconds())
		w.site.Exec(t, "DELETE FROM limit_sum")
		wantSigns("after 30 days")
	})
}

// foundSigns returns the list of signs that operators read.
type foundSigns struct {
	List []struct {
		ID, MemberID, Username, Kind, Status, HandledBy string
		Facts                                           map[string]any
		HandledAt, Version                              int64
	}
}

// signSite has a sign of each kind.
func signSite(t *testing.T, store *db.Store) *fixture {
	t.Helper()
	w := newFixture(t, store, 1, 2, 3)
	start := w.now(t)
	w.set(t, 1, limits.Stake, limits.Day, 100)
	w.set(t, 1, limits.Stake, limits.Day, 200)
	w.addPastUses(t, 2, start, pastUse{"stake", 1000, 5 * time.Hour}, pastUse{"deposit", 500, 4 * time.Hour}, pastUse{"deposit", 500, 3 * time.Hour}, pastUse{"stake", 1000, time.Hour})
	for days := range 3 {
		w.addPastUses(t, 3, start, pastUse{"stake", 1000, 11*time.Hour + time.Duration(days)*24*time.Hour})
	}
	w.addPastUses(t, 3, start, pastUse{"stake", 1000, time.Hour})
	if err := w.FindSigns(t.Context(), w.site.IDs, w.noon(start)); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestOperatorsHandleSigns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := signSite(t, store)
		support := w.site.Operator(t, "thuha", "support")
		second, err := w.site.Merchants.Ensure(t.Context(), "second", "Second", currency)
		if err != nil {
			t.Fatal(err)
		}
		other := w.site.OperatorOf(t, second, "other", "owner")
		read := func(query string) foundSigns {
			t.Helper()
			return merchanttest.Value[foundSigns](t, support("GET", "/ops/v1/protection"+query, nil))
		}
		ids := map[string]string{} // by kind
		for _, s := range read("").List {
			ids[s.Kind] = s.ID
			if s.Username != "member"+s.MemberID || s.Status != "new" || s.Version != 1 || s.HandledBy != "" {
				t.Errorf("sign = %+v, want a new one with its member and version 1", s)
			}
		}
		for query, want := range map[string]string{
			"": "3 2 1", "?kind=raise": "1", "?kind=chase": "2", "?kind=night": "3", "?q=member2": "2", "?state=dismissed": "", "?to=5": "",
		} {
			got := map[string]bool{}
			for _, s := range read(query).List {
				got[s.MemberID] = true
			}
			for _, id := range strings.Fields(want) {
				if !got[id] {
					t.Errorf("%q lacks the sign of member %s", query, id)
				}
				delete(got, id)
			}
			if len(got) > 0 {
				t.Errorf("%q also lists the members %v, want only %q", query, got, want)
			}
		}
		if facts := read("?kind=chase").List[0].Facts; fmt.Sprint(facts) != "map[currency:VND deposited:1000 deposits:2 lost:2000]" {
			t.Errorf("facts of chase = %v, want two deposits of 1000 in total and a loss of 2000", facts)
		}

		act := func(as servertest.Operator, kind, action string, body map[string]any) merchanttest.Reply {
			body["version"] = cmp.Or(body["version"], any(1))
			return as("POST", "/ops/v1/protection/"+ids[kind]+"/"+action, body)
		}
		wantReply := func(what string, r merchanttest.Reply, status int, code string) {
			t.Helper()
			if r.Status != status || code != "" && !strings.Contains(string(r.Body), `"errorCode":"`+code+`"`) {
				t.Errorf("%s: got %d %s, want %d %s", what, r.Status, r.Body, status, code)
			}
		}
		wantStatus := func(kind, status, by string, version int64) {
			t.Helper()
			s := read("?kind=" + kind).List[0]
			if s.Status != status || s.HandledBy != by || (s.HandledAt > 0) != (by != "") || s.Version != version {
				t.Errorf("sign %s = %+v, want %s by %q at version %d", kind, s, status, by, version)
			}
		}
		for action, body := range map[string]map[string]any{"contact": {"text": "Call us"}, "break": {"period": "1w"}, "dismiss": {}} {
			wantReply("another merchant's operator, "+action, act(other, "raise", action, body), 404, "protection.unknown")
			body["version"] = 2
			wantReply("an outdated version, "+action, act(support, "raise", action, body), 409, "ops.stale")
		}
		if got := merchanttest.Value[foundSigns](t, other("GET", "/ops/v1/protection", nil)).List; len(got) != 0 {
			t.Errorf("another merchant's operator reads %+v, want nothing", got)
		}
		wantReply("contact without a text", act(support, "raise", "contact", map[string]any{}), 400, "request_param_err")
		wantReply("break without a period", act(support, "raise", "break", map[string]any{}), 400, "request_param_err")
		wantStatus("raise", "new", "", 1)
		if n := w.site.Count(t, "member_note") + w.site.Count(t, "inbox"); n != 0 {
			t.Errorf("%d notes and messages after refused calls, want none", n)
		}

		text := "We noticed your raised limit. <b>Call us</b>"
		wantReply("contact", act(support, "raise", "contact", map[string]any{"text": text}), 200, "")
		wantStatus("raise", "contacted", "thuha", 2)
		wantReply("contact again", act(support, "raise", "contact", map[string]any{"text": text}), 409, "ops.stale")
		type note struct{ Text, Kind, Operator string }
		notes := merchanttest.Value[struct{ List []note }](t, support("GET", "/ops/v1/members/1/notes", nil)).List
		if len(notes) != 1 || notes[0].Text != text || notes[0].Operator != "thuha" {
			t.Errorf("notes = %+v, want one of thuha with the text", notes)
		}
		if n := w.site.Count(t, "inbox WHERE member_id = 1 AND kind = 'notice' AND args LIKE '%raised limit%'"); n != 1 {
			t.Errorf("%d messages with the operator's text in the member's inbox, want 1", n)
		}

		wantReply("break", act(support, "chase", "break", map[string]any{"period": "1w", "reason": "chases losses"}), 200, "")
		wantStatus("chase", "break", "thuha", 2)
		wantCode(t, "a bet on a forced break", w.bet(2, 1), excludedCode)
		wantCode(t, "a deposit on a forced break", w.deposit(2, 1), excludedCode)
		wantCode(t, "a withdrawal on a forced break", w.withdraw(2, 1), "")
		state, err := w.Show(t.Context(), 2, currency)
		if err != nil || state.Break == nil || state.Break.Period != "1w" || state.Break.Kind != "timeOut" {
			t.Errorf("break = %+v, %v, want a time-out of a week", state.Break, err)
		}
		if n := w.site.Number(t, "SELECT version FROM member WHERE id = 2"); n != 2 {
			t.Errorf("version of the member = %d, want 2, so that open screens are outdated", n)
		}

		wantCode(t, "the member's own break", w.BeginBreak(t.Context(), 3, "1m"), "")
		wantReply("a shorter break", act(support, "night", "break", map[string]any{"period": "24h"}), 422, "limits.break_stands")
		wantStatus("night", "new", "", 1)
		wantReply("dismiss", act(support, "night", "dismiss", map[string]any{"reason": "works in shifts"}), 200, "")
		wantStatus("night", "dismissed", "thuha", 2)
		for action, want := range map[string]int{"protection.contact": 1, "protection.break": 1, "member.break": 1, "protection.dismiss": 1} {
			if got := w.site.Count(t, "audit WHERE action = '"+action+"'"); got != want {
				t.Errorf("%d audit rows of %s, want %d", got, action, want)
			}
		}
	})
}
