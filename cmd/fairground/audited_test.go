package main

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"fairground/internal/game/house/round"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
)

// An auditedCommand is a command that changes data, with the row that it writes to the audit log.
type auditedCommand struct {
	operation string
	words     []string
	stdin     string
	action    string // empty: the operation
	object    string
}

// repairs are the operations that the test of stuck rounds runs.
var repairs = []string{"house.retry", "house.refund"}

// holdMember makes a member's account wait for a review, because it has the card of agent88, who is on a break.
func holdMember(t *testing.T, args []string, username string) {
	t.Helper()
	o := optionsOf(args)
	id := func(account string) int64 {
		return int64(count(o, "SELECT id FROM member WHERE account = '"+account+"'"))
	}
	merchantID := int64(count(o, "SELECT merchant_id FROM member WHERE account = 'agent88'"))
	execSQL(t, o, "INSERT INTO bank_card (id, merchant_id, member_id, bank, sealed, last_four, digest, is_default, created_at) VALUES ($1, $2, $1, 'VCB', $3, '2418', $4, TRUE, 1)",
		id("agent88"), merchantID, []byte{}, []byte("card"))
	other := openOther(t, args)
	if err := other.Limits.BeginBreak(t.Context(), id("agent88"), "24h"); err != nil {
		t.Fatal(err)
	}
	err := other.Store.Write(t.Context(), func(tx *db.Tx) error {
		return other.Limits.ReviewCardIn(t.Context(), tx, merchantID, id(username), []byte("card"))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Each command that changes data writes one row of the audit log in the name of its operator, and a command that fails writes none.
func TestSE12PartCommandsAreAudited(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		c := newCashierDesk(t, args)
		confirmed, refused := c.create("mt", "BANK"), c.create("mt", "BANK")
		vendor := newVendorClient(t, c.program, args)
		bet := vendor.Fields("walk", "walk", map[string]any{"amount": "500"})
		if got := vendor.callVendor(t, "bet", bet); got.Code != "OK" {
			t.Fatalf("bet: got %+v, want OK", got)
		}
		catalogueFile := writeFile(t, `{"vendors": [{"code": "PAPER", "displayName": "Paper Garden", "accountTypeName": "RNG", "categories": ["RNG"], "sorting": 1}], "games": []}`)
		contentFile := writeFile(t, `{"models":[{"code":"mai","name":"Mai","cover":"/m/art/live/sicbo.webp","status":"active"}]}`)
		const password, member = "Harbour77x\n", "member/walker1"
		walk := []auditedCommand{
			{operation: "member.create", words: []string{"member", "create", "walker1", "--of-age", "--password-stdin"}, stdin: password, object: member},
			{operation: "member.password", words: []string{"member", "password", "walker1", "--password-stdin"}, stdin: password, object: member},
			{operation: "member.disable", words: []string{"member", "disable", "walker1"}, object: member},
			{operation: "member.enable", words: []string{"member", "enable", "walker1"}, object: member},
			{operation: "member.release", words: []string{"member", "release", "walker1"}, object: member},
			{operation: "operator.create", words: []string{"operator", "create", "walker"}, object: "operator/walker"},
			{operation: "operator.password", words: []string{"operator", "password", "owner2"}, object: "operator/owner2"},
			{operation: "operator.change", words: []string{"operator", "roles", "owner2", "--role", "support"}, action: "operator.roles", object: "operator/owner2"},
			{operation: "operator.change", words: []string{"operator", "reset-totp", "owner2"}, action: "operator.reset-totp", object: "operator/owner2"},
			{operation: "ledger.adjust", words: []string{"ledger", "adjust", "--member", "demo88", "--amount", "5", "--reason", "test", "--key", "walk"}, object: "adjustment/walk"},
			{operation: "merchant.set", words: []string{"merchant", "set", "site.theme", `"light"`}, object: "merchant/site.theme"},
			{operation: "merchant.switch", words: []string{"merchant", "switch", "module", "INBOX3", "off"}, object: "merchant"},
			{operation: "vendor.create", words: []string{"vendor", "create", "--code", "WALK", "--name", "Walk", "--launch-url", "https://play.example/g?t={ticket}", "--game", "W1:RNG"}, object: "vendor/WALK"},
			{operation: "vendor.set", words: []string{"vendor", "set", "WALK", "--name", "Walker"}, object: "vendor/WALK"},
			{operation: "vendor.rotate", words: []string{"vendor", "rotate", "--code", "WALK"}, object: "vendor/WALK"},
			{operation: "vendor.refund", words: []string{"vendor", "refund", bet["roundId"].(string), "--code", "TEST", "--member", "demo88", "--reason", "test"}, object: "vendor/demo88"},
			{operation: "catalogue.vendor", words: []string{"catalogue", "vendor", "WALK", "--maintenance", "on"}, object: "catalogue/WALK"},
			{operation: "catalogue.game", words: []string{"catalogue", "game", "W1", "--enabled", "off"}, object: "catalogue/W1"},
			{operation: "catalogue.import", words: []string{"catalogue", "import", catalogueFile}, object: "catalogue"},
			{operation: "house.install", words: []string{"house", "install"}, object: "house"},
			{operation: "content.import", words: []string{"content", "import", contentFile}, object: "content"},
			{operation: "cashier.confirm", words: []string{"cashier", "confirm", confirmed.ID}, object: "cashier/" + confirmed.ID},
			{operation: "cashier.refuse", words: []string{"cashier", "refuse", refused.ID, "--reason", "No money arrived"}, object: "cashier/" + refused.ID},
			{operation: "gateway.create", words: []string{"gateway", "create", "--code", "G1", "--name", "Gate", "--url", "https://pay.example", "--currency", "VND"}, object: "gateway/G1"},
			{operation: "gateway.rotate", words: []string{"gateway", "rotate", "--code", "G1"}, object: "gateway/G1"},
			{operation: "cashier.reconcile", words: []string{"cashier", "reconcile", "G1"}, object: "cashier/G1"},
			{operation: "operator.change", words: []string{"operator", "disable", "owner2"}, action: "operator.disable", object: "operator/owner2"},
		}
		for name := range changePermissions {
			if !slices.Contains(repairs, name) && !slices.ContainsFunc(walk, func(w auditedCommand) bool { return w.operation == name }) {
				t.Errorf("the walk lacks a command of %s", name)
			}
		}
		o := optionsOf(args)
		rows := func(where string) int {
			return count(o, "SELECT COUNT(*) FROM audit WHERE operator = 'owner1' AND "+where)
		} // the server writes others
		for _, w := range walk {
			if w.operation == "member.release" {
				holdMember(t, args, "walker1")
			}
			before, last := rows("TRUE"), count(o, "SELECT COALESCE(MAX(seq), 0) FROM audit")
			runCommand(t, w.stdin, c.args, w.words...)
			action := w.action
			if action == "" {
				action = w.operation
			}
			want := fmt.Sprintf("permission = '%s' AND action = '%s' AND object = '%s'", changePermissions[w.operation], action, w.object)
			if written, all := rows(fmt.Sprintf("seq > %d AND %s", last, want)), rows("TRUE")-before; written != 1 || all != 1 {
				t.Errorf("%v: got %d rows of the audit log and %d as expected, want one of owner1 with %s", w.words, all, written, want)
			}
		}
		before := rows("TRUE")
		for _, words := range [][]string{
			{"member", "disable", "nobody"}, {"member", "release", "walker1"}, {"operator", "password", "nobody"}, {"merchant", "set", "site.theme", `"sepia"`},
			{"vendor", "rotate", "--code", "NONE"}, {"catalogue", "game", "none", "--enabled", "off"}, {"cashier", "confirm", confirmed.ID}, {"gateway", "rotate", "--code", "NONE"},
			{"ledger", "adjust", "--member", "nobody", "--amount", "5", "--reason", "test", "--key", "none"},
		} {
			wantError(t, "", append(words, c.args...)...)
		}
		wantError(t, "operator.unknown", append([]string{"member", "disable", "walker1", "--operator", "nobody"}, args...)...)
		if after := rows("TRUE"); after != before {
			t.Errorf("commands that failed: got %d rows of the audit log, want none", after-before)
		}
		if n := rows("after LIKE '%Harbour77x%'"); n != 0 {
			t.Errorf("got %d rows of the audit log with a password, want none", n)
		}
		c.wantUnbroken()
	})
}

// An operator who settles or refunds a stuck round is named in the audit log.
func TestSE12PartRepairsOfRoundsAreAudited(t *testing.T) {
	t.Parallel()
	p := newServerWithActors(t)
	p.deposit()
	handler := p.services.Loopback.Handler()
	for _, operation := range repairs {
		f := p.frame("owner")
		before := p.balance(p.tokens["owner"])
		p.services.Loopback.Use(&failingWallet{Handler: handler, call: "bet", after: true, broken: true})
		p.clockOffset.Add(int64(round.MinBetInterval))
		p.rounds++
		if a := p.call(http.MethodPost, "/house/v1/spin", f.Token, fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-%012d","stake":%s}`, p.rounds, f.Slot.Stake)); a.ErrorCode != "house.pending" {
			t.Fatalf("spin: got %+v, want house.pending", a)
		}
		p.services.Loopback.Use(handler)
		var id int64
		var status string
		if err := p.services.Store.Reader.QueryRowContext(t.Context(), "SELECT id, status FROM house_round ORDER BY id DESC LIMIT 1").Scan(&id, &status); err != nil {
			t.Fatal(err)
		}
		if after := p.balance(p.tokens["owner"]); after == before {
			t.Fatalf("%s: nothing was staked, want a stake whose answer was lost", operation)
		}
		var err error
		if operation == retryRound.name {
			p.exec(fmt.Sprintf("UPDATE house_round SET status = 'unreturned', reason = 'INVALID' WHERE id = %d", id))
			_, err = retryRound.execute(t.Context(), p.services, request[retryRequest]{"owner1", retryRequest{Round: id}})
		} else {
			p.exec(fmt.Sprintf("UPDATE house_round SET status = 'refunding' WHERE id = %d", id))
			_, err = refundTicket.execute(t.Context(), p.services, request[ticketRef]{"owner1", ticketRef{id}})
		}
		if err != nil {
			t.Errorf("%s: got %v, want the stake returned", operation, err)
		}
		if after := p.balance(p.tokens["owner"]); after != before {
			t.Errorf("%s: got a balance of %s, want %s", operation, after, before)
		}
		var rows int
		err = p.services.Store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit WHERE operator = 'owner1' AND permission = ? AND action = ? AND object = ?",
			changePermissions[operation], operation, fmt.Sprint("house/", id)).Scan(&rows)
		if err != nil || rows != 1 {
			t.Errorf("%s: got %d rows of the audit log (%v), want one of the round", operation, rows, err)
		}
	}
	report, err := audit.Verify(t.Context(), p.services.Store)
	if err != nil || report.Broken != 0 {
		t.Errorf("audit log: got %+v, %v, want a complete chain", report, err)
	}
}
