package vendor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

var errRoundUnknown = fault.ForOperators(fault.NotFound, "round.unknown")

type opsRoundsInput struct {
	oplist.Params
	Member int64  `query:"member" minimum:"0" doc:"Id of a member."`
	Vendor string `query:"vendor" maxLength:"32" doc:"Code of a vendor."`
}

// An OpsRound is a round in a list.
type OpsRound struct {
	ID        string      `json:"id"`
	Round     string      `json:"round" doc:"The vendor's id of the round."`
	Vendor    string      `json:"vendor"`
	Game      string      `json:"game"`
	MemberID  string      `json:"memberId"`
	Username  string      `json:"username"`
	Currency  string      `json:"currency"`
	Stake     rest.Amount `json:"stake"`
	Win       rest.Amount `json:"win" doc:"Includes jackpots."`
	Status    string      `json:"status" enum:"open,won,lost,refunded"`
	StartedAt int64       `json:"startedAt"`
	SettledAt int64       `json:"settledAt,omitempty"`
	ProofPath string      `json:"proofPath,omitempty" doc:"Path of the proof in the app. Only for House rounds."`
	Version   int64       `json:"version" doc:"Number of the round's wins and ends."`
}

type opsMove struct {
	ID     string      `json:"id" doc:"Id of the transfer."`
	Call   string      `json:"call" enum:"bet,win,rollback,end"`
	Tx     string      `json:"tx"`
	Amount rest.Amount `json:"amount"`
	At     int64       `json:"at"`
	Ends   bool        `json:"ends"`
}

type opsRoundDetail struct {
	OpsRound

	Moves []opsMove `json:"moves" doc:"Bets, wins and refunds, oldest first. At most 500."`
}

// listOpsRounds selects rounds in the order of their first transfer. %s is a condition that an index supports.
const listOpsRounds = `SELECT r.first_id, r.round, v.code, v.launch_url, g.code, r.member_id, m.account, m.currency, r.staked, r.won + r.jackpot, r.status, r.started, r.settled, r.wins + r.ends
FROM vendor_round r JOIN vendor v ON v.id = r.vendor_id JOIN game g ON g.id = r.game_id JOIN member m ON m.id = r.member_id
WHERE v.merchant_id = $1 AND r.status <> '' AND ($2 = '' OR r.status = $2) AND ($3 = '' OR v.code = $3) AND ($4 = '' OR r.round = $4) AND r.started >= $5 AND r.started < $6 AND (CAST($7 AS BIGINT) = 0 OR r.member_id = $7)
  AND %s LIMIT $10`

// roundsPage returns the statement of a page of rounds, and its arguments. The first transfers of the rounds have ids from low up to but
// not including end.
func roundsPage(merchantID int64, in *opsRoundsInput, after page.Key, limit int, low, end int64) (statement string, args []any) {
	bound := fmt.Sprintf("r.first_id < $9 AND r.first_id >= %d AND r.first_id < %d AND CAST($8 AS BIGINT) > 0 ORDER BY r.first_id DESC", low, end)
	if in.Member != 0 {
		bound = fmt.Sprintf("r.member_id = %d AND r.started <= $8 AND (r.started < $8 OR r.first_id < $9) ORDER BY r.started DESC, r.first_id DESC", in.Member)
	}
	to := in.To
	if to == 0 {
		to = math.MaxInt64
	}
	return fmt.Sprintf(listOpsRounds, bound), []any{merchantID, in.State, in.Vendor, in.Q, in.From, to, in.Member, after.At, after.ID, limit}
}

func (s *Service) opsRounds(ctx context.Context, merchantID int64, in *opsRoundsInput, after page.Key, limit int) (list []OpsRound, err error) {
	low, end := int64(0), int64(math.MaxInt64)
	if in.From != 0 || in.To != 0 {
		to := in.To
		if to == 0 {
			to = math.MaxInt64
		}
		if low, end, err = ledger.IDRange(ctx, s.o.Store.Q(), in.From, to); err != nil {
			return nil, err
		}
	}
	statement, args := roundsPage(merchantID, in, after, limit, low, end)
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("read rounds: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r OpsRound
		var launchURL string
		var stake, win money.Minor
		if err := rows.Scan(&r.ID, &r.Round, &r.Vendor, &launchURL, &r.Game, &r.MemberID, &r.Username, &r.Currency, &stake, &win, &r.Status, &r.StartedAt, &r.SettledAt, &r.Version); err != nil {
			return nil, fmt.Errorf("read rounds: %w", err)
		}
		if r, err = r.with(stake, win, launchURL); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

func (r OpsRound) with(stake, win money.Minor, launchURL string) (OpsRound, error) {
	currency, err := money.Find(r.Currency)
	if err != nil {
		return r, rest.ErrSystem.Because(err)
	}
	r.Stake, r.Win = rest.AmountOf(currency, stake), rest.AmountOf(currency, win)
	if launchURL == "" { // the House
		r.ProofPath = "/m/fairness?" + url.Values{"vendor": {r.Vendor}, "roundId": {r.Round}}.Encode()
	}
	return r, nil
}

// OpsRoundRoutes adds the operator calls for rounds.
func OpsRoundRoutes(a *rest.API, s *Service) {
	const tag = "rounds"
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[opsRoundsInput, OpsRound]{
		Op:         rest.Op{Path: "/ops/v1/rounds", ID: "opsRounds", Tag: tag, Access: rest.Operators, Permission: permission.ReportRead, Summary: "Rounds", Description: "q is the vendor's id of a round."},
		Permission: string(permission.ReportRead), Sorts: []string{"startedAt"}, States: []string{statusOpen, statusWon, statusLost, statusRefunded}, File: "rounds.csv",
		Columns: []oplist.Column[OpsRound]{
			{Name: "id", Text: func(r OpsRound) string { return r.ID }},
			{Name: "round", Text: func(r OpsRound) string { return r.Round }},
			{Name: "vendor", Text: func(r OpsRound) string { return r.Vendor }},
			{Name: "game", Text: func(r OpsRound) string { return r.Game }},
			{Name: "username", Text: func(r OpsRound) string { return r.Username }},
			{Name: "stake", Text: func(r OpsRound) string { return string(r.Stake) }},
			{Name: "win", Text: func(r OpsRound) string { return string(r.Win) }},
			{Name: "currency", Text: func(r OpsRound) string { return r.Currency }},
			{Name: "status", Text: func(r OpsRound) string { return r.Status }},
			{Name: "startedAt", Text: func(r OpsRound) string { return time.UnixMilli(r.StartedAt).UTC().Format(time.RFC3339) }},
		},
		Select: func(ctx context.Context, in *opsRoundsInput, after page.Key, limit int) ([]OpsRound, error) {
			return s.opsRounds(ctx, rest.MerchantOf(ctx).ID, in, after, limit)
		},
		Key: func(r OpsRound, _ string) page.Key {
			id, _ := strconv.ParseInt(r.ID, 10, 64) // from the database
			return page.Key{At: r.StartedAt, ID: id}
		},
	})
	type idInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/rounds/{id}", ID: "OpsRound", Tag: tag, Access: rest.Operators, Permission: permission.ReportRead,
		Summary: "A round with its bets and results", Faults: []*fault.Fault{errRoundUnknown},
	}, func(ctx context.Context, in *idInput) (opsRoundDetail, error) {
		return s.opsRoundDetail(ctx, rest.MerchantOf(ctx).ID, in.ID)
	})
}

func (s *Service) opsRoundDetail(ctx context.Context, merchantID, id int64) (out opsRoundDetail, err error) {
	q := s.o.Store.Q()
	row, err := q.RoundForOperators(ctx, id, merchantID)
	if found, err := db.Found("read round", err); err != nil {
		return out, err
	} else if !found {
		return out, errRoundUnknown
	}
	out.OpsRound, err = OpsRound{
		ID: strconv.FormatInt(row.FirstID, 10), Round: row.Round, Vendor: row.Vendor, Game: row.Game, MemberID: strconv.FormatInt(row.MemberID, 10), Username: row.Account,
		Currency: row.Currency, Status: row.Status, StartedAt: row.Started, SettledAt: row.Settled, Version: row.Wins + row.Ends,
	}.with(money.Minor(row.Staked), money.Minor(row.Won+row.Jackpot), row.LaunchUrl)
	if err != nil {
		return out, err
	}
	currency, err := money.Find(row.Currency)
	if err != nil {
		return out, rest.ErrSystem.Because(err)
	}
	moves, err := q.MovesOfRound(ctx, query.MovesOfRoundParams{MemberID: row.MemberID, VendorID: row.VendorID, Round: row.Round, Started: row.Started})
	if err != nil {
		return out, fmt.Errorf("read moves: %w", err)
	}
	out.Moves = []opsMove{}
	for _, m := range moves {
		out.Moves = append(out.Moves, opsMove{strconv.FormatInt(m.TransferID, 10), m.Call, m.Tx, rest.AmountOf(currency, money.Minor(m.Amount)), m.At, m.Ends})
	}
	return out, nil
}
