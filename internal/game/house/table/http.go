package table

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/seed"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type tableStateReply struct {
	Now     int64            `json:"now"`
	Table   tableReply       `json:"table"`
	Round   *tableRoundReply `json:"round" doc:"Null while the table has no players. A round opens shortly after the first player opens the table."`
	Crowd   crowdReply       `json:"crowd"`
	Mine    []TicketReply    `json:"mine" doc:"The caller's tickets of this round."`
	History []pastReply      `json:"history" doc:"The last 60 rounds, oldest first."`
	Balance rest.Amount      `json:"balance"`
}

type betInput struct {
	Body struct {
		BetID string                 `json:"betId" minLength:"36" maxLength:"36" pattern:"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" doc:"Chosen by the client. A repeated request with the same id returns the same ticket."`
		Round string                 `json:"round" maxLength:"19" pattern:"^[1-9][0-9]*$"`
		Spots map[string]rest.Amount `json:"spots" minProperties:"1" maxProperties:"64"`
	}
}

type betReply struct {
	Bet     TicketReply `json:"bet"`
	Balance rest.Amount `json:"balance"`
}

type oldTicketReply struct {
	TicketReply

	At         int64       `json:"at" doc:"Unix milliseconds."`
	Round      string      `json:"round"`
	Number     int64       `json:"number"`
	ClientSeed string      `json:"clientSeed"`
	Commitment string      `json:"commitment"`
	Seed       *string     `json:"seed"`
	Result     resultReply `json:"result"`
}

type oldTicketsReply struct {
	List []oldTicketReply `json:"list"`
	Next *string          `json:"next" doc:"The before value of the next page. Null on the last page."`
}

type historyInput struct {
	Before string `query:"before" pattern:"^[1-9][0-9]{0,18}$" maxLength:"19"`
}

const historyPage = 20

var tableFaults = []*fault.Fault{
	refusal.ErrExpired, refusal.ErrUnavailable, refusal.ErrClosed, refusal.ErrPending, refusal.ErrExcluded, refusal.ErrWrongGame,
}

// Routes adds the calls of table frames, and the public description of the engines.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/house/v1/table", ID: "houseTable", Tag: "house",
		Summary: "The frame's table: rules, round, crowd, own tickets, history", Access: rest.Frame, Faults: tableFaults,
	}, s.handleTable)
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/house/v1/table/bet", ID: "houseTableBet", Tag: "house",
		Summary: "Put a ticket on the table, all of it or nothing", Access: rest.Frame,
		Faults: append([]*fault.Fault{
			refusal.ErrFunds, refusal.ErrLimit, refusal.ErrConflict, refusal.ErrRefunded, refusal.ErrStuck, refusal.ErrBettingClosed, spot.ErrUnknown, refusal.ErrSpotLimit,
			refusal.ErrTableLimit, refusal.ErrBelowMinimum, refusal.ErrWrongMultiple, refusal.ErrTooMany, reels.ErrStake,
		}, tableFaults...),
	}, s.handleBet)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/house/v1/table/mine", ID: "houseTableMine", Tag: "house",
		Summary: "The player's tickets at the table, newest first", Access: rest.Frame, Faults: tableFaults,
	}, s.handleTickets)
	pastRoutes(a, s)
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/house/v1/table/events", ID: "houseTableEvents", Tag: "house",
		Summary: "Event stream of the frame's table", Access: rest.Frame, Stream: true, ContentType: "text/event-stream",
		Faults: tableFaults, Description: streamDoc,
	}, streamer{s})
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/table", ID: "fairnessTable", Tag: "fairness",
		Summary: "Spots of a table's engine, what they pay and what they return", Access: rest.Public, Faults: []*fault.Fault{refusal.ErrUnknownEngine},
	}, func(_ context.Context, in *tableEngineInput) (tableEngineReply, error) {
		return newEngineReply(in.Name, in.Version)
	})
}

// callerFrame returns the caller's frame. It fails if the frame is not of a table game.
func (s *Service) callerFrame(ctx context.Context) (tableFrame, error) {
	f, err := s.o.Frames.Enter(ctx, rest.TokenOf(ctx), rest.NamedMerchant(ctx))
	if err != nil {
		return tableFrame{}, err
	}
	if !Serves(f.Category) {
		return tableFrame{}, refusal.ErrWrongGame
	}
	return newTableFrame(f)
}

func (s *Service) handleTable(ctx context.Context, _ *struct{}) (tableStateReply, error) {
	f, err := s.callerFrame(ctx)
	if err != nil {
		return tableStateReply{}, err
	}
	balance, err := s.o.Frames.Balance(ctx, f.Frame)
	if err != nil {
		return tableStateReply{}, err
	}
	runner := s.runners.startForRequest(f.table)
	state, err := runner.current(ctx)
	if err != nil {
		return tableStateReply{}, err
	}
	reply := tableStateReply{
		Now: db.Millis(state.now()), Table: newTableReply(f), Round: newRoundReply(state.round, state.now()), Mine: []TicketReply{}, History: []pastReply{},
		Balance: rest.AmountOf(f.Currency, balance),
	}
	if reply.Round != nil {
		own, err := s.o.Store.Q().PlayerTickets(ctx, sql.NullInt64{Int64: state.round.ID, Valid: true}, f.Player)
		if err != nil {
			return reply, fmt.Errorf("read own tickets: %w", err)
		}
		if reply.Mine, err = newTicketReplies(own, f.Player, f.Currency); err != nil {
			return reply, err
		}
	}
	for _, r := range state.results {
		reply.History = append(reply.History, pastReply{r.Number, resultReply(r.Result)})
	}
	reply.Crowd.Spots = map[string]crowdSpot{}
	if reply.Round != nil {
		reply.Crowd, err = state.snapshot.crowd(f.Currency)
	}
	return reply, err
}

func (s *Service) handleBet(ctx context.Context, in *betInput) (betReply, error) {
	f, err := s.callerFrame(ctx)
	if err != nil {
		return betReply{}, err
	}
	round, err := strconv.ParseInt(in.Body.Round, 10, 64)
	if err != nil {
		return betReply{}, rest.ErrParam.On("round")
	}
	stakes := spotStakes{}
	for id, stake := range in.Body.Spots {
		if stakes[id], err = f.Currency.Parse(string(stake)); err != nil {
			return betReply{}, reels.ErrStake.On("spots")
		}
	}
	if len(stakes) == 0 || len(stakes) > maxSpotsPerTicket {
		return betReply{}, rest.ErrParam.On("spots")
	}
	row, err := s.placeBet(ctx, f, in.Body.BetID, round, stakes)
	if err != nil {
		return betReply{}, err
	}
	runner := s.runners.startForRequest(f.table)
	runner.markTicketsChanged()
	runner.notifyReplicas(ticketsChange)
	balance := money.Minor(row.Balance.Int64)
	if row.Status != bet.Placed { // for a repeated request, the stored balance is out of date
		if now, err := s.o.Frames.Balance(ctx, f.Frame); err == nil {
			balance = now
		}
	}
	ticket, err := newTicketReply(query.TableTicketsRow{
		ID: row.ID, Player: row.Player, SpinID: row.SpinID, Currency: row.Currency, Stake: row.Stake, Spots: row.Spots, Status: row.Status, Win: row.Win,
	}, f.Currency, false)
	return betReply{Bet: ticket, Balance: rest.AmountOf(f.Currency, balance)}, err
}

func (s *Service) handleTickets(ctx context.Context, in *historyInput) (oldTicketsReply, error) {
	f, err := s.callerFrame(ctx)
	if err != nil {
		return oldTicketsReply{}, err
	}
	before := int64(math.MaxInt64)
	if in.Before != "" {
		if before, err = strconv.ParseInt(in.Before, 10, 64); err != nil {
			return oldTicketsReply{}, rest.ErrParam.On("before")
		}
	}
	if _, err := s.o.Frames.Balance(ctx, f.Frame); err != nil { // checks the member's session
		return oldTicketsReply{}, err
	}
	now, err := s.o.Clock.Now(ctx, nil)
	if err != nil {
		return oldTicketsReply{}, err
	}
	rows, err := s.o.Store.Q().OldTickets(ctx, query.OldTicketsParams{Player: f.Player, Before: before, TableID: f.table.ID, Most: historyPage + 1})
	if err != nil {
		return oldTicketsReply{}, fmt.Errorf("read old tickets: %w", err)
	}
	reply := oldTicketsReply{List: []oldTicketReply{}}
	if len(rows) > historyPage {
		rows = rows[:historyPage]
		next := strconv.FormatInt(rows[historyPage-1].ID, 10)
		reply.Next = &next
	}
	for _, row := range rows {
		ticket, err := newOldTicketReply(row, now)
		if err != nil {
			return oldTicketsReply{}, err
		}
		reply.List = append(reply.List, ticket)
	}
	return reply, nil
}

func newOldTicketReply(row query.OldTicketsRow, now time.Time) (oldTicketReply, error) {
	c, err := money.Find(row.Currency)
	if err != nil {
		return oldTicketReply{}, err
	}
	ticket, err := newTicketReply(query.TableTicketsRow{
		ID: row.ID, SpinID: row.SpinID, Currency: row.Currency, Stake: row.Stake, Spots: row.Spots, Status: row.Status, Win: row.Win,
	}, c, now.Sub(time.UnixMilli(row.CreatedAt)) > maxPayTime)
	reply := oldTicketReply{
		TicketReply: ticket, At: row.CreatedAt, Round: strconv.FormatInt(row.RoundID, 10), Number: row.Number, ClientSeed: row.ClientSeed, Commitment: seed.Published(row.Commitment, row.Seed),
	}
	switch row.RoundStatus {
	case roundResult, roundEnded:
		reply.Seed, reply.Result = seed.Revealed(row.Seed), resultReply(row.Result)
	case roundVoid:
		reply.Seed = seed.Revealed(row.Seed)
	}
	return reply, err
}
