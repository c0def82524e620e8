package server_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/finance/promo"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

type modelBet struct {
	tx       string
	amount   int64
	reward   int // index of the bonus that paid the bet, or -1 for cash
	reversed bool
}

type roundModel struct {
	bets       []*modelBet
	wins, ends int
	started    int64
	settled    bool
}

// activeBets counts the bets that were not rolled back.
func (r *roundModel) activeBets() (n int) {
	for _, s := range r.bets {
		if !s.reversed {
			n++
		}
	}
	return n
}

// rewardForWins returns the index of the bonus that gets the round's wins, or -1.
func (r *roundModel) rewardForWins() int {
	for _, s := range r.bets {
		if !s.reversed && s.reward >= 0 {
			return s.reward
		}
	}
	return -1
}

type rewardModel struct {
	id       int64
	status   string
	required int64
	claimed  int64
}

// A bonusModel implements the bonus rules without a database.
type bonusModel struct {
	cash, bonus int64
	rewards     []*rewardModel
	rounds      map[string]*roundModel
}

// activeReward returns the index of the bonus that is being wagered, or -1.
func (m *bonusModel) activeReward() int {
	for i, r := range m.rewards {
		if r.status == promo.Wagering {
			return i
		}
	}
	return -1
}

// credit pays to the bonus, or to cash if there is none or it is completed. It drops the amount if the bonus has ended.
func (m *bonusModel) credit(reward int, amount int64) {
	switch {
	case reward < 0 || m.rewards[reward].status == promo.Completed:
		m.cash += amount
	case m.rewards[reward].status == promo.Wagering:
		m.bonus += amount
	}
}

// end ends the active bonus. A completed bonus becomes cash.
func (m *bonusModel) end(status string) {
	if i := m.activeReward(); i >= 0 {
		if m.rewards[i].status = status; status == promo.Completed {
			m.cash += m.bonus
		}
		m.bonus = 0
	}
}

// statusAtEnd returns the status in which the active bonus ends now: completed if the bets are enough, else the given one.
func (m *bonusModel) statusAtEnd(status string) string {
	if r := m.rewards[m.activeReward()]; m.sumBetsSince(r.claimed) >= r.required {
		return promo.Completed
	}
	return status
}

// sumBetsSince returns the bets of settled rounds that started at the given time or later.
func (m *bonusModel) sumBetsSince(at int64) (sum int64) {
	for _, r := range m.rounds {
		if r.activeBets() == 0 || !r.settled || r.started < at {
			continue
		}
		for _, s := range r.bets {
			if !s.reversed {
				sum += s.amount
			}
		}
	}
	return sum
}

// After random bets, wins, rollbacks, retries, claims, expiries and settlements, the ledger's invariants and the bonus
// rules hold.
func TestRandomBonusPlayMatchesModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		b := newBonusSite(t, store, 500)
		m, run := &bonusModel{cash: 500, rounds: map[string]*roundModel{}}, 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			for range rapid.IntRange(1, 15).Draw(rt, "steps") {
				b.Clock.Add(time.Millisecond)
				b.step(t, rt, m, run)
				if c, n := int64(b.Balance(t, b.cash)), int64(b.Balance(t, b.bonus)); c != m.cash || n != m.bonus {
					rt.Fatalf("got cash %d and bonus %d, want %d and %d", c, n, m.cash, m.bonus)
				}
			}
			for i, r := range m.rewards {
				if got := b.status(t, r.id); got != r.status {
					rt.Fatalf("status of bonus %d: got %s, want %s", i, got, r.status)
				}
			}
		})
		b.VerifyLedger(t)
	})
}

// step takes one random action on the site and in the model.
func (b *bonusSite) step(t *testing.T, rt *rapid.T, m *bonusModel, run int) {
	name := fmt.Sprintf("%d:%s", run, rapid.SampledFrom([]string{"r1", "r1", "r2", "r3"}).Draw(rt, "round"))
	round := m.rounds[name]
	if round == nil {
		round = &roundModel{}
	}
	b.txs++
	tx := fmt.Sprintf("t%d", b.txs)
	now := db.Millis(b.Clock.Now())
	// send sends a call once or twice at the same time. Both must have the same code.
	send := func(want string, call func() vendorReply) {
		replies := make([]vendorReply, rapid.IntRange(1, 2).Draw(rt, "times"))
		var all sync.WaitGroup
		for i := range replies {
			all.Go(func() { replies[i] = call() })
		}
		all.Wait()
		for _, r := range replies {
			if r.status != 200 || r.Code != want {
				rt.Fatalf("%s %s: got %d %s, want %s", tx, name, r.status, r.Code, want)
			}
		}
	}
	activeBets := round.activeBets()
	switch action := rapid.SampledFrom([]string{"bet", "bet", "bet", "bet", "win", "win", "rollback", "end", "claim", "claim", "give up", "expire", "settle", "settle", "fund"}).Draw(rt, "action"); action {
	case "bet":
		amount := rapid.SampledFrom([]int64{5, 50, 120, 400}).Draw(rt, "stake")
		want, stake := "OK", &modelBet{tx: tx, amount: amount, reward: -1}
		switch active := m.activeReward(); {
		case round.ends > 0:
			want = "ROUND_CLOSED"
		case amount <= m.cash:
			m.cash -= amount
		case active >= 0 && amount <= m.bonus && (activeBets == 0 || round.rewardForWins() == active):
			m.bonus, stake.reward = m.bonus-amount, active
		default:
			want = "INSUFFICIENT_FUNDS"
		}
		if want == "OK" {
			if len(round.bets) == 0 {
				round.started = now
			}
			round.bets, m.rounds[name] = append(round.bets, stake), round
		}
		send(want, func() vendorReply { return b.sendVendorCall(t, "bet", tx, name, amount, nil) })
	case "win":
		amount := rapid.SampledFrom([]int64{0, 30, 200}).Draw(rt, "win")
		ends := rapid.Bool().Draw(rt, "ends")
		want := "OK"
		switch {
		case round.ends > 0:
			want = "ROUND_CLOSED"
		case activeBets == 0:
			want = "ROUND_NOT_FOUND"
		default:
			m.credit(round.rewardForWins(), amount)
			round.wins++
			round.settled = true
			if ends {
				round.ends++
			}
		}
		send(want, func() vendorReply {
			return b.sendVendorCall(t, "win", tx, name, amount, map[string]any{"endRound": ends})
		})
	case "rollback":
		if len(round.bets) == 0 {
			return
		}
		bet := rapid.SampledFrom(round.bets).Draw(rt, "bet")
		want := "OK"
		switch {
		case bet.reversed:
		case round.wins > 0 || round.ends > 0:
			want = "ROUND_CLOSED"
		default:
			bet.reversed = true
			m.credit(bet.reward, bet.amount)
		}
		send(want, func() vendorReply { return b.rollback(t, tx, bet.tx) })
	case "end":
		if len(round.bets) == 0 {
			return
		}
		round.ends++
		round.settled = true
		send("OK", func() vendorReply { return b.sendVendorCall(t, "endRound", tx, name, 0, nil) })
	case "claim":
		if m.activeReward() >= 0 {
			return
		}
		amount := rapid.SampledFrom([]int64{100, 500}).Draw(rt, "bonus")
		id := b.grant(t, amount, 1)
		m.rewards = append(m.rewards, &rewardModel{id, promo.Wagering, amount, now})
		m.bonus += amount
	case "give up":
		if i := m.activeReward(); i >= 0 {
			if _, err := b.Server.Promotions.GiveUp(t.Context(), promo.Member{ID: b.member, MerchantID: b.ID, Currency: "VND"}, m.rewards[i].id); err != nil {
				rt.Fatal(err)
			}
			m.end(m.statusAtEnd(promo.GivenUp))
		}
	case "expire", "settle":
		if action == "expire" {
			b.Exec(t, "UPDATE reward SET expires_at = $1 WHERE status = 'WAGERING'", now)
		}
		if m.activeReward() >= 0 {
			if status := m.statusAtEnd(promo.Expired); status == promo.Completed || action == "expire" {
				m.end(status)
			}
		}
		if err := b.Server.Promotions.Settle(t.Context()); err != nil {
			rt.Fatal(err)
		}
	case "fund":
		if m.cash > 1_000 {
			return
		}
		house := b.House(t, ledger.Deposits)
		if _, err := b.Server.Ledger.Post(t.Context(), ledger.Transfer{Key: "test/" + tx, Debit: house.ID, Credit: b.cash, Amount: 60, Kind: "deposit"}); err != nil {
			rt.Fatal(err)
		}
		m.cash += 60
	}
}
