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
)

// northResult returns a result of the north with the given special prize.
func northResult(special string) string {
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

// enterResult enters, corrects or voids a regional result. The site has no second operator, so no
// approval is needed.
func (s *site) enterResult(t testing.TB, change fields) error {
	t.Helper()
	change["merchantId"] = fmt.Sprint(s.ID)
	waiting, err := s.Server.Operators.Request(audit.As(t.Context(), "lan"), s.ID, lottery.ActionResult, "lottery/test", change)
	if err == nil && waiting != nil {
		t.Errorf("got the approval %v, want the change carried out at once", waiting)
	}
	return err
}

func (s *site) version(t testing.TB, game int, numero any) int64 {
	t.Helper()
	return s.Number(t, "SELECT version FROM lottery_numero WHERE game_id = $1 AND numero = $2", game, numero)
}

func TestRegionalResultIsCorrectedAfterTheWinWasWithdrawn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRegionalSite(t, store)
		game := "101"
		current := s.currentNumero(t, game)
		// 05 wins with the special prize 12305, 17 with 12317.
		for name, number := range map[string]string{"minhanh92": "05", "quangvu88": "17"} {
			session := s.session(t, name, "TCG_LOTTO_VN", "LOTT", game)
			s.place(t, session, bet("a", game, current["numero"], "Lott", "de", number, 10_000, "97.000"))
		}
		numero, _ := current["numero"].(string)
		change := func(special string) fields {
			return fields{"gameId": 101, "numero": numero, "version": s.version(t, 101, numero), "result": northResult(special), "reason": "the sheet was read wrong"}
		}
		if err := s.enterResult(t, change("12305")); err == nil {
			t.Error("a result before the draw: got no error")
		}
		s.drawNow(t, current)
		if err := s.enterResult(t, change("12305")); err != nil {
			t.Fatal(err)
		}
		s.runJobs(t)
		if got := s.balance(t, "minhanh92"); got != funds-10_000+970_000 {
			t.Errorf("winner: got %d, want %d", got, funds+960_000)
		}
		if got := s.balance(t, "quangvu88"); got != funds-10_000 {
			t.Errorf("loser: got %d, want %d", got, funds-10_000)
		}
		// The winner withdraws all but 100,000. Then the result is corrected.
		out := s.House(t, ledger.Withdrawals)
		_, err := s.Server.Ledger.Post(t.Context(), ledger.Transfer{
			Key: "test/withdraw", Debit: s.cash["minhanh92"].ID, Credit: out.ID, Amount: funds + 960_000 - 100_000, Kind: "withdrawal",
		})
		if err != nil {
			t.Fatal(err)
		}
		stale := change("12317")
		if err := s.enterResult(t, change("12317")); err != nil {
			t.Fatal(err)
		}
		if err := s.enterResult(t, stale); err == nil {
			t.Error("a stale version: got no error")
		}
		s.runJobs(t)
		s.runJobs(t)
		if got := s.balance(t, "minhanh92"); got != 0 {
			t.Errorf("wrong winner: got %d, want 0", got)
		}
		if got := s.Number(t, "SELECT SUM(amount) FROM lottery_debt"); got != 970_000-100_000 {
			t.Errorf("debt: got %d, want 870000", got)
		}
		if got := s.balance(t, "quangvu88"); got != funds-10_000+970_000 {
			t.Errorf("right winner: got %d, want %d", got, funds+960_000)
		}
		// The first result was right after all: the winner gets only what was taken, and owes nothing.
		if err := s.enterResult(t, change("12305")); err != nil {
			t.Fatal(err)
		}
		s.runJobs(t)
		if got := s.balance(t, "minhanh92"); got != 100_000 {
			t.Errorf("winner after the second correction: got %d, want 100000", got)
		}
		if got := s.Number(t, "SELECT COUNT(*) FROM lottery_debt"); got != 0 {
			t.Errorf("debts after the second correction: got %d, want 0", got)
		}
		if got := s.balance(t, "quangvu88"); got != funds-10_000 {
			t.Errorf("loser after the second correction: got %d, want %d", got, funds-10_000)
		}
		if err := s.enterResult(t, change("12317")); err != nil {
			t.Fatal(err)
		}
		s.runJobs(t)
		if got := s.Number(t, "SELECT SUM(amount) FROM lottery_debt"); got != 870_000 {
			t.Errorf("debt after the third correction: got %d, want 870000", got)
		}
		// Voiding returns the stakes and takes the win back. The debt stays, so the wrong winner has only the stake.
		if err := s.enterResult(t, fields{"gameId": 101, "numero": numero, "version": s.version(t, 101, numero), "void": true, "reason": "the draw was repeated"}); err != nil {
			t.Fatal(err)
		}
		s.runJobs(t)
		if got := s.balance(t, "quangvu88"); got != funds {
			t.Errorf("void: got %d, want %d", got, funds)
		}
		if got := s.balance(t, "minhanh92"); got != 10_000 {
			t.Errorf("void: got %d, want the stake", got)
		}
		prizes := s.call(t, "GET", "/lgw/vn/numeros/opened/game?gameId=101&numero="+numero, nil, "", http.StatusOK)
		if list, _ := prizes["prizes"].(fields); len(list) != 0 {
			t.Errorf("prizes of a void draw: got %v", prizes)
		}
		s.VerifyLedger(t)
	})
}
