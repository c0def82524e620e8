package lottery_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/game/lottery"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/ledger"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
)

// northern returns a result of the north whose special prize is the given one.
func northern(special string) string {
	var rows []string
	for _, p := range draw.North.Prizes() {
		var numbers []string
		for i := range p.Count {
			number := fmt.Sprintf("%0*d", p.Digits, 11+i)
			if p.Code == draw.Special {
				number = special
			}
			numbers = append(numbers, number)
		}
		rows = append(rows, p.Code+"="+strings.Join(numbers, ","))
	}
	return strings.Join(rows, ";")
}

// enter enters a regional result as the only operator.
func (w *world) enter(t testing.TB, change fields) error {
	t.Helper()
	change["merchantId"] = fmt.Sprint(w.ID)
	waiting, err := w.Server.Operators.Request(audit.As(t.Context(), "lan"), w.ID, lottery.ActionResult, "lottery/test", change)
	if err == nil && waiting != nil {
		t.Errorf("got %v, want the change at once", waiting)
	}
	return err
}

func (w *world) version(t testing.TB, game int, numero any) int64 {
	t.Helper()
	return w.Number(t, "SELECT version FROM lottery_numero WHERE game_id = $1 AND numero = $2", game, numero)
}

func TestRegionalResultIsCorrectedAfterTheWinWasWithdrawn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store, servertest.Options(func(o *server.Options) { o.Demo = false }))
		game := "101"
		near := w.near(t, game)
		for _, name := range []string{"minhanh92", "quangvu88"} {
			session := w.session(t, name, "TCG_LOTTO_VN", "LOTT", game)
			number := map[string]string{"minhanh92": "05", "quangvu88": "17"}[name]
			w.place(t, session, bet("a", game, near["numero"], "Lott", "de", number, 10_000, "97.000"))
		}
		numero, _ := near["numero"].(string)
		change := func(special string) fields {
			return fields{"gameId": 101, "numero": numero, "version": w.version(t, 101, numero), "result": northern(special), "reason": "the sheet was read wrong"}
		}
		if err := w.enter(t, change("12305")); err == nil {
			t.Error("a result before the draw: got no error")
		}
		w.pass(t, near)
		if err := w.enter(t, change("12305")); err != nil {
			t.Fatal(err)
		}
		w.tick(t)
		if got := w.balance(t, "minhanh92"); got != funds-10_000+970_000 {
			t.Errorf("winner: got %d, want %d", got, funds+960_000)
		}
		if got := w.balance(t, "quangvu88"); got != funds-10_000 {
			t.Errorf("loser: got %d, want %d", got, funds-10_000)
		}
		// The winner withdraws almost everything. Then the result is corrected.
		out := w.House(t, ledger.Withdrawals)
		_, err := w.Server.Ledger.Post(t.Context(), ledger.Transfer{
			Key: "test/withdraw", Debit: w.cash["minhanh92"].ID, Credit: out.ID, Amount: funds + 960_000 - 100_000, Kind: "withdrawal",
		})
		if err != nil {
			t.Fatal(err)
		}
		stale := change("12317")
		if err := w.enter(t, change("12317")); err != nil {
			t.Fatal(err)
		}
		if err := w.enter(t, stale); err == nil {
			t.Error("a stale version: got no error")
		}
		w.tick(t)
		w.tick(t)
		if got := w.balance(t, "minhanh92"); got != 0 {
			t.Errorf("wrong winner: got %d, want 0", got)
		}
		if got := w.Number(t, "SELECT SUM(amount) FROM lottery_debt"); got != 870_000 {
			t.Errorf("debt: got %d, want 870000", got)
		}
		if got := w.balance(t, "quangvu88"); got != funds-10_000+970_000 {
			t.Errorf("right winner: got %d, want %d", got, funds+960_000)
		}
		// Voiding returns the stakes and takes the win back.
		if err := w.enter(t, fields{"gameId": 101, "numero": numero, "version": w.version(t, 101, numero), "void": true, "reason": "the draw was repeated"}); err != nil {
			t.Fatal(err)
		}
		w.tick(t)
		if got := w.balance(t, "quangvu88"); got != funds {
			t.Errorf("void: got %d, want %d", got, funds)
		}
		if got := w.balance(t, "minhanh92"); got != 10_000 {
			t.Errorf("void: got %d, want the stake", got)
		}
		prizes := w.call(t, "GET", "/lgw/vn/numeros/opened/game?gameId=101&numero="+numero, nil, "", http.StatusOK)
		if list, _ := prizes["prizes"].(fields); len(list) != 0 {
			t.Errorf("prizes of a void draw: got %v", prizes)
		}
		w.VerifyLedger(t)
	})
}
