package content

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type news struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	URL       string `json:"url"`
	Image     string `json:"image"`
	Type      string `json:"type" enum:"PL,PR"`
	CreatedAt int64  `json:"createdAt" doc:"Unix milliseconds: since when it is told."`
}

type newsInput struct {
	Platform     string `query:"platform" maxLength:"8"`
	MerchantCode string `query:"merchantCode" maxLength:"32"`
}

func newsRoutes(a *rest.API, s *Service) {
	add := func(path, id, summary string, tell func(context.Context, Reader) ([]query.AnnouncementsRow, error)) {
		rest.Wps(a, rest.Op{
			Method: http.MethodGet, Path: path, ID: id, Tag: "content", Summary: summary, Access: rest.Public, TokenAnywhere: true,
		}, func(ctx context.Context, _ *newsInput) ([]news, error) {
			rows, err := tell(ctx, Reader{MerchantID: rest.MerchantOf(ctx).ID, Language: rest.LanguageOf(ctx)})
			if err != nil {
				return nil, err
			}
			out := make([]news, 0, len(rows))
			for _, r := range rows {
				out = append(out, news{
					ID: strconv.FormatInt(r.ID, 10), Title: r.Title, URL: r.Url, Image: r.Image, Type: r.Type, CreatedAt: r.StartsAt,
				})
			}
			return out, nil
		})
	}
	add("/wps/relay/MCSFE_getPopularAnnouncements", "popularAnnouncements", "Notices that members have read most", s.Popular)
	add("/wps/relay/GLS2_lobbyNews", "lobbyNews", "Notices and promotions, the newest first", s.News)
}

type page struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Content   string `json:"content" doc:"Safe HTML."`
	UpdatedAt int64  `json:"updatedAt" doc:"Unix milliseconds."`
}

type pageTitle struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

type pageInput struct {
	Name string `path:"name" maxLength:"48"`
}

func pagesRoutes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/pages", ID: "pages", Tag: "content",
		Summary: "Pages of the merchant, in order", Access: rest.Public,
	}, func(ctx context.Context, _ *struct{}) ([]pageTitle, error) {
		rows, err := s.Pages(ctx, rest.MerchantOf(ctx).ID, rest.LanguageOf(ctx))
		if err != nil {
			return nil, err
		}
		out := make([]pageTitle, 0, len(rows))
		for _, r := range rows {
			out = append(out, pageTitle{Name: r.Name, Title: r.Title})
		}
		return out, nil
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/page/{name}", ID: "page", Tag: "content",
		Summary: "A page: the user agreement, a policy, how to reach somebody", Access: rest.Public, Faults: []*fault.Fault{ErrUnknown},
	}, func(ctx context.Context, in *pageInput) (page, error) {
		r, err := s.PageOf(ctx, rest.MerchantOf(ctx).ID, rest.LanguageOf(ctx), in.Name)
		if err != nil {
			return page{}, err
		}
		return page{Name: r.Name, Title: r.Title, Content: r.Content, UpdatedAt: r.UpdatedAt}, nil
	})
}

type liveModel struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status" enum:"active,streaming"`
	Cover  string `json:"cover"`
}

type modelInput struct {
	Status       string `query:"status" maxLength:"32" doc:"active, streaming or both, comma-separated; both when missing."`
	MerchantCode string `query:"merchantCode" maxLength:"32"`
}

type jackpot struct {
	Source  string `json:"source" enum:"pool,simulated" doc:"A simulated one is shown with a caption that says so."`
	Amount  int64  `json:"amount" doc:"Minor units, now."`
	Start   int64  `json:"start" doc:"Minor units: what it began with."`
	PerTick int64  `json:"perTick" doc:"Minor units that are added with every tick."`
	TickMs  int64  `json:"tickMs"`
	Rules   string `json:"rules" doc:"Where its rules are read."`
	// Whoever is on trial plays for a pool of their own.
	Currency string      `json:"currency" doc:"Of the amounts: the caller's, or the merchant's for visitors; empty where they are simulated, in the merchant's."`
	Games    []playedFor `json:"games" doc:"Games that can win it; none where it is simulated."`
}

type playedFor struct {
	Category string   `json:"category"`
	Vendors  []string `json:"vendors" nullable:"false" doc:"Codes."`
}

type claim struct {
	Name   string `json:"name" doc:"Three letters."`
	Points int64  `json:"points"`
}

type claims struct {
	Source string  `json:"source" enum:"claims,simulated" doc:"Simulated ones are shown with a caption that says so."`
	List   []claim `json:"list"`
}

// rules is the screen on which a jackpot's rules stand.
const rules = "/m/jackpot"

func displaysRoutes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/LIVE_getModelList", ID: "liveModels", Tag: "content",
		Summary: "Who presents live tables", Access: rest.Public, TokenAnywhere: true,
	}, s.modelList)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/jackpot", ID: "jackpot", Tag: "content",
		Summary: "The jackpot on show", Access: rest.Public,
	}, s.showJackpot)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/claims", ID: "claims", Tag: "content",
		Summary: "Bonuses that were claimed last", Access: rest.Public,
	}, func(ctx context.Context, _ *struct{}) (claims, error) {
		source, list, err := s.claims(ctx, rest.MerchantOf(ctx).ID)
		out := claims{Source: source, List: make([]claim, 0, len(list))}
		for _, c := range list {
			out.List = append(out.List, claim(c))
		}
		return out, err
	})
}

func (s *Service) modelList(ctx context.Context, in *modelInput) ([]liveModel, error) {
	statuses := modelStatuses
	if in.Status != "" {
		statuses = strings.Split(in.Status, ",")
	}
	for _, status := range statuses {
		if status != statusActive && status != statusStreaming {
			return nil, rest.ErrParam.On("status")
		}
	}
	rows, err := s.Models(ctx, rest.MerchantOf(ctx).ID, statuses)
	if err != nil {
		return nil, err
	}
	out := make([]liveModel, 0, len(rows))
	for _, r := range rows {
		out = append(out, liveModel{ID: r.Code, Name: r.Name, Status: r.Status, Cover: r.Cover})
	}
	return out, nil
}

// showJackpot gives the jackpot of who asks: their own currency's.
func (s *Service) showJackpot(ctx context.Context, _ *struct{}) (jackpot, error) {
	who, _ := rest.CallerOf(ctx) // nobody: the merchant's own
	source, j, err := s.jackpot(ctx, rest.MerchantOf(ctx).ID, who.Currency)
	out := jackpot{
		Source: source, Amount: j.Amount, Start: j.Start, PerTick: j.PerTick, TickMs: tick.Milliseconds(), Rules: rules, Currency: j.Currency, Games: []playedFor{},
	}
	for _, one := range j.Games {
		out.Games = append(out.Games, playedFor{one.Category, append([]string{}, one.Vendors...)})
	}
	return out, err
}
