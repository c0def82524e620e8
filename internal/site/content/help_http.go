package content

import (
	"context"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

type helpTopic struct {
	Code     string      `json:"code"`
	Title    string      `json:"title"`
	Content  string      `json:"content" doc:"Safe HTML. May be empty in a topic with articles."`
	Children []helpTopic `json:"children" nullable:"false" doc:"Articles, in the same shape."`
}

type helpInput struct {
	Lang   string `query:"lang" maxLength:"8" doc:"The Language header applies if this is missing. Case-insensitive; an unknown language means VI."`
	Device string `query:"device" maxLength:"16"`
}

type helpVoteInput struct {
	Body struct {
		Code    string `json:"code" maxLength:"48" doc:"Of the article."`
		Helpful bool   `json:"helpful"`
		Visitor string `json:"visitor,omitempty" pattern:"^[A-Za-z0-9_-]{16,64}$" doc:"Random key of the browser. Needed without a session."`
	}
}

func helpRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/helpCenter", ID: "helpCenter", Tag: "content",
		Summary: "The help centre: topics with their articles, in display order", Access: rest.Public,
	}, func(ctx context.Context, in *helpInput) ([]helpTopic, error) {
		language := rest.LanguageOf(ctx)
		if in.Lang != "" {
			language = rest.Language(in.Lang)
		}
		topics, err := s.Help(ctx, rest.MerchantOf(ctx).ID, language)
		return wireTopics(topics), err
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/system/helpCenter/vote", ID: "voteHelp", Tag: "content",
		Summary:     "Say whether an article of the help centre helped",
		Description: "Each member, and each visitor's browser, has one vote per article. A later vote replaces it.",
		Access:      rest.Public, TokenAnywhere: true, Rate: &ratelimit.Limit{Burst: 30, Every: 2 * time.Second}, Faults: []*fault.Fault{ErrUnknown},
	}, func(ctx context.Context, in *helpVoteInput) (struct{}, error) {
		v := Vote{MerchantID: rest.MerchantOf(ctx).ID, Code: in.Body.Code, Visitor: in.Body.Visitor, Helpful: in.Body.Helpful}
		if caller, ok := rest.CallerOf(ctx); ok {
			v.MemberID = caller.MemberID
		} else if v.Visitor == "" {
			return struct{}{}, rest.ErrParam.On("visitor")
		}
		return struct{}{}, s.Vote(ctx, v)
	})
}

func wireTopics(topics []Topic) []helpTopic {
	out := make([]helpTopic, 0, len(topics))
	for _, t := range topics {
		out = append(out, helpTopic{Code: t.Name, Title: t.Title, Content: t.Content, Children: wireTopics(t.Articles)})
	}
	return out
}
