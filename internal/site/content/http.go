package content

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

type announcement struct {
	ID            string `json:"id"`
	Type          string `json:"type" enum:"A,PL,B,PU,PR"`
	Title         string `json:"title"`
	Content       string `json:"content" doc:"Safe HTML."`
	Tag           string `json:"tag"`
	CTA           string `json:"cta"`
	GroupName     string `json:"groupName"`
	URL           string `json:"url"`
	Image         string `json:"image"`
	Execution     string `json:"execution" enum:"A,B,F,"`
	PromotionType string `json:"promotionType"`
	Read          bool   `json:"read"`
	StartTime     int64  `json:"startTime" doc:"Unix milliseconds."`
}

type listInput struct {
	Types        string `query:"types" required:"true" maxLength:"32" doc:"Comma-separated, e.g. B,PL,PU."`
	GroupName    string `query:"groupName" maxLength:"32"`
	Platform     string `query:"platform" maxLength:"8"`
	MerchantCode string `query:"merchantCode" maxLength:"32"`
}

type oneInput struct {
	AnnouncementID string `query:"announcementId" required:"true" pattern:"^[0-9]{1,19}$"`
}

type readInput struct {
	Body struct {
		AnnouncementID string `json:"announcementId" pattern:"^[0-9]{1,19}$"`
		Read           bool   `json:"read"`
	}
}

type unread struct {
	Count int `json:"count"`
}

// Routes declares the endpoints for members and visitors.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getListAnnouncements", ID: "announcements", Tag: "content",
		Summary: "Current announcements", Access: rest.Public, TokenAnywhere: true,
	}, s.list)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getAnnouncement", ID: "announcement", Tag: "content",
		Summary: "A current announcement that the caller may read", Access: rest.Public,
		Faults: []*fault.Fault{ErrUnknown},
	}, s.show)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getUnreadAnnouncementCount", ID: "unreadAnnouncements", Tag: "content",
		Summary: "Number of unread notices", Access: rest.Session,
	}, s.unread)
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/MCSFE_markAnnouncementAsRead", ID: "markAnnouncementRead", Tag: "content",
		Summary: "Mark an announcement as read", Access: rest.Session,
		Rate: &ratelimit.Limit{Burst: 120, Every: 250 * time.Millisecond}, Faults: []*fault.Fault{ErrUnknown},
	}, s.markRead)
	newsRoutes(a, s)
	pageRoutes(a, s)
	helpRoutes(a, s)
	displayRoutes(a, s)
}

func readerOf(ctx context.Context) Reader {
	r := Reader{MerchantID: rest.MerchantOf(ctx).ID, Language: rest.LanguageOf(ctx)}
	if caller, ok := rest.CallerOf(ctx); ok {
		r.MemberID, r.Agent = caller.MemberID, caller.Type.Agent()
	}
	return r
}

func (s *Service) list(ctx context.Context, in *listInput) ([]announcement, error) {
	f := Filter{Reader: readerOf(ctx), Group: in.GroupName}
	for _, t := range strings.Split(in.Types, ",") {
		if !validType(Type(t)) {
			return nil, rest.ErrParam.On("types")
		}
		f.Types = append(f.Types, Type(t))
	}
	items, err := s.List(ctx, f)
	if err != nil {
		return nil, err
	}
	out := make([]announcement, 0, len(items))
	for _, i := range items {
		out = append(out, i.wire())
	}
	return out, nil
}

func (i Item) wire() announcement {
	return announcement{
		ID: strconv.FormatInt(i.ID, 10), Type: i.Type, Title: i.Title, Content: i.Content, Tag: i.Tag, CTA: i.Action,
		GroupName: i.GroupName, URL: i.Url, Image: i.Image, Execution: i.Execution, PromotionType: i.PromotionType,
		Read: i.Read, StartTime: i.StartsAt,
	}
}

func (s *Service) show(ctx context.Context, in *oneInput) (announcement, error) {
	id, err := idOf(in.AnnouncementID)
	if err != nil {
		return announcement{}, err
	}
	item, err := s.Get(ctx, readerOf(ctx), id)
	if err != nil {
		return announcement{}, err
	}
	return item.wire(), nil
}

func (s *Service) unread(ctx context.Context, _ *struct{}) (unread, error) {
	n, err := s.Unread(ctx, readerOf(ctx))
	return unread{n}, err
}

func (s *Service) markRead(ctx context.Context, in *readInput) (struct{}, error) {
	if _, ok := rest.CallerOf(ctx); !ok {
		return struct{}{}, rest.ErrNoSession
	}
	id, err := idOf(in.Body.AnnouncementID)
	if err != nil {
		return struct{}{}, err
	}
	if !in.Body.Read {
		return struct{}{}, rest.ErrParam.On("read") // cannot be marked as unread
	}
	return struct{}{}, s.MarkRead(ctx, readerOf(ctx), id)
}

// idOf parses an announcement id. A number of 19 digits may overflow.
func idOf(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, rest.ErrParam.On("announcementId")
	}
	return id, nil
}
