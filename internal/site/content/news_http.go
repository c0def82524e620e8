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
	CreatedAt int64  `json:"createdAt" doc:"Start of the announcement in Unix milliseconds."`
}

type newsInput struct {
	Platform     string `query:"platform" maxLength:"8"`
	MerchantCode string `query:"merchantCode" maxLength:"32"`
}

func newsRoutes(a *rest.API, s *Service) {
	add := func(path, id, summary string, list func(context.Context, Reader) ([]query.AnnouncementsRow, error)) {
		rest.Typed(a, rest.Op{
			Method: http.MethodGet, Path: path, ID: id, Tag: "content", Summary: summary, Access: rest.Public,
		}, func(ctx context.Context, _ *newsInput) ([]news, error) {
			rows, err := list(ctx, Reader{MerchantID: rest.MerchantOf(ctx).ID, Language: rest.LanguageOf(ctx)})
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
	add("/wps/relay/MCSFE_getPopularAnnouncements", "popularAnnouncements", "Most read notices", s.Popular)
	add("/wps/relay/GLS2_lobbyNews", "lobbyNews", "Notices and promotions, newest first", s.News)
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

func pageRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/pages", ID: "pages", Tag: "content",
		Summary: "Titles of the pages, in display order", Access: rest.Public,
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
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/page/{name}", ID: "page", Tag: "content",
		Summary: "A page, such as the user agreement", Access: rest.Public, Faults: []*fault.Fault{ErrUnknown},
	}, func(ctx context.Context, in *pageInput) (page, error) {
		r, err := s.PageByName(ctx, rest.MerchantOf(ctx).ID, rest.LanguageOf(ctx), in.Name)
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
	Status       string `query:"status" maxLength:"32" doc:"active, streaming or both, comma-separated. Both if missing."`
	MerchantCode string `query:"merchantCode" maxLength:"32"`
}

type jackpot struct {
	Source  string `json:"source" enum:"pool,simulated,none" doc:"Label a simulated jackpot as such. Show nothing if there is none."`
	Amount  int64  `json:"amount" doc:"Current amount in minor units."`
	Start   int64  `json:"start" doc:"Initial amount in minor units."`
	PerTick int64  `json:"perTick" doc:"Growth per tick in minor units."`
	TickMs  int64  `json:"tickMs"`
	Rules   string `json:"rules" doc:"Path of the rules."`
	// Trial members play for a separate pool.
	Currency string      `json:"currency" doc:"The caller's currency, or the merchant's for visitors. Empty for a simulated jackpot, which is in the merchant's currency."`
	Games    []playedFor `json:"games" doc:"Games that can win it. Empty if it is simulated."`
}

type playedFor struct {
	Category string   `json:"category"`
	Vendors  []string `json:"vendors" nullable:"false" doc:"Vendor codes."`
}

type claim struct {
	Name   string `json:"name" doc:"Three letters."`
	Points int64  `json:"points"`
}

type claims struct {
	Source string  `json:"source" enum:"claims,simulated" doc:"Label simulated claims as such."`
	List   []claim `json:"list"`
}

const jackpotRulesPath = "/m/jackpot"

func displayRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/LIVE_getModelList", ID: "liveModels", Tag: "content",
		Summary: "Presenters of live tables", Access: rest.Public,
	}, s.modelList)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/jackpot", ID: "jackpot", Tag: "content",
		Summary: "The jackpot of the home page", Access: rest.Public,
	}, s.showJackpot)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/claims", ID: "claims", Tag: "content",
		Summary: "Latest claimed bonuses", Access: rest.Public,
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

func (s *Service) showJackpot(ctx context.Context, _ *struct{}) (jackpot, error) {
	caller, _ := rest.CallerOf(ctx) // visitors get the merchant's currency
	source, j, err := s.jackpot(ctx, rest.MerchantOf(ctx).ID, caller.Currency)
	out := jackpot{
		Source: source, Amount: j.Amount, Start: j.Start, PerTick: j.PerTick, TickMs: tick.Milliseconds(), Rules: jackpotRulesPath, Currency: j.Currency, Games: []playedFor{},
	}
	for _, g := range j.Games {
		out.Games = append(out.Games, playedFor{g.Category, append([]string{}, g.Vendors...)})
	}
	return out, err
}
