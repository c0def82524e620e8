package lottery_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"fairground/internal/game/lottery"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
	"fairground/internal/server/servertest"
)

// settledEvents returns the events of settled draws of a game, oldest first.
func (s *site) settledEvents(t testing.TB, game string) (list []string) {
	t.Helper()
	rows, err := s.Store.Reader.QueryContext(t.Context(), "SELECT payload FROM outbox WHERE subject = 'messages' ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var payload []byte
		var messages []events.Message
		if err := rows.Scan(&payload); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(payload, &messages); err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			var data struct{ GameID, Numero, Status string }
			if m.Event != lottery.EventSettled {
				continue
			}
			if err := json.Unmarshal(m.Data, &data); err != nil {
				t.Fatal(err)
			}
			if m.Merchant != fmt.Sprint(s.ID) || m.Member != "" || m.Operators {
				t.Errorf("event %+v, want one to all members of merchant %d", m, s.ID)
			}
			if data.GameID == game {
				list = append(list, data.Numero+" "+data.Status)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// All members of the merchant get the event, because anyone may look at the draw. It holds nothing about bets.
func TestMembersLearnThatADrawIsSettled(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		second, err := s.Merchants.Ensure(t.Context(), "second", "Second", "VND")
		if err != nil {
			t.Fatal(err)
		}
		s.Register(t, member.NewMember{MerchantID: second, Username: "elsewhere", Password: password, OfAge: true})
		elsewhere, err := s.Server.Sessions.Login(t.Context(), session.Credentials{MerchantID: second, Username: "elsewhere", Password: password, Address: "192.0.2.1"})
		if err != nil {
			t.Fatal(err)
		}
		_, cookie := s.OperatorSession(t, s.ID, "lan", "games")
		s.runJobs(t)
		playing, current := s.fastSession(t, "minhanh92", "1101"), s.currentNumero(t, "1101")
		s.place(t, playing, bet("r1", "1101", current["numero"], "Elott", "sum-side", "big", 1000, "1.940"))

		baseURL, _ := s.Streams(t)
		bettor := servertest.Listen(t, baseURL, "/wps/events", "Authorization", s.tokens["minhanh92"])
		watcher := servertest.Listen(t, baseURL, "/wps/events", "Authorization", s.tokens["quangvu88"])
		stranger := servertest.Listen(t, baseURL, "/wps/events", "Authorization", elsewhere.Token, "Merchant", "second")
		operator := servertest.Listen(t, baseURL, "/ops/v1/events", "Cookie", cookie)
		s.drawNow(t, current)
		s.runJobs(t) // sends nothing again
		s.SendLast(t)

		ofGame := []string{lottery.EventSettled + ` {"gameId":"1101"`}
		event := fmt.Sprintf(`%s,"numero":%q,"status":"settled"}`, ofGame[0], current["numero"])
		bettor.Want(t, "the member with a bet", ofGame, event)
		watcher.Want(t, "a member without a bet", ofGame, event)
		stranger.Want(t, "another merchant's member", []string{lottery.EventSettled})
		operator.Want(t, "an operator", []string{lottery.EventSettled})
	})
}

func TestCorrectedAndVoidedDrawsAreAnnouncedAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRegionalSite(t, store)
		current := s.currentNumero(t, "101")
		numero, _ := current["numero"].(string)
		var want []string
		wantEvents := func(when string) {
			t.Helper()
			if got := s.settledEvents(t, "101"); !slices.Equal(got, want) {
				t.Errorf("%s: events %q, want %q", when, got, want)
			}
		}
		enter := func(when, status string, change fields) {
			t.Helper()
			change["gameId"], change["numero"], change["version"], change["reason"] = 101, numero, s.version(t, 101, numero), "test"
			if err := s.enterResult(t, change); err != nil {
				t.Fatal(err)
			}
			wantEvents(when + ", before the settlement")
			s.runJobs(t)
			want = append(want, numero+" "+status)
			wantEvents(when)
		}
		s.drawNow(t, current)
		s.Clock.Add(3 * time.Hour)
		wantEvents("after the draw, without a result")
		// Members wait for a result that operators enter, however late it is.
		enter("result", "settled", fields{"result": northResult("12305")})
		enter("correction", "settled", fields{"result": northResult("12317")})
		enter("voided", "void", fields{"void": true})
	})
}

func TestOldDrawsAreSettledWithoutAnEvent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		playing, current := s.fastSession(t, "minhanh92", "1101"), s.currentNumero(t, "1101")
		s.place(t, playing, bet("r1", "1101", current["numero"], "Elott", "sum-side", "big", 1000, "1.940"))
		before := len(s.settledEvents(t, "1101"))
		drawn := time.UnixMilli(int64(current["drawTime"].(float64)))
		s.Clock.Add(drawn.Add(time.Hour).Sub(s.Clock.Now()) + time.Second) // the server did not run
		s.runJobs(t)
		if n := s.Number(t, "SELECT COUNT(*) FROM lottery_numero WHERE game_id = 1101 AND numero = $1 AND status = 'settled'", current["numero"]); n != 1 {
			t.Errorf("settled rows of the old draw: got %d, want 1", n)
		}
		announced := s.settledEvents(t, "1101")[before:]
		if slices.Contains(announced, fmt.Sprint(current["numero"], " settled")) {
			t.Error("a draw of more than an hour ago was announced, want no event")
		}
		if len(announced) == 0 {
			t.Error("no draw of the last hour was announced, want events")
		}
	})
}
