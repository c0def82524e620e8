package content

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/rest"
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

type readInput struct {
	Body struct {
		AnnouncementID string `json:"announcementId" pattern:"^[0-9]{1,19}$"`
		Read           bool   `json:"read"`
		Token          string `json:"token,omitempty" maxLength:"128" doc:"The header is preferred."`
	}
}

// Register adds the announcements' calls to the API.
func Register(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getListAnnouncements", ID: "announcements", Tag: "content",
		Summary: "Announcements to be shown now", Access: rest.Public, TokenInside: true,
	}, s.list)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/MCSFE_markAnnouncementAsRead", ID: "markAnnouncementRead", Tag: "content",
		Summary: "Mark an announcement as read", Access: rest.Session, TokenInside: true,
		Faults: []*fault.Fault{ErrUnknown},
	}, s.markRead)
}

func (s *Service) list(ctx context.Context, in *listInput) ([]announcement, error) {
	f := Filter{MerchantID: rest.MerchantOf(ctx).ID, Language: rest.LanguageOf(ctx), Group: in.GroupName}
	for _, t := range strings.Split(in.Types, ",") {
		if !known(Type(t)) {
			return nil, rest.ErrParam.On("types")
		}
		f.Types = append(f.Types, Type(t))
	}
	if caller, ok := rest.CallerOf(ctx); ok {
		f.MemberID, f.Agent = caller.MemberID, caller.Type.Agent()
	}
	items, err := s.List(ctx, f)
	if err != nil {
		return nil, err
	}
	out := make([]announcement, 0, len(items))
	for _, i := range items {
		out = append(out, announcement{
			ID: strconv.FormatInt(i.ID, 10), Type: i.Type, Title: i.Title, Content: i.Content, Tag: i.Tag, CTA: i.Action,
			GroupName: i.GroupName, URL: i.Url, Image: i.Image, Execution: i.Execution, PromotionType: i.PromotionType,
			Read: i.Read, StartTime: i.StartsAt,
		})
	}
	return out, nil
}

func (s *Service) markRead(ctx context.Context, in *readInput) (struct{}, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return struct{}{}, rest.ErrNoSession
	}
	id, err := strconv.ParseInt(in.Body.AnnouncementID, 10, 64)
	if err != nil {
		return struct{}{}, rest.ErrParam.On("announcementId")
	}
	if !in.Body.Read {
		return struct{}{}, rest.ErrParam.On("read") // what was read cannot be unread
	}
	return struct{}{}, s.MarkRead(ctx, caller.MerchantID, caller.MemberID, id)
}
