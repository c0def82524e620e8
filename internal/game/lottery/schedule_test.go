package lottery_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/lottery"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// The schedule must have the game of a numero until its bets are cancelled or settled.
func TestScheduleNeedsTheGamesOfUnfinishedNumeros(t *testing.T) {
	t.Parallel()
	other, err := schedule.ParseWeek([]byte(`{"regions":[{"region":"south","drawAt":"16:15","closeBefore":"10m","settleAfter":"45m",
		"provinces":[{"id":390,"code":"vn-moi","name":"Mới"}],"days":[{"weekday":3,"draws":["vn-moi"]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRegionalSite(t, store)
		check := func(when, want string) {
			t.Helper()
			if err := s.lottery.CheckGames(t.Context()); err != nil {
				t.Errorf("%s, with the game: got %v, want no error", when, err)
			}
			err := lottery.CheckGamesOf(t.Context(), s.lottery, other)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s, without the game: got %v, want %q", when, err, want)
			}
		}
		session, current := s.session(t, "minhanh92", "TCG_LOTTO_VN", "LOTT", "101"), s.currentNumero(t, "101")
		missing := "no game with the id 101, but numero " + current["numero"].(string)
		check("before the bet", "")
		order := bet("a", "101", current["numero"], "Lott", "de", "05", 10_000, "97.000")
		placed := s.place(t, session, order)
		check("with an open bet", missing)
		s.call(t, "DELETE", "/lgw/orders/"+placed["orderId"].(string), nil, session, http.StatusOK)
		check("after the cancellation", "")
		order["requestId"] = "b"
		s.place(t, session, order)
		s.Clock.Add(time.UnixMilli(int64(current["drawTime"].(float64))).Sub(s.Clock.Now()) + time.Second)
		if err := s.enterResult(t, fields{"gameId": 101, "numero": current["numero"], "version": s.version(t, 101, current["numero"].(string)), "result": northResult("12305")}); err != nil {
			t.Fatal(err)
		}
		check("drawn", missing)
		s.runJobs(t)
		check("settled", "")
	})
}
