package account

import (
	"context"
	"io"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
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
	Current string   `json:"current" doc:"Where the member's picture is; empty when none was chosen. One below /wps needs the session."`
	Presets []Preset `json:"presets"`
}

type avatarBody struct {
	Preset string `json:"preset" maxLength:"64"`
}

type avatarChosen struct {
	Current string `json:"current" doc:"Where the member's picture is now."`
}

type uploadInput struct {
	ContentType string `header:"Content-Type" doc:"image/png, image/jpeg or image/webp."`
	X           int    `query:"x" doc:"Left edge of the square that is kept, in the picture's pixels."`
	Y           int    `query:"y" doc:"Its upper edge."`
	Size        int    `query:"size" doc:"Its edge. Without the three, the largest square in the middle."`
	RawBody     []byte
}

// uploadTime is less than the server takes to give a connection up, so that whoever was too slow is told.
const uploadTime = 45 * time.Second

func avatarRoutes(a *rest.API, s *Service) {
	own(a, rest.Op{
		Method: http.MethodGet, Path: avatarRoute, ID: "headIcon", Summary: "The member's picture, and those to choose from",
		Module: avatarModule,
	}, func(ctx context.Context, who Self, _ *struct{}) (avatarReply, error) {
		url, err := s.Avatar(ctx, who.MemberID)
		return avatarReply{url, presets()}, err
	})
	own(a, rest.Op{
		Method: http.MethodPut, Path: avatarRoute, ID: "chooseHeadIcon", Summary: "Make a preset the member's picture",
		Module: avatarModule, Faults: []*fault.Fault{ErrAvatarUnknown},
	}, func(ctx context.Context, who Self, in *struct{ Body avatarBody }) (avatarChosen, error) {
		url, err := s.ChooseAvatar(ctx, who.MemberID, in.Body.Preset)
		return avatarChosen{url}, err
	})
	own(a, rest.Op{
		Method: http.MethodPost, Path: avatarRoute + "/upload", ID: "uploadHeadIcon", Summary: "Make a square of a file the member's picture",
		Module: avatarModule, MaxBody: maxPicture, Timeout: uploadTime, Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second},
		Faults: []*fault.Fault{ErrPictureFormat, ErrPictureLarge, ErrPictureCrop},
	}, func(ctx context.Context, who Self, in *uploadInput) (avatarChosen, error) {
		url, err := s.UploadAvatar(ctx, who.MemberID, in.ContentType, in.RawBody, Crop{X: in.X, Y: in.Y, Size: in.Size})
		return avatarChosen{url}, err
	})
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: pictureRoute + "{name}", ID: "headIconFile", Tag: "member", Access: rest.Real,
		Summary: "The picture that the caller has uploaded", Module: avatarModule, ContentType: "image/jpeg",
		Faults: []*fault.Fault{member.ErrUnknown, ErrAvatarUnknown},
	}, http.HandlerFunc(s.picture))
}

// picture sends the caller's own. It is what we made of a file, and still no page may come of it: a browser that is led
// here keeps it as a file, and the app reads it as data.
func (s *Service) picture(w http.ResponseWriter, r *http.Request) {
	caller, ok := rest.CallerOf(r.Context())
	if !ok {
		rest.WriteError(w, r, rest.ErrNoSession)
		return
	}
	file, err := s.Picture(r.Context(), caller.MemberID, r.PathValue("name"))
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	defer file.Close()
	data, err := io.ReadAll(file) // some kilobytes: all of it, before anything is said
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Content-Disposition", `attachment; filename="avatar.jpg"`)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	_, _ = w.Write(data) // whoever left does not hear of it
}
