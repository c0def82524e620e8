package account

import (
	"context"
	"io"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

const (
	avatarModule = spec.ModuleAvatar
	avatarRoute  = "/wps/member/headIcon"
	pictureRoute = avatarRoute + "/file/"
)

type avatarReply struct {
	Current string   `json:"current" doc:"URL of the member's picture, or empty. A URL below /wps needs the session."`
	Presets []Preset `json:"presets"`
}

type avatarBody struct {
	Preset string `json:"preset" maxLength:"64"`
}

type avatarChosen struct {
	Current string `json:"current" doc:"URL of the member's picture."`
}

type uploadInput struct {
	ContentType string `header:"Content-Type" doc:"image/png, image/jpeg or image/webp."`
	X           int    `query:"x" doc:"Left edge of the square to use, in pixels."`
	Y           int    `query:"y" doc:"Upper edge of the square, in pixels."`
	Size        int    `query:"size" doc:"Side of the square, in pixels. Without x, y and size, the largest centred square."`
	RawBody     []byte
}

// uploadTimeout is shorter than the server's connection timeout, so that a slow client receives an error response.
const uploadTimeout = 45 * time.Second

func avatarRoutes(a *rest.API, s *Service) {
	memberOp(a, rest.Op{
		Method: http.MethodGet, Path: avatarRoute, ID: "headIcon", Summary: "Get the member's picture and the presets",
		Module: avatarModule,
	}, func(ctx context.Context, self Self, _ *struct{}) (avatarReply, error) {
		url, err := s.Avatar(ctx, self.MemberID)
		return avatarReply{url, presets()}, err
	})
	memberOp(a, rest.Op{
		Method: http.MethodPut, Path: avatarRoute, ID: "chooseHeadIcon", Summary: "Set a preset as the member's picture",
		Module: avatarModule, Faults: []*fault.Fault{ErrAvatarUnknown},
	}, func(ctx context.Context, self Self, in *struct{ Body avatarBody }) (avatarChosen, error) {
		url, err := s.ChooseAvatar(ctx, self.MemberID, in.Body.Preset)
		return avatarChosen{url}, err
	})
	memberOp(a, rest.Op{
		Method: http.MethodPost, Path: avatarRoute + "/upload", ID: "uploadHeadIcon", Summary: "Upload a file and set a square of it as the member's picture",
		Module: avatarModule, MaxBody: picture.MaxBytes, Timeout: uploadTimeout, Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second},
		Faults: []*fault.Fault{ErrPictureFormat, ErrPictureLarge, ErrPictureCrop},
	}, func(ctx context.Context, self Self, in *uploadInput) (avatarChosen, error) {
		url, err := s.UploadAvatar(ctx, self.MemberID, in.ContentType, in.RawBody, Crop{X: in.X, Y: in.Y, Size: in.Size})
		return avatarChosen{url}, err
	})
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: pictureRoute + "{name}", ID: "headIconFile", Tag: "member", Access: rest.Real,
		Summary: "Get the picture that the caller uploaded", Module: avatarModule, ContentType: "image/jpeg",
		Faults: []*fault.Fault{member.ErrUnknown, ErrAvatarUnknown},
	}, picture.Handler("avatar.jpg", s.openPicture))
}

func (s *Service) openPicture(r *http.Request) (io.ReadCloser, error) {
	caller, ok := rest.CallerOf(r.Context())
	if !ok {
		return nil, rest.ErrNoSession
	}
	return s.OpenPicture(r.Context(), caller.MemberID, r.PathValue("name"))
}
