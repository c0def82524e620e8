package lottery_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/lottery"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

const opsLottery = "/ops/v1/lottery"

// read checks the status of a reply and returns its value.
func read(t testing.TB, what string, r merchanttest.Reply, status int) fields {
	t.Helper()
	var out struct{ Value fields }
	if err := json.Unmarshal(r.Body, &out); err != nil || r.Status != status {
		t.Fatalf("%s: got %d %s, want %d", what, r.Status, r.Body, status)
	}
	return out.Value
}

func wantCode(t testing.TB, what string, r merchanttest.Reply, status int, code string) {
	t.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), `"errorCode":"`+code+`"`) {
		t.Errorf("%s: got %d %s, want %d %s", what, r.Status, r.Body, status, code)
	}
}

// prizesOf returns the numbers of a result by prize.
func prizesOf(t testing.TB, text string) map[string][]string {
	t.Helper()
	result, err := draw.Parse(draw.North, text)
	if err != nil {
		t.Fatal(err)
	}
	return result.ByCode()
}

// approval returns the URL of the approval that a reply names.
func approval(t testing.TB, what string, r merchanttest.Reply) string {
	t.Helper()
	waiting, _ := read(t, what, r, http.StatusOK)["approval"].(fields)
	if waiting["state"] != "waiting" {
		t.Fatalf("%s: got %s, want a waiting approval", what, r.Body)
	}
	return fmt.Sprintf("/ops/v1/approvals/%v", waiting["id"])
}

// sums returns the sums of a preview, which must be in one currency.
func sums(t testing.TB, preview fields) fields {
	t.Helper()
	list, _ := preview["sums"].([]any)
	if len(list) != 1 {
		t.Fatalf("preview: got %v, want one currency", preview)
	}
	return list[0].(fields)
}

func TestSE12RegionalResultNeedsTwoPeoplePart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRegionalSite(t, store)
		current := s.currentNumero(t, "101")
		for name, number := range map[string]string{"minhanh92": "05", "quangvu88": "17"} {
			session := s.session(t, name, "TCG_LOTTO_VN", "LOTT", "101")
			s.place(t, session, bet("a", "101", current["numero"], "Lott", "de", number, 10_000, "97.000"))
		}
		path := fmt.Sprintf("%s/101-%s", opsLottery, current["numero"])
		s.drawNow(t, current)
		if got := s.Number(t, "SELECT COUNT(*) FROM task WHERE kind = 'lottery.result' AND state = 'open' AND object = $1", strings.TrimPrefix(path, "/ops/v1/")); got != 1 {
			t.Errorf("tasks for the result: got %d, want 1", got)
		}
		lan, minh := s.Operator(t, "lan", "games"), s.Operator(t, "minh", "games")
		list := read(t, "draws that wait", lan("GET", opsLottery+"?state=waiting&gameId=101", nil), 200)
		if rows, _ := list["list"].([]any); len(rows) == 0 || rows[0].(fields)["numero"] != current["numero"] {
			t.Errorf("draws that wait: got %v, want %v first", list, current["numero"])
		}
		detail := read(t, "draw", lan("GET", path, nil), 200)
		version := detail["version"]
		wrong := prizesOf(t, northResult("12305"))
		wrong["DB"] = []string{"1230"}
		wantCode(t, "wrong digits", lan("POST", path+"/result", fields{"version": version, "prizes": wrong}), 400, "lottery.bad_result")
		delete(wrong, "DB")
		wantCode(t, "missing prize", lan("POST", path+"/result", fields{"version": version, "prizes": wrong}), 400, "lottery.bad_result")
		wantCode(t, "other version", lan("POST", path+"/result", fields{"version": 99, "text": northResult("12305"), "reason": "x"}), 409, "ops.stale")
		wantCode(t, "our own draw", lan("GET", opsLottery+"/1101-20261118-0001/result/preview?text=1,2,3,4,5", nil), 422, "lottery.own_draw")

		first := sums(t, read(t, "preview", lan("GET", path+"/result/preview?text="+url.QueryEscape(northResult("12305")), nil), 200))
		if first["rounds"] != 2.0 || first["winners"] != 1.0 || first["credited"] != 970_000.0 || first["takenBack"] != 0.0 {
			t.Errorf("preview: got %v, want one winner of 970000", first)
		}
		waiting := approval(t, "result", lan("POST", path+"/result", fields{"version": version, "prizes": prizesOf(t, northResult("12305"))}))
		s.runJobs(t)
		if got := s.balance(t, "minhanh92"); got != funds-10_000 {
			t.Errorf("before the second person: got %d, want %d", got, funds-10_000)
		}
		wantCode(t, "the same person", lan("POST", waiting, fields{"decision": "approve"}), 403, "ops.same_person")
		read(t, "approve", minh("POST", waiting, fields{"decision": "approve"}), 200)
		s.runJobs(t)
		if got := s.balance(t, "minhanh92"); got != funds+960_000 {
			t.Errorf("winner: got %d, want %d", got, funds+960_000)
		}
		if got := s.Number(t, "SELECT COUNT(*) FROM task WHERE kind = 'lottery.result' AND state = 'done'"); got != 1 {
			t.Errorf("finished tasks: got %d, want 1", got)
		}
		_, err := s.Server.Ledger.Post(t.Context(), ledger.Transfer{
			Key: "test/withdraw", Debit: s.cash["minhanh92"].ID, Credit: s.House(t, ledger.Withdrawals).ID, Amount: funds + 960_000 - 100_000, Kind: "withdrawal",
		})
		if err != nil {
			t.Fatal(err)
		}
		version = read(t, "draw", minh("GET", path, nil), 200)["version"]
		correction := fields{"version": version, "text": northResult("12317")}
		wantCode(t, "correction without a reason", minh("POST", path+"/result", correction), 400, "request_param_err")
		correction["reason"] = "the sheet was read wrong"
		second := sums(t, read(t, "preview", minh("GET", path+"/result/preview?text="+url.QueryEscape(northResult("12317")), nil), 200))
		if second["paid"] != 970_000.0 || second["due"] != 970_000.0 || second["credited"] != 970_000.0 || second["takenBack"] != 970_000.0 {
			t.Errorf("preview of the correction: got %v, want 970000 credited and taken back", second)
		}
		waiting = approval(t, "correction", minh("POST", path+"/result", correction))
		read(t, "approve", lan("POST", waiting, fields{"decision": "approve"}), 200)
		s.runJobs(t)
		if got := s.balance(t, "quangvu88"); got != funds+960_000 {
			t.Errorf("right winner: got %d, want %d", got, funds+960_000)
		}
		debts, _ := read(t, "debts", lan("GET", opsLottery+"/debts?q=minhanh92", nil), 200)["list"].([]any)
		if len(debts) != 1 || debts[0].(fields)["amount"] != 870_000.0 {
			t.Errorf("debts: got %v, want 870000 of the wrong winner", debts)
		}
		file := lan("GET", opsLottery+"/debts?format=csv", nil)
		if !strings.Contains(string(file.Body), "minhanh92,870000,VND") {
			t.Errorf("debts as CSV: got %s", file.Body)
		}
		for mode, want := range map[string]int64{"proposed": 2, "approved": 2} {
			if got := s.Number(t, "SELECT COUNT(*) FROM audit WHERE action = 'lottery.result' AND mode = $1", mode); got != want {
				t.Errorf("%s changes in the audit log: got %d, want %d", mode, got, want)
			}
		}
		returned := sums(t, read(t, "preview of voiding", lan("GET", path+"/result/preview?void=true", nil), 200))
		if returned["returned"] != 20_000.0 || returned["takenBack"] != 970_000.0+870_000.0 { // the second amount is the debt
			t.Errorf("preview of voiding: got %v, want both stakes returned, and win and debt taken back", returned)
		}
		s.VerifyLedger(t)
	})
}

func TestOddsWithTooHighAReturnAreRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		lan := s.Operator(t, "lan", "games")
		path := opsLottery + "/games/1201"
		find := func(game fields) fields {
			plays, _ := game["plays"].([]any)
			for _, p := range plays {
				if row := p.(fields); row["playCode"] == "any-triple" && row["prizeMode"] == "Elott" {
					return row["outcomes"].([]any)[0].(fields)
				}
			}
			t.Fatalf("plays: got %v, want any-triple", plays)
			return nil
		}
		before := find(read(t, "game", lan("GET", path, nil), 200))
		if before["chance"] != "1/36" || before["odds"] != "34.920" || before["rtp"] != "0.9700" {
			t.Errorf("any-triple: got %v, want the standard odds", before)
		}
		change := func(odds string, version int) fields {
			return fields{"version": version, "prizeMode": "Elott", "playCode": "any-triple", "odds": fields{"": odds}, "reason": "campaign"}
		}
		highest, _ := before["highest"].(string)
		for _, odds := range []string{"36.001", "0", "-1", "30.0001", "many"} {
			wantCode(t, "odds "+odds, lan("POST", path+"/odds", change(odds, 0)), 400, "lottery.odds")
		}
		wantCode(t, "unknown play", lan("POST", path+"/odds", fields{"version": 0, "prizeMode": "Elott", "playCode": "lo2", "odds": fields{"": "2"}}), 404, "lottery.unknown_play")
		wantCode(t, "a version that never existed", lan("POST", path+"/odds", change("30", 7)), 409, "ops.stale")
		read(t, "highest odds", lan("POST", path+"/odds", change(highest, 0)), 200)
		after := find(read(t, "lower odds", lan("POST", path+"/odds", change("30", 1)), 200))
		if after["odds"] != "30.000" || after["rtp"] != "0.8333" {
			t.Errorf("changed odds: got %v, want 30.000 and a return of 0.8333", after)
		}
		wantCode(t, "an old version", lan("POST", path+"/odds", change("29", 1)), 409, "ops.stale")
		session, numero := s.fastSession(t, "minhanh92", "1201"), s.currentNumero(t, "1201")["numero"]
		s.placeRefused(t, session, bet("a", "1201", numero, "Elott", "any-triple", "any", 1000, "34.920"), 409, "lottery.odds_changed")
		s.place(t, session, bet("a", "1201", numero, "Elott", "any-triple", "any", 1000, "30.000"))
		exposure, _ := read(t, "exposure", lan("GET", opsLottery+"/exposure?gameId=1201", nil), 200)["list"].([]any)
		if len(exposure) != 1 || exposure[0].(fields)["highest"] != 30_000.0 || exposure[0].(fields)["staked"] != 1000.0 {
			t.Errorf("exposure: got %v, want a line of 30000", exposure)
		}
		read(t, "switch off", lan("POST", path+"/status", fields{"version": 2, "enabled": false}), 200)
		s.call(t, "GET", "/lgw/numeros/near?gameId=1201", nil, "", http.StatusNotFound)
		if got := s.Number(t, "SELECT COUNT(*) FROM audit WHERE action IN ('lottery.odds', 'lottery.game') AND operator = 'lan'"); got != 3 {
			t.Errorf("changes in the audit log: got %d, want 3", got)
		}
		if got := s.Number(t, "SELECT COUNT(*) FROM audit WHERE action = 'lottery.series_plan'"); got != 12 {
			t.Errorf("series in the audit log: got %d, want one for each fast game", got)
		}
	})
}

func TestExposureLimitIsInTheMerchantsCurrency(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	s.Set(t, merchant.LotteryExposure, "100000")
	for code, want := range map[string]money.Minor{"VND": 100_000, "CNY": 1_000_000_000} {
		c, err := money.Find(code)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := lottery.ExposureLimit(t.Context(), s.lottery, s.ID, c); err != nil || got != want {
			t.Errorf("limit in %s: got %d, %v, want %d", code, got, err, want)
		}
	}
}

func TestExposureListHasTheNextDrawsWithBets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		lan := s.Operator(t, "lan", "games") // before the bets, because the second factor takes time
		session := s.session(t, "minhanh92", "ELOTT", "ELOTT", "lobby")
		near, far := s.currentNumero(t, "1101"), s.currentNumero(t, "1105")
		chase := bet("far", "1105", far["numero"], "Elott", "sum-side", "big", 5000, "1.940")
		chase["chase"] = fields{"count": 3, "multiplier": 1, "stopOnWin": false}
		placed := s.place(t, session, chase)
		for _, request := range []string{"a", "b"} {
			s.place(t, session, bet(request, "1101", near["numero"], "Elott", "sum-side", "big", 1000, "1.940"))
		}
		first, err := store.Q().LotteryExposuresForOperators(t.Context(), query.LotteryExposuresForOperatorsParams{Currency: "VND", MerchantID: s.ID, Most: 1})
		if err != nil || len(first) != 1 || first[0].Numero != near["numero"] || first[0].Rounds != 2 || first[0].Staked != 2000 || first[0].Highest != 3880 {
			t.Errorf("first draw of the list: got %v, %v, want %v with two bets of 1000 and a line of 3880", first, err, near["numero"])
		}
		count := func(want int) {
			t.Helper()
			list, _ := read(t, "exposure", lan("GET", opsLottery+"/exposure", nil), 200)["list"].([]any)
			if len(list) != want {
				t.Errorf("draws with bets: got %v, want %d", list, want)
			}
		}
		count(4)
		id, _ := placed["orderId"].(string)
		s.call(t, "DELETE", "/lgw/orders/"+id, nil, session, http.StatusOK)
		count(1)
	})
}

func TestSE12PartOwnDrawIsVoidedByTwoPeopleBeforeItIsDrawn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		lan := s.Operator(t, "lan", "games")
		s.runJobs(t)
		session := s.fastSession(t, "minhanh92", "1101")
		current := s.currentNumero(t, "1101")
		s.place(t, session, bet("r1", "1101", current["numero"], "ZY", "sum-side", "big", 10_000, "1.910"))
		path := func(numero fields) string { return fmt.Sprintf("%s/1101-%v", opsLottery, numero["numero"]) }
		// A drawn numero cannot be voided.
		s.drawNow(t, current)
		version := read(t, "draw", lan("GET", path(current), nil), 200)["version"]
		wantCode(t, "void a drawn numero", lan("POST", path(current)+"/void", fields{"version": version, "reason": "it was dear"}), 422, "lottery.own_draw")

		next := s.currentNumero(t, "1101")
		placed := s.place(t, session, bet("r2", "1101", next["numero"], "ZY", "sum-side", "big", 10_000, "1.910"))
		before := s.balance(t, "minhanh92")
		s.Clock.Add(time.UnixMilli(int64(next["closeTime"].(float64))).Sub(s.Clock.Now()))
		// The seed of a numero reveals the one before, which must be drawn first.
		s.Exec(t, "UPDATE lottery_numero SET status = 'open' WHERE game_id = 1101 AND numero = $1", current["numero"])
		early := fields{"version": read(t, "draw", lan("GET", path(next), nil), 200)["version"], "reason": "the loop is late"}
		wantCode(t, "void before the earlier draw", lan("POST", path(next)+"/void", early), 409, "lottery.not_due")
		s.Exec(t, "UPDATE lottery_numero SET status = 'settled' WHERE game_id = 1101 AND numero = $1", current["numero"])
		version = read(t, "draw", lan("GET", path(next), nil), 200)["version"]
		// Only one operator has the permission: the change waits for a second one.
		waiting := approval(t, "void", lan("POST", path(next)+"/void", fields{"version": version, "reason": "the clock was wrong"}))
		minh := s.Operator(t, "minh", "games")
		read(t, "approve", minh("POST", waiting, fields{"decision": "approve"}), 200)
		if err := s.Server.Lottery.SettleDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if bets := s.bets(t, session, placed["orderId"]); bets[0]["state"] != "void" || s.balance(t, "minhanh92") != before+10_000 {
			t.Errorf("void bet: got %v and %d, want the stake back", bets, s.balance(t, "minhanh92"))
		}
		list, _ := s.call(t, "GET", "/lgw/draw/1101?void=true", nil, "", http.StatusOK)["list"].([]any)
		if len(list) != 1 || list[0].(fields)["numero"] != next["numero"] || list[0].(fields)["status"] != "void" {
			t.Fatalf("void draws: got %v, want %v", list, next["numero"])
		}
		proof, _ := list[0].(fields)["proof"].(fields)
		series := s.call(t, "GET", fmt.Sprintf("/lgw/series/%v", proof["series"]), nil, "", http.StatusOK)
		if proof["link"] != next["link"] || series["voided"] != 1.0 {
			t.Errorf("proof and series: got %v, %v, want link %v and one void draw", proof, series, next["link"])
		}
		s.VerifyLedger(t)
	})
}
