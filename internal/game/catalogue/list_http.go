package catalogue

import (
	"cmp"
	"context"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fairground/internal/platform/rest"
)

const (
	pageSize    = 21
	pageMost    = 100
	nameMost    = 64  // characters of a typed name
	choicesMost = 64  // codes in one list
	textMost    = 512 // bytes of any other parameter
	queryMost   = 512 // a longer question is answered, and not kept by its words
)

// listInput is for the document; the handler reads what it needs itself.
type listInput struct {
	Merchant     string `query:"merchant" doc:"As merchantCode."`
	MerchantCode string `query:"merchantCode"`
	Platform     string `query:"platform" example:"html5" doc:"Not looked at: every game is one for browsers."`
	ClientType   string `query:"clientType" example:"2" doc:"As platform."`
	GameName     string `query:"gameName" maxLength:"64" doc:"Each word of it begins a word of the name; accents and case do not matter. In Urdu the English names count where no other does: the hot list is shown by them."`
	GameType     string `query:"gameType" example:"RNG" doc:"A category. ALL or nothing: all; HOT and HOME: the hot ones, in their order; JL: all games of the vendor JL. Others, FAV, PROMO and LIVESTREAM among them, have no games here."`
	PageNo       int64  `query:"pageNo" minimum:"1" default:"1"`
	PageSize     int64  `query:"pageSize" minimum:"1" maximum:"100" default:"21"`
	Vassalage    string `query:"vassalage" example:"JL,PG" doc:"Codes of vendors, separated by commas, at most 64."`
	GameClassify string `query:"gameClassify" example:"myth,collect" doc:"Classes, separated by commas, at most 64: a game has one of them."`
	MinBet       int64  `query:"minBet" minimum:"0" doc:"The game's least bet is at most this, in minor units of the merchant's currency; 0: any."`
	MinLine      int64  `query:"minLine" minimum:"0" doc:"The game has at least so many lines; 0: any."`
	Sort         string `query:"sort" enum:"popular,new,name" default:"popular" doc:"popular: the merchant's order; new: what is called new, then what came last; name: the dictionary's order in the language."`
	Language     string `query:"language" enum:"VI,EN,UR,PT" doc:"Of the names that are shown and searched. Else the Language header counts. In any case; an unknown one counts as VI."`
}

type gameList struct {
	Games      []game `json:"games"`
	PageNum    int64  `json:"pageNum"`
	TotalPages int64  `json:"totalPages"`
	Total      int64  `json:"total"`
}

type typeInput struct {
	TypeID       int64  `query:"typeId" example:"1" doc:"1, the types of games; there are no others."`
	MerchantCode string `query:"merchantCode"`
}

type vendorTypes struct {
	Vassalage string       `json:"vassalage" doc:"The vendor's code."`
	GameTypes []string     `json:"gameTypes" doc:"Categories that it serves."`
	Classify  []classCount `json:"classify" doc:"Its classes, category by category."`
	Counts    []typeCount  `json:"counts" doc:"Its games, category by category, those without a class among them."`
}

type typeCount struct {
	GameType string `json:"gameType"`
	Count    int    `json:"count"`
}

type classCount struct {
	GameType string `json:"gameType"`
	Classify string `json:"classify"`
	Count    int    `json:"count" doc:"Games of the category that are of the class."`
}

func listsRoutes(a *rest.API, s *Service) {
	rest.Raw[listInput, gameList](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_gameList", ID: "gameList", Tag: "catalogue",
		Summary: "Games, a page of those that are asked for", Access: rest.Public,
	}, s.serve(s.listPage))
	rest.Raw[typeInput, []vendorTypes](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_getVassGameType", ID: "vendorGameTypes", Tag: "catalogue",
		Summary: "What kinds of games vendors have", Access: rest.Public,
	}, s.serve(func(d *directory, r *http.Request) (*rest.Encoded, error) {
		in, err := readParams(r)
		if err != nil {
			return nil, err
		}
		switch kind := in.number("typeId", 1, 0, math.MaxInt64); {
		case in.err != nil:
			return nil, in.err
		case kind == 1:
			return d.typeList()
		default:
			return rest.EncodeFast([]vendorTypes{})
		}
	}))
}

// listPage gives a page as it is sent. A question that was asked before, word for word, costs a look into the cache.
func (s *Service) listPage(d *directory, r *http.Request) (*rest.Encoded, error) {
	ctx := r.Context()
	merchant := rest.MerchantOf(ctx)
	key := pageKey{merchant.ID, d.version, rest.LanguageOf(ctx), r.URL.RawQuery}
	if page, ok := s.pages.GetIfPresent(key); ok {
		return page, nil
	}
	f, number, size, err := readFilter(r, merchant.Code)
	if err != nil {
		return nil, err
	}
	language := asked(r)
	games, err := s.candidates(ctx, d, f, language)
	if err != nil {
		return nil, err
	}
	cutOff := cut(games, f.takes, number, size)
	page, err := rest.EncodeFast(gameList{
		Games: wireGames(cutOff.games, tongue(language)), PageNum: number, TotalPages: cutOff.pages, Total: cutOff.total,
	})
	if err == nil && len(key.query) <= queryMost {
		s.pages.Set(key, page)
	}
	return page, err
}

// Whoever speaks Urdu meets the hot games by their English names (CA-09), and looks for them by these as well.
const urdu, english = "ur", "en"

// candidates are the games that have the typed name, all when none was typed, in the order that was asked for.
func (s *Service) candidates(ctx context.Context, d *directory, f Filter, language string) ([]*title, error) {
	games := d.ordered(f.Sort, tongue(language), f.hot())
	if strings.TrimSpace(f.Name) == "" {
		return games, nil
	}
	typed := words(f.Name)
	found, err := s.find(ctx, d, language, typed)
	if err == nil && len(found) == 0 && language == urdu {
		found, err = s.find(ctx, d, english, typed)
	}
	if err != nil || (f.Sort == Popular && !f.hot()) {
		return found, err // in the order of lists already
	}
	named := make(map[*title]bool, len(found))
	for _, t := range found {
		named[t] = true
	}
	return slices.DeleteFunc(slices.Clone(games), func(t *title) bool { return !named[t] }), nil
}

// wireTypes counts the classes of each vendor's games, category by category.
func (d *directory) wireTypes() []vendorTypes {
	counts, games := map[*maker]map[[2]string]int{}, map[*maker]map[string]int{}
	for _, t := range d.games {
		if counts[t.maker] == nil {
			counts[t.maker], games[t.maker] = map[[2]string]int{}, map[string]int{}
		}
		games[t.maker][t.category]++
		for _, class := range t.classes {
			counts[t.maker][[2]string{t.category, class}]++
		}
	}
	out := make([]vendorTypes, 0, len(d.vendors))
	for _, v := range d.vendors {
		row := vendorTypes{Vassalage: v.code, GameTypes: append([]string{}, v.categories...), Classify: []classCount{}, Counts: []typeCount{}}
		for _, category := range slices.Sorted(maps.Keys(games[v])) {
			row.Counts = append(row.Counts, typeCount{GameType: category, Count: games[v][category]})
		}
		for _, of := range slices.SortedFunc(maps.Keys(counts[v]), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
			row.Classify = append(row.Classify, classCount{GameType: of[0], Classify: of[1], Count: counts[v][of]})
		}
		out = append(out, row)
	}
	return out
}

func readFilter(r *http.Request, merchantCode string) (f Filter, number, size int64, err error) {
	in, err := readParams(r)
	if err != nil {
		return f, 0, 0, err
	}
	if code := in.text("merchant", textMost); code != "" && code != merchantCode {
		return f, 0, 0, rest.ErrMerchantUnknown.On("merchant")
	}
	in.text("platform", textMost)
	in.text("clientType", textMost)
	in.text("language", textMost)
	f = Filter{
		Category: in.text("gameType", textMost), Vendors: in.list("vassalage"), Classes: in.list("gameClassify"),
		MaxBet: in.number("minBet", 0, 0, math.MaxInt64), MinLines: in.number("minLine", 0, 0, math.MaxInt64),
		Name: in.text("gameName", nameMost), Sort: cmp.Or(in.text("sort", textMost), Popular),
	}
	if !slices.Contains([]string{Popular, Newest, ByName}, f.Sort) {
		in.refuse("sort")
	}
	number = in.number("pageNo", 1, 1, math.MaxInt64)
	size = in.number("pageSize", pageSize, 1, pageMost)
	return f, number, size, in.err
}

// params reads a query; the first thing wrong with it is kept.
type params struct {
	values url.Values
	err    error
}

func readParams(r *http.Request) (*params, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, rest.ErrParam.Because(err)
	}
	return &params{values: values}, nil
}

func (p *params) refuse(name string) {
	if p.err == nil {
		p.err = rest.ErrParam.On(name)
	}
}

// text is one that stands at most once, of so many characters.
func (p *params) text(name string, most int) string {
	all := p.values[name]
	if len(all) == 0 {
		return ""
	}
	if len(all) > 1 || !utf8.ValidString(all[0]) || utf8.RuneCountInString(all[0]) > most {
		p.refuse(name)
		return ""
	}
	return all[0]
}

// number is one in plain digits, within bounds.
func (p *params) number(name string, missing, least, most int64) int64 {
	text := p.text(name, textMost)
	if text == "" {
		return missing
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || text[0] == '+' || text[0] == '-' || n < least || n > most {
		p.refuse(name)
		return missing
	}
	return n
}

// list is what stands between commas; nil when there is nothing.
func (p *params) list(name string) (out []string) {
	for one := range strings.SplitSeq(p.text(name, textMost), ",") {
		if one = strings.TrimSpace(one); one != "" {
			out = append(out, one)
		}
	}
	if len(out) > choicesMost {
		p.refuse(name)
	}
	return out
}
