package lottery

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A refusedOrder is the error of a transaction in which one order is refused. The others may succeed without it.
type refusedOrder struct {
	order *newOrder
	err   error
}

func (e *refusedOrder) Error() string { return e.err.Error() }
func (e *refusedOrder) Unwrap() error { return e.err }

// refuse returns err as the refusal of an order, unless err is a failure of the database.
func refuse(o *newOrder, err error) error {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return err
	}
	return &refusedOrder{o, err}
}

// A newOrder is an order that is stored.
type newOrder struct {
	*draft

	placed Placed
	err    error
	rows   []*query.LotteryNumero // of the numeros
	rounds []int64                // ids, by numero
}

// storeOrders stores orders and posts their stakes. If one is refused, it returns a refusedOrder and the transaction must be rolled
// back. An order whose request is already stored gets the first response. Immediately before the commit it checks again that the
// numeros are open (PP-14).
func (s *Service) storeOrders(ctx context.Context, tx *db.Tx, orders []*newOrder) error {
	now, err := s.o.Time(ctx, tx)
	if err != nil {
		return err
	}
	fresh, repeated, err := s.addOrders(ctx, tx, orders, millis(now))
	if err != nil {
		return err
	}
	if err := s.storeFresh(ctx, tx, fresh, millis(now)); err != nil {
		return err
	}
	for _, o := range repeated { // after the responses of this transaction's orders are stored
		if o.placed, _, o.err = s.replay(ctx, tx.Q, o.session.MemberID, o.RequestID, o.digest); o.err != nil {
			return refuse(o, o.err)
		}
	}
	return nil
}

func (s *Service) storeFresh(ctx context.Context, tx *db.Tx, orders []*newOrder, now int64) error {
	if len(orders) == 0 {
		return nil
	}
	if err := s.lockNumeros(ctx, tx, orders); err != nil {
		return err
	}
	if err := checkOpen(orders, now); err != nil {
		return err
	}
	stakes, err := s.postStakes(ctx, tx, orders, now)
	if err != nil {
		return err
	}
	if err := s.addBets(ctx, tx, orders, stakes); err != nil {
		return err
	}
	var changes []stakeChange
	for _, o := range orders {
		for k, row := range o.rows {
			changes = append(changes, stakeChange{stakeKey{row.ID, o.session.Currency, o.placed.OrderID % stakeParts}, 1, o.amounts[k]})
		}
	}
	if err := countStakes(ctx, tx, changes); err != nil {
		return err
	}
	if err := storeResponses(ctx, tx, orders); err != nil {
		return err
	}
	// Many orders add to the same lines. So the lines are locked last.
	if err := addExposure(ctx, tx, orders); err != nil {
		return err
	}
	end, err := s.o.Time(ctx, tx)
	if err != nil {
		return err
	}
	return checkOpen(orders, millis(end))
}

// addOrders stores the orders whose request is new. It waits for another transaction that stores the same request.
func (s *Service) addOrders(ctx context.Context, tx *db.Tx, orders []*newOrder, now int64) (fresh, repeated []*newOrder, err error) {
	type row struct {
		ID         int64  `json:"id"`
		MerchantID int64  `json:"merchant_id"`
		MemberID   int64  `json:"member_id"`
		VendorID   int64  `json:"vendor_id"`
		NodeID     int64  `json:"node_id"`
		PlayID     int64  `json:"play_id"`
		GameID     int64  `json:"game_id"`
		PrizeMode  string `json:"prize_mode"`
		Currency   string `json:"currency"`
		AccountID  int64  `json:"account_id"`
		HouseID    int64  `json:"house_id"`
		RequestID  string `json:"request_id"`
		Digest     string `json:"digest"`
		Total      int64  `json:"total"`
		StopOnWin  bool   `json:"stop_on_win"`
	}
	rows := make([]row, len(orders))
	for i, o := range orders {
		o.placed, o.err = Placed{OrderID: s.o.IDs(), Total: o.total}, nil
		f := o.session
		rows[i] = row{
			o.placed.OrderID, f.MerchantID, f.MemberID, f.VendorID, o.node, f.ID, int64(o.game.ID), o.mode.Code, f.Currency, o.cash.ID, o.house.ID, o.RequestID,
			hex.EncodeToString(o.digest), int64(o.total), o.Chase != nil && o.Chase.StopOnWin,
		}
	}
	decode := "unhex(x.digest)"
	if tx.Engine == db.Postgres {
		decode = "decode(x.digest, 'hex')"
	}
	statement := `INSERT INTO lottery_order (id, merchant_id, member_id, vendor_id, node_id, play_id, game_id, prize_mode, currency, account_id, house_id, request_id, digest, answer, total, stop_on_win, created_at)
SELECT x.id, x.merchant_id, x.member_id, x.vendor_id, x.node_id, x.play_id, x.game_id, x.prize_mode, x.currency, x.account_id, x.house_id, x.request_id, ` + decode + `, '', x.total, x.stop_on_win, CAST($2 AS BIGINT)
FROM ` + db.FromJSON(tx.Engine, "id bigint", "merchant_id bigint", "member_id bigint", "vendor_id bigint", "node_id bigint", "play_id bigint", "game_id bigint", "prize_mode text",
		"currency text", "account_id bigint", "house_id bigint", "request_id text", "digest text", "total bigint", "stop_on_win boolean") + `
WHERE TRUE ORDER BY x.member_id, x.request_id, x.id ON CONFLICT (member_id, request_id) DO NOTHING RETURNING id`
	added, err := queryIDs(ctx, tx, statement, rows, now)
	if err != nil {
		return nil, nil, fmt.Errorf("add orders: %w", err)
	}
	for _, o := range orders {
		if added[o.placed.OrderID] {
			fresh = append(fresh, o)
		} else {
			repeated = append(repeated, o)
		}
	}
	return fresh, repeated, nil
}

// queryIDs runs a statement that reads rows with db.FromJSON, and returns the ids that it returns.
func queryIDs[T any](ctx context.Context, tx *db.Tx, statement string, from []T, args ...any) (ids map[int64]bool, err error) {
	list, err := db.JSONOf(from)
	if err != nil {
		return nil, err
	}
	rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx, statement, append([]any{list}, args...)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	ids = map[int64]bool{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, rows.Err()
}

// lockNumeros sets the numeros of the orders. None of them can be drawn until the transaction ends.
func (s *Service) lockNumeros(ctx context.Context, tx *db.Tx, orders []*newOrder) error {
	type key struct {
		merchant int64
		game     int
		numero   string
	}
	known := map[key]*query.LotteryNumero{}
	var all []*query.LotteryNumero
	find := func(o *newOrder, n schedule.Numero) (*query.LotteryNumero, error) {
		k := key{o.session.MerchantID, o.game.ID, n.ID}
		if known[k] == nil {
			row, err := s.ensureNumero(ctx, tx, k.merchant, o.game, n)
			if err != nil {
				return nil, refuse(o, err)
			}
			known[k], all = &row, append(all, &row)
		}
		return known[k], nil
	}
	for _, o := range orders {
		o.rows = make([]*query.LotteryNumero, len(o.numeros))
		for k, n := range o.numeros {
			var err error
			if o.rows[k], err = find(o, n); err != nil {
				return err
			}
		}
	}
	// Locking in the order of ids prevents deadlocks between orders.
	slices.SortFunc(all, func(a, b *query.LotteryNumero) int { return cmp.Compare(a.ID, b.ID) })
	for _, row := range all {
		if err := lockAgainstDraw(ctx, tx, row); err != nil {
			return err
		}
	}
	return nil
}

// checkOpen refuses an order if its first numero is not open, or if a later one is closed.
func checkOpen(orders []*newOrder, now int64) error {
	for _, o := range orders {
		for k, row := range o.rows {
			if isClosed(*row, now) || k == 0 && now < row.OpenAt {
				return &refusedOrder{o, ErrClosed.With("numero", row.Numero)}
			}
		}
	}
	return nil
}

// postStakes posts the stakes of the orders, one for each numero, and returns the ids of the transfers.
func (s *Service) postStakes(ctx context.Context, tx *db.Tx, orders []*newOrder, now int64) (stakes []int64, err error) {
	var transfers []ledger.Transfer
	var owners []*newOrder
	for _, o := range orders {
		f := o.session
		o.rounds = make([]int64, len(o.rows))
		for k, row := range o.rows {
			o.rounds[k] = s.o.IDs()
			o.placed.Numeros = append(o.placed.Numeros, row.Numero)
			name := roundName(o.placed.OrderID, row.Numero)
			owners = append(owners, o)
			transfers = append(transfers, ledger.Transfer{
				Key: "lottery/" + formatID(o.rounds[k]), Debit: o.cash.ID, Credit: o.house.ID, Amount: o.amounts[k], Kind: kindBet, RefType: "round", RefID: name, Guarded: true,
				Rows: []ledger.Row{
					s.o.Record(Move{
						VendorID: f.VendorID, MemberID: f.MemberID, Round: name, Call: moveBet, Tx: formatID(o.rounds[k]), Amount: o.amounts[k], Currency: f.Currency,
						PlayID: f.ID, GameID: o.node, At: now,
					}),
					s.o.Limits.Stake(f.MemberID, f.Currency, o.amounts[k]),
				},
			})
		}
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, transfers...)
	var refused *ledger.PostError
	if errors.As(err, &refused) {
		return nil, refuse(owners[refused.Index], refused.Err)
	}
	if err != nil {
		return nil, err
	}
	stakes = make([]int64, len(posted))
	for i, p := range posted {
		stakes[i], owners[i].placed.Balance = p.ID, p.DebitAfter
	}
	return stakes, nil
}

// addBets stores the bets of the orders, as one round for each numero.
func (s *Service) addBets(ctx context.Context, tx *db.Tx, orders []*newOrder, stakes []int64) error {
	type roundRow struct {
		ID       int64 `json:"id"`
		OrderID  int64 `json:"order_id"`
		NumeroID int64 `json:"numero_id"`
		Amount   int64 `json:"amount"`
		StakeID  int64 `json:"stake_id"`
	}
	type betRow struct {
		ID        int64  `json:"id"`
		RoundID   int64  `json:"round_id"`
		OrderID   int64  `json:"order_id"`
		PlayCode  string `json:"play_code"`
		Selection string `json:"selection"`
		Stake     int64  `json:"stake"`
		Multiple  int64  `json:"multiple"`
		Lines     int64  `json:"lines"`
		Amount    int64  `json:"amount"`
		Odds      string `json:"odds"`
	}
	var rounds []roundRow
	var bets []betRow
	for _, o := range orders {
		for k, row := range o.rows {
			rounds = append(rounds, roundRow{o.rounds[k], o.placed.OrderID, row.ID, int64(o.amounts[k]), stakes[len(rounds)]})
			for i, b := range o.bets[k] {
				odds, err := oddsText(b.Odds)
				if err != nil {
					return err
				}
				bet := PlacedBet{s.o.IDs(), row.Numero, b.Play.Code, len(b.Lines), b.Amount, b.Odds}
				o.placed.Bets = append(o.placed.Bets, bet)
				bets = append(bets, betRow{
					bet.ID, o.rounds[k], o.placed.OrderID, b.Play.Code, o.Bets[i].Selection, int64(b.Stake), int64(b.Multiple), int64(len(b.Lines)), int64(b.Amount), odds,
				})
			}
		}
	}
	err := execRows(ctx, tx, `INSERT INTO lottery_round (id, order_id, numero_id, amount, stake_id, status)
SELECT x.id, x.order_id, x.numero_id, x.amount, x.stake_id, 'open' FROM `+
		db.FromJSON(tx.Engine, "id bigint", "order_id bigint", "numero_id bigint", "amount bigint", "stake_id bigint"), rounds)
	if err != nil {
		return fmt.Errorf("add rounds: %w", err)
	}
	err = execRows(ctx, tx, `INSERT INTO lottery_bet (id, round_id, order_id, play_code, selection, stake, multiple, lines, amount, odds, state)
SELECT x.id, x.round_id, x.order_id, x.play_code, x.selection, x.stake, x.multiple, x.lines, x.amount, x.odds, 'open' FROM `+
		db.FromJSON(tx.Engine, "id bigint", "round_id bigint", "order_id bigint", "play_code text", "selection text", "stake bigint", "multiple bigint", "lines bigint", "amount bigint", "odds text"), bets)
	return wrap("add bets", err)
}

// storeResponses stores the responses of the orders, for repeated requests.
func storeResponses(ctx context.Context, tx *db.Tx, orders []*newOrder) error {
	type row struct {
		ID     int64  `json:"id"`
		Answer string `json:"answer"`
	}
	rows := make([]row, len(orders))
	for i, o := range orders {
		response, err := json.Marshal(o.placed)
		if err != nil {
			return fmt.Errorf("encode order: %w", err)
		}
		rows[i] = row{o.placed.OrderID, string(response)}
	}
	err := execRows(ctx, tx, "UPDATE lottery_order SET answer = x.answer FROM "+db.FromJSON(tx.Engine, "id bigint", "answer text")+" WHERE lottery_order.id = x.id", rows)
	return wrap("store responses", err)
}

// execRows runs a statement that reads rows with db.FromJSON.
func execRows[T any](ctx context.Context, tx *db.Tx, statement string, rows []T) error {
	list, err := db.JSONOf(rows)
	if err != nil {
		return err
	}
	_, err = db.Bind(tx.Engine, tx.Tx).ExecContext(ctx, statement, list)
	return err
}
