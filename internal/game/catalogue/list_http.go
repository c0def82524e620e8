package catalogue

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"fairground/internal/platform/rest"
)

// maxCachedQuery is the length of the longest query whose page is cached.
const maxCachedQuery = 512

type listInput struct {
	Merchant     string `query:"merchant" doc:"Like merchantCode."`
	MerchantCode string `query:"merchantCode"`
	Platform     string `query:"platform" example:"html5" doc:"Ignored: every game runs in a browser."`
	ClientType   string `query:"clientType" example:"2" doc:"Ignored, like platform."`
	GameName     string `query:"gameName" maxLength:"64" doc:"Each word is a prefix of a word of the name. Ignores accents and case. In Urdu it searches the English names if no Urdu name matches, because the hot list shows English names."`
	GameType     string `query:"gameType" example:"RNG" doc:"A category. ALL or empty: all games. HOT, HOME: hot games by rank. JL: all games of vendor JL. Any other value, such as FAV, PROMO and LIVESTREAM, matches no games."`
	PageNo       int64  `query:"pageNo" minimum:"1" default:"1"`
	PageSize     int64  `query:"pageSize" minimum:"1" maximum:"100" default:"21"`
	Vassalage    string `query:"vassalage" example:"JL,PG" doc:"Comma-separated vendor codes, at most 64."`
	GameClassify string `query:"gameClassify" example:"myth,collect" doc:"Comma-separated classes, at most 64. A game matches if it has one of them."`
	MinBet       int64  `query:"minBet" minimum:"0" doc:"The game's minimum bet is at most this, in minor units of the merchant's currency. 0: any."`
	MinLine      int64  `query:"minLine" minimum:"0" doc:"The game has at least this many lines. 0: any."`
	Freeplay     int64  `query:"freeplay" minimum:"0" maximum:"1" doc:"1: games that trial members can play. 0: any."`
	Sort         string `query:"sort" enum:"popular,new,name" default:"popular" doc:"popular: the merchant's order. new: games of class new, then the latest additions. name: dictionary order in the language."`
	Language     string `query:"language" enum:"VI,EN,UR,PT" doc:"The language of the names. The Language header applies if this is missing. Case-insensitive; an unknown language means VI."`
}

type gameList struct {
	Games      []game `json:"games"`
	PageNum    int64  `json:"pageNum"`
	TotalPages int64  `json:"totalPages"`
	Total      int64  `json:"total"`
}

type typeInput struct {
	TypeID       int64  `query:"typeId" minimum:"0" default:"1" example:"1" doc:"1: game types. Other values return an empty list."`
	MerchantCode string `query:"merchantCode"`
}

type vendorTypes struct {
	Vassalage string       `json:"vassalage" doc:"The vendor's code."`
	GameTypes []string     `json:"gameTypes" doc:"The vendor's categories."`
	Classify  []classCount `json:"classify" doc:"Number of games by category and class."`
	Counts    []typeCount  `json:"counts" doc:"Number of games by category, including games without a class."`
}

type typeCount struct {
	GameType string `json:"gameType"`
	Count    int    `json:"count"`
}

type classCount struct {
	GameType string `json:"gameType"`
	Classify string `json:"classify"`
	Count    int    `json:"count" doc:"Games of the category with this class."`
}

func listRoutes(a *rest.API, s *Service) {
	rest.Raw[listInput, gameList](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_gameList", ID: "gameList", Tag: "catalogue",
		Summary: "A page of the games that match a filter", Access: rest.Public,
	}, s.serve(s.listPage))
	rest.Raw[typeInput, []vendorTypes](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_getVassGameType", ID: "vendorGameTypes", Tag: "catalogue",
		Summary: "Number of games by vendor, category and class", Access: rest.Public,
	}, s.serve(func(d *directory, r *http.Request) (*rest.Encoded, error) {
		var in typeInput
		if err := decodeQuery(r, &in); err != nil {
			return nil, err
		}
		if in.TypeID == 1 {
			return d.typeList()
		}
		return rest.EncodeFast([]vendorTypes{})
	}))
}

// listPage returns an encoded page. A repeated query gets the cached page.
func (s *Service) listPage(d *directory, r *http.Request) (*rest.Encoded, error) {
	ctx := r.Context()
	merchant := rest.MerchantOf(ctx)
	key := pageKey{merchant.ID, d.version, rest.LanguageOf(ctx), r.URL.RawQuery}
	if page, ok := s.pages.GetIfPresent(key); ok {
		return page, nil
	}
	var in listInput
	err := decodeQuery(r, &in)
	if in.Merchant != "" && in.Merchant != merchant.Code {
		return nil, rest.ErrMerchantUnknown.On("merchant")
	}
	if err != nil {
		return nil, err
	}
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	language := chosenLanguage(ctx, in.Language)
	games, err := s.candidates(ctx, d, f, language)
	if err != nil {
		return nil, err
	}
	p := paginate(games, f.matches, in.PageNo, in.PageSize)
	encoded, err := rest.EncodeFast(gameList{
		Games: wireGames(p.games, languageIndex(language)), PageNum: in.PageNo, TotalPages: p.pages, Total: p.total,
	})
	if err == nil && len(key.query) <= maxCachedQuery {
		s.pages.Set(key, encoded)
	}
	return encoded, err
}

func (in listInput) filter() (Filter, error) {
	vendors, err := listParam("vassalage", in.Vassalage)
	if err != nil {
		return Filter{}, err
	}
	classes, err := listParam("gameClassify", in.GameClassify)
	if err != nil {
		return Filter{}, err
	}
	if !slices.Contains([]string{Popular, Newest, ByName}, in.Sort) {
		return Filter{}, rest.ErrParam.On("sort")
	}
	return Filter{
		Category: in.GameType, Vendors: vendors, Classes: classes, MaxBet: in.MinBet, MinLines: in.MinLine, Trial: in.Freeplay == 1, Name: in.GameName, Sort: in.Sort,
	}, nil
}

const urdu, english = "ur", "en"

// candidates returns the games whose name matches f.Name, in the order of f.Sort. If f.Name is empty, it returns all.
// The Urdu hot list shows English names (CA-09), so Urdu searches fall back to English names.
func (s *Service) candidates(ctx context.Context, d *directory, f Filter, language string) ([]*gameEntry, error) {
	games := d.ordered(f.Sort, languageIndex(language), f.isHot())
	if strings.TrimSpace(f.Name) == "" {
		return games, nil
	}
	words := searchWords(f.Name)
	found, err := s.find(ctx, d, language, words)
	if err == nil && len(found) == 0 && language == urdu {
		found, err = s.find(ctx, d, english, words)
	}
	if err != nil || (f.Sort == Popular && !f.isHot()) {
		return found, err // find returns list order
	}
	matched := make(map[*gameEntry]bool, len(found))
	for _, g := range found {
		matched[g] = true
	}
	return slices.DeleteFunc(slices.Clone(games), func(g *gameEntry) bool { return !matched[g] }), nil
}

func (d *directory) wireTypes() []vendorTypes {
	counts, games := map[*vendorEntry]map[[2]string]int{}, map[*vendorEntry]map[string]int{}
	for _, g := range d.games {
		if counts[g.vendor] == nil {
			counts[g.vendor], games[g.vendor] = map[[2]string]int{}, map[string]int{}
		}
		games[g.vendor][g.category]++
		for _, class := range g.classes {
			counts[g.vendor][[2]string{g.category, class}]++
		}
	}
	out := make([]vendorTypes, 0, len(d.vendors))
	for _, v := range d.vendors {
		row := vendorTypes{Vassalage: v.code, GameTypes: append([]string{}, v.categories...), Classify: []classCount{}, Counts: []typeCount{}}
		for _, category := range slices.Sorted(maps.Keys(games[v])) {
			row.Counts = append(row.Counts, typeCount{GameType: category, Count: games[v][category]})
		}
		for _, key := range slices.SortedFunc(maps.Keys(counts[v]), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
			row.Classify = append(row.Classify, classCount{GameType: key[0], Classify: key[1], Count: counts[v][key]})
		}
		out = append(out, row)
	}
	return out
}
