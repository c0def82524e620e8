package jackpot_test

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/jackpot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func externalBet(b *jackpot.Bet) { b.House, b.Vendor, b.Category = false, "OTHER", "JL" }

// takesPart reports whether a stake gets a ticket.
func (w *jackpotSite) takesPart(t *testing.T, change ...func(*jackpot.Bet)) bool {
	t.Helper()
	b := jackpot.Bet{MerchantID: w.site.ID, MemberID: 1, VendorID: vendorID, House: true, Vendor: "HOUSE", Category: "RNG", Currency: currency, Amount: 10_000}
	for _, c := range change {
		c(&b)
	}
	_, takesPart, err := w.Row(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return takesPart
}

// A vendor that returns every stake could win the start amounts at no risk, so the operator lists the vendors that
// take part.
func TestPP13EligibleGames(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		category := func(code string) func(*jackpot.Bet) { return func(b *jackpot.Bet) { b.Category = code } }
		for _, c := range []struct {
			name      string
			named     string
			change    []func(*jackpot.Bet)
			takesPart bool
		}{
			{"the House's slots", "[]", nil, true},
			{"the House's jackpot games", "[]", []func(*jackpot.Bet){category("JL")}, true},
			{"the House's live tables", `["HOUSE"]`, []func(*jackpot.Bet){category("LIVE")}, false},
			{"jackpot games of an unlisted vendor", "[]", []func(*jackpot.Bet){externalBet}, false},
			{"jackpot games when other vendors are listed", `["OTHERS","other"]`, []func(*jackpot.Bet){externalBet}, false},
			{"jackpot games of a listed vendor", `["ELSE","OTHER"]`, []func(*jackpot.Bet){externalBet}, true},
			{"slots of a listed vendor", `["OTHER"]`, []func(*jackpot.Bet){externalBet, category("RNG")}, false},
		} {
			t.Run("PP-13 "+c.name, func(t *testing.T) {
				w.site.Set(t, "jackpot.vendors", c.named)
				if got := w.takesPart(t, c.change...); got != c.takesPart {
					t.Errorf("takes part = %v, want %v", got, c.takesPart)
				}
			})
		}
		t.Run("PP-13 the pool lists the games that take part", func(t *testing.T) {
			w.site.Set(t, "jackpot.vendors", `["GONE","OTHER","HOUSE"]`) // GONE does not exist
			if p := w.checkPool(t); fmt.Sprint(p.Games) != "[{JL [HOUSE OTHER]} {RNG [HOUSE]}]" {
				t.Errorf("games = %v, want JL of HOUSE and OTHER, and RNG of HOUSE", p.Games)
			}
			w.houseVendors = nil
			w.site.Set(t, "jackpot.vendors", "[]")
			for _, games := range w.checkPool(t).Games {
				if games.Vendors == nil || len(games.Vendors) > 0 {
					t.Errorf("without vendors, games of %s = %v, want []", games.Category, games.Vendors)
				}
			}
		})
	})
}

// The part of a stake above the maximum neither pays a share nor raises the chance.
func TestPP13MaximumStake(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		w.Service = w.newServiceWithRules(w.ledger, nil)
		w.site.Set(t, "jackpot.vendors", `["OTHER"]`)
		r, _ := jackpot.RulesOf(currency)
		stakes := []money.Minor{1, r.MaxStake - 1, r.MaxStake, r.MaxStake + 1, winningStake}
		var shares money.Minor
		for _, stake := range stakes {
			for _, change := range [][]func(*jackpot.Bet){nil, {externalBet}} {
				_, round := w.bet(t, 1, stake, change...)
				w.settle(t, 1, round)
				shares += min(stake, r.MaxStake) / 100
			}
		}
		w.draw(t)
		p := w.checkPool(t)
		if p.Amount != p.StartAmount+shares || p.Draws != int64(2*len(stakes)) || len(p.Wins) != 0 {
			t.Errorf("pool grew by %d after %d draws and %d wins, want %d", p.Amount-p.StartAmount, p.Draws, len(p.Wins), shares)
		}
		if maximum := w.site.Number(t, "SELECT MAX(stake) FROM jackpot_ticket"); maximum != int64(r.MaxStake) {
			t.Errorf("counted stake = %d, want at most %d", maximum, r.MaxStake)
		}
		w.site.VerifyLedger(t)
	})
}

// Pausing after the daily maximum limits the loss from an exploit. Tickets bought before the pause stay valid.
func TestPP13PausesAfterDailyWins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1, 2)
		w.serve(t)
		w.site.Set(t, "jackpot.series_per_day", "2")
		win := func(id int64) {
			_, round := w.bet(t, id, winningStake)
			w.settle(t, id, round)
			w.draw(t)
		}
		win(1)
		first := w.site.Clock.Now()
		w.site.Clock.Add(time.Hour)
		if p := w.checkPool(t); p.Series != 2 || p.BeginsAt != 0 || p.Amount != p.StartAmount {
			t.Fatalf("PP-13 after the first win: %+v, want series 2, begins at 0 and amount %v", p, p.StartAmount)
		}
		// Bought before the pause, settled during it.
		_, late := w.bet(t, 2, winningStake)
		_, small := w.bet(t, 2, 50)
		back, _ := w.bet(t, 2, 777)
		win(1)
		t.Run("PP-13 a paused pool is empty and shows when it begins", func(t *testing.T) {
			p := w.checkPool(t)
			if p.Series != 3 || p.Amount != 0 || p.BeginsAt != db.Millis(first.Add(24*time.Hour)) || p.MaxWinsPerDay != 2 {
				t.Errorf("pool = %+v, want series 3 with 0, which begins a day after the first win, and 2 wins per day", p)
			}
			merchanttest.Want(t, w.site.Call(t, "GET", "/wps/jackpot/pool", nil), 200, `{
				"success": true,
				"value": {
					"amount": 0, "beginsAt": 1773566813000, "cap": 37000000000, "chainId": "1020", "clientSeed": "71fcb8605acf5cc7ab7be53a86394b35-VND-3",
					"commitment": "4f5eb05b0b129109f87acde97089ed7ccce49e94b42546f6107dbf7c329a636e", "currency": "VND", "draws": 0, "games": [],
					"link": 3, "most": 1000000000000000, "nextCommitment": "", "parts": 2000000000, "perDay": 2, "publishedAt": 1773484013000,
					"seed": 3700000000, "series": 3, "sharePerMille": 10, "unit": 100, "wins": "(varies)"
				}
			}`, "wins")
		})
		t.Run("PP-13 stakes during the pause pay no share and take no part", func(t *testing.T) {
			if w.takesPart(t) {
				t.Error("a stake takes part during the pause")
			}
			w.bet(t, 1, winningStake)
			if n := w.site.Number(t, "SELECT COUNT(*) FROM jackpot_ticket WHERE state = 'open'"); n != 3 {
				t.Errorf("open tickets = %d, want 3", n)
			}
		})
		t.Run("PP-13 tickets bought before the pause stay valid", func(t *testing.T) {
			w.settle(t, 2, late)
			w.settle(t, 2, small)
			w.returnStake(t, 2, back, 777)
			w.site.Clock.Add(22 * time.Hour) // one hour before the pause ends
			w.draw(t)
			if n := w.site.Number(t, "SELECT COUNT(*) FROM jackpot_ticket WHERE state = 'open'"); n != 2 {
				t.Errorf("open tickets = %d, want 2", n)
			}
			if p := w.checkPool(t); p.Amount != 0 || len(p.Wins) != 2 {
				t.Errorf("pool = %+v, want amount 0 and 2 wins", p)
			}
			w.site.Clock.Add(time.Hour)
			w.draw(t)
			p := w.checkPool(t)
			if len(p.Wins) != 3 || p.Wins[0].Amount != int64(p.StartAmount+winningStake/100) || p.Series != 4 {
				t.Errorf("pool = %+v, want series 4 and 3 wins, the last of %d", p, p.StartAmount+winningStake/100)
			}
			// The second and the third win are less than a day old.
			if p.BeginsAt != db.Millis(first.Add(25*time.Hour)) {
				t.Errorf("beginsAt = %d, want %d", p.BeginsAt, db.Millis(first.Add(25*time.Hour)))
			}
		})
		t.Run("PP-13 FT-09 the series begins when the pause ends, by database time", func(t *testing.T) {
			w.site.Clock.Add(time.Hour - time.Millisecond)
			w.draw(t)
			if p := w.checkPool(t); p.Amount != 0 {
				t.Errorf("begun before the pause ended: %+v, want 0", p)
			}
			w.site.Clock.Add(time.Millisecond)
			if !w.takesPart(t) {
				t.Error("a stake after the pause takes no part")
			}
			w.draw(t)
			if p := w.checkPool(t); p.BeginsAt != 0 || p.Series != 4 || p.Amount != p.StartAmount || p.Draws != 1 {
				t.Errorf("pool = %+v, want series 4 begun, with its start amount and 1 draw", p)
			}
			if n := w.site.Number(t, "SELECT COUNT(*) FROM jackpot_ticket WHERE state = 'open'"); n != 0 {
				t.Errorf("open tickets = %d, want 0", n)
			}
		})
		t.Run("PP-13 no series follows with a share of 0", func(t *testing.T) {
			win(1)
			w.share(t, 0)
			w.checkNoPool(t)
		})
		w.site.VerifyLedger(t)
	})
}

// Draw must not loop over tickets that wait for a paused pool.
func TestManyTicketsWaitForPausedPool(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		w.site.Set(t, "jackpot.series_per_day", "1")
		var rounds []string
		for range 201 {
			_, round := w.bet(t, 1, 10_000)
			rounds = append(rounds, round)
		}
		_, won := w.bet(t, 1, winningStake)
		w.settle(t, 1, won)
		w.draw(t)
		for _, round := range rounds {
			w.settle(t, 1, round)
		}
		w.draw(t)
		if p := w.checkPool(t); p.BeginsAt == 0 || p.Draws != 0 {
			t.Errorf("pool = %+v, want a series that begins later, without draws", p)
		}
		w.site.Clock.Add(24 * time.Hour)
		w.draw(t)
		if p := w.checkPool(t); p.Draws != int64(len(rounds)) {
			t.Errorf("%d tickets were drawn, want %d", p.Draws, len(rounds))
		}
	})
}

// The published odds and values match the rules. The start amount alone is worth less than the House's edge.
func TestPP13OddsAndValue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/games/jackpot.md")
	if err != nil {
		t.Fatal(err)
	}
	odds, seeds, caps := []string{}, []string{}, []string{}
	for _, code := range []string{"VND", "CNY", "USD", "PKR", "BRL"} {
		r, _ := jackpot.RulesOf(code)
		whole := big.NewRat(int64(r.Unit)*int64(r.Parts), 1)
		value := func(pool money.Minor) *big.Rat { return new(big.Rat).Quo(big.NewRat(int64(pool), 1), whole) }
		below := r.Draw([32]byte{}, "x", 1, r.CountedStake(winningStake)).Below
		if below != int(r.MaxStake/r.Unit) || r.MaxStake%r.Unit != 0 || r.Parts%below != 0 {
			t.Errorf("%s: the maximum stake has %d parts", code, below)
		}
		odds = append(odds, fmt.Sprintf("1 in %s", formatThousands(r.Parts/below)))
		for at, list := range map[money.Minor]*[]string{r.StartAmount: &seeds, r.Cap: &caps} {
			percent := new(big.Rat).Mul(value(at), big.NewRat(100, 1))
			*list = append(*list, percent.FloatString(2)+" %")
		}
		if value(r.StartAmount).Cmp(big.NewRat(1, 50)) > 0 {
			t.Errorf("%s: the start amount is worth %s of a stake", code, value(r.StartAmount).FloatString(4))
		}
	}
	for name, list := range map[string][]string{"odds of the maximum stake": odds, "value of the start amount": seeds, "value of the cap": caps} {
		if row := "| " + strings.Join(list, " | ") + " |"; !strings.Contains(string(text), row) {
			t.Errorf("PP-13 %s: docs/games/jackpot.md lacks %s", name, row)
		}
	}
	trial, _ := jackpot.RulesOf("FUN")
	if played, _ := jackpot.RulesOf("VND"); trial != played {
		t.Error("PP-12 the rules of FUN and VND differ")
	}
}

func formatThousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
