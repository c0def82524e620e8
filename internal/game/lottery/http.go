package lottery

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const tag = "lottery"

// A GameIDInput identifies a game.
type GameIDInput struct {
	ID string `path:"id" maxLength:"20"`
}

type ticketBody struct {
	Token string `json:"token" minLength:"1" maxLength:"200" doc:"The launch ticket."`
}

type sessionInput struct{ Body ticketBody }

type sessionReply struct {
	Session    string      `json:"session"`
	ExpiresAt  int64       `json:"expiresAt"`
	ServerTime int64       `json:"serverTime"`
	Currency   string      `json:"currency"`
	Balance    rest.Amount `json:"balance"`
	Trial      bool        `json:"trial"`
	Player     string      `json:"player" doc:"Names the player on a device, so that the next one does not see what was stored."`
	Language   string      `json:"language"`
	GameID     string      `json:"gameId,omitempty" doc:"Absent in a lobby."`
}

// Routes registers the lottery's endpoints. It documents refusals as further errors of sessions and bets.
func Routes(a *rest.API, s *Service, refusals ...*fault.Fault) {
	readRoutes(a, s)
	rest.Lgw(a, rest.Op{
		Method: http.MethodPost, Path: "/lgw/session", ID: "lotterySession", Tag: tag, Summary: "Exchange a launch ticket for a session, once",
		Rate: &ratelimit.Limit{Burst: 60, Every: time.Second}, Faults: append([]*fault.Fault{rest.ErrTokenInvalid}, refusals...),
	}, func(ctx context.Context, in *sessionInput) (sessionReply, error) {
		o, err := s.openSession(ctx, in.Body.Token, rest.NamedMerchant(ctx))
		if err != nil {
			return sessionReply{}, err
		}
		out := sessionReply{
			Session: o.token, ExpiresAt: o.expires.UnixMilli(), ServerTime: serverTime(s.o.Now()), Currency: o.Currency, Balance: rest.AmountOf(o.currency, o.balance), Trial: o.Trial, Player: o.player(), Language: o.Language,
		}
		if o.game != nil {
			out.GameID = fmt.Sprint(o.game.ID)
		}
		return out, nil
	})
	sessionRoute(a, s, rest.Op{
		Method: http.MethodPost, Path: "/lgw/orders/betting", ID: "lotteryBet", Summary: "Bet", MaxBody: 1 << 20,
		Faults: slices.Concat(betFaults(), []*fault.Fault{schedule.ErrNumero, idempotency.ErrConflict, ratelimit.ErrLimited}, refusals),
	}, s.handleBetting)
	sessionRoute(a, s, rest.Op{
		Method: http.MethodGet, Path: "/lgw/orders", ID: "lotteryOrders", Summary: "List the player's orders, newest first", Faults: []*fault.Fault{rest.ErrTokenInvalid, play.ErrUnknownGame},
	}, s.handleOrders)
	type idInput struct {
		ID string `path:"id" maxLength:"20"`
	}
	sessionRoute(a, s, rest.Op{
		Method: http.MethodGet, Path: "/lgw/orders/{id}", ID: "lotteryOrder", Summary: "Get an order of the player", Faults: []*fault.Fault{rest.ErrTokenInvalid, ErrUnknownOrder},
	}, func(ctx context.Context, f gameSession, in *idInput) (orderReply, error) {
		id, err := orderID(in.ID)
		if err != nil {
			return orderReply{}, err
		}
		o, err := s.order(ctx, f.MemberID, id)
		if err != nil {
			return orderReply{}, err
		}
		return s.showOrder(o)
	})
	sessionRoute(a, s, rest.Op{
		Method: http.MethodDelete, Path: "/lgw/orders/{id}", ID: "lotteryCancel", Summary: "Return the stakes of an order's numeros that are not closed yet",
		Faults: []*fault.Fault{rest.ErrTokenInvalid, ErrUnknownOrder, ratelimit.ErrLimited},
	}, func(ctx context.Context, f gameSession, in *idInput) (cancelReply, error) {
		id, err := orderID(in.ID)
		if err != nil {
			return cancelReply{}, err
		}
		if err := s.takeRate(f.MemberID, true); err != nil {
			return cancelReply{}, err
		}
		returned, balance, err := s.cancel(ctx, f.MemberID, id, "")
		return cancelReply{rest.AmountOf(f.currency, returned), rest.AmountOf(f.currency, balance)}, err
	})
}

// sessionRoute registers an endpoint that requires a lottery session.
func sessionRoute[I, O any](a *rest.API, s *Service, op rest.Op, h func(context.Context, gameSession, *I) (O, error)) {
	op.Tag, op.Access = tag, rest.Frame
	rest.Lgw(a, op, func(ctx context.Context, in *I) (O, error) {
		f, err := s.findSession(ctx, rest.TokenOf(ctx), rest.NamedMerchant(ctx))
		if err != nil {
			var none O
			return none, err
		}
		return h(ctx, f, in)
	})
}

func readRoutes(a *rest.API, s *Service) {
	get := func(path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: http.MethodGet, Path: path, ID: id, Tag: tag, Summary: summary, Faults: faults}
	}
	rest.Lgw(a, get("/lgw/games", "lotteryGames", "List the games with their current numeros"), s.handleGames)
	rest.Lgw(a, get("/lgw/games/game_menus", "lotteryMenus", "List the groups of games"), s.handleMenus)
	rest.Lgw(a, get("/lgw/vn/games/game_menu", "lotteryWeek", "List the weekly schedule of the regions"), s.handleWeek)
	rest.Lgw(a, get("/lgw/games/{id}/play_menu", "lotteryPlays", "List the plays of a game", play.ErrUnknownGame), s.handlePlays)
	rest.Lgw(a, get("/lgw/numeros/near", "lotteryNear", "Get the current numero of a game", play.ErrUnknownGame), s.handleNear)
	rest.Lgw(a, get("/lgw/draw/{gameId}", "lotteryDraws", "List the results of a game, newest first", play.ErrUnknownGame), s.handleDraws)
	rest.Lgw(a, get("/lgw/series/{series}", "lotterySeries", "Get a series of our own draws", ErrNoSeries), s.handleSeries)
	rest.Lgw(a, get("/lgw/vn/numeros/opened/game", "lotteryPrizes", "Get the prizes of a regional draw", play.ErrUnknownGame, schedule.ErrNumero), s.handlePrizes)
	rest.Lgw(a, get("/lgw/games/{id}/stats", "lotteryStats", "Get how often and how long ago each number came", play.ErrUnknownGame, play.ErrUnknownPlay), s.handleStats)
}

func nameOf(ctx context.Context, n play.Names) string {
	if rest.LanguageOf(ctx) == "vi" {
		return n.VI
	}
	return n.EN
}
