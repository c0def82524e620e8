package account

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/ratelimit"
)

// ErrAvatarUnknown means that a picture does not exist or belongs to another member.
var ErrAvatarUnknown = fault.New(fault.NotFound, "avatar.unknown")

var uploadLimit = ratelimit.Limit{Burst: 10, Every: 10 * time.Minute}

// pictureFolder holds uploads in the blob store. No preset id starts with it.
const pictureFolder = "avatar/"

// A Preset is a picture that every member can choose.
type Preset struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

//go:embed avatars.json
var presetList []byte

var presets = sync.OnceValue(func() []Preset {
	var list []Preset
	if err := json.Unmarshal(presetList, &list); err != nil {
		panic(err) // embedded in the program
	}
	for i := range list {
		list[i].URL = "/m/art/avatars/" + list[i].ID + ".webp"
	}
	return list
})

func avatarURL(avatar string) string {
	if name, uploaded := strings.CutPrefix(avatar, pictureFolder); uploaded {
		return pictureRoute + name
	}
	if i := presetIndex(avatar); i >= 0 {
		return presets()[i].URL
	}
	return ""
}

func presetIndex(id string) int {
	return slices.IndexFunc(presets(), func(p Preset) bool { return p.ID == id })
}

// Avatar returns the URL of a member's picture.
func (s *Service) Avatar(ctx context.Context, memberID int64) (url string, err error) {
	row, err := s.realMember(ctx, memberID)
	return avatarURL(row.Avatar), err
}

// ChooseAvatar sets a preset as the member's picture.
func (s *Service) ChooseAvatar(ctx context.Context, memberID int64, preset string) (url string, err error) {
	row, err := s.realMember(ctx, memberID)
	if err != nil {
		return "", err
	}
	if presetIndex(preset) < 0 {
		return "", ErrAvatarUnknown.On("preset")
	}
	return s.setAvatar(ctx, row, preset)
}

// UploadAvatar sets a square part of an uploaded file as the member's picture.
func (s *Service) UploadAvatar(ctx context.Context, memberID int64, kind string, data []byte, crop Crop) (url string, err error) {
	row, err := s.realMember(ctx, memberID)
	if err != nil {
		return "", err
	}
	if _, busy := s.uploading.LoadOrStore(memberID, true); busy {
		return "", ratelimit.ErrLimited // no concurrent uploads per member, so that one member cannot block the others
	}
	defer s.uploading.Delete(memberID)
	if err := s.o.Limiter.Take(ctx, "member/picture/"+strconv.FormatInt(memberID, 10), uploadLimit); err != nil {
		return "", err
	}
	picture, err := s.renderAvatar(ctx, kind, data, crop)
	if err != nil {
		return "", err
	}
	name, err := s.pictures.Put(ctx, pictureFolder, picture)
	if err != nil {
		return "", err
	}
	return s.setAvatar(ctx, row, name)
}

var errAvatarChanged = errors.New("another picture was set concurrently")

// setAvatar sets the member's picture and discards the previous one. The last of several concurrent calls wins.
func (s *Service) setAvatar(ctx context.Context, row query.Member, avatar string) (url string, err error) {
	for {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			n, err := tx.Q.SetAvatar(ctx, avatar, row.ID, row.Avatar)
			if err == nil && n == 0 {
				err = errAvatarChanged
			}
			if err != nil {
				return err
			}
			if strings.HasPrefix(row.Avatar, pictureFolder) {
				if err := s.pictures.DiscardIn(ctx, tx, row.Avatar); err != nil {
					return err
				}
			}
			return s.pictures.KeepIn(ctx, tx, avatar)
		})
		if !errors.Is(err, errAvatarChanged) {
			return avatarURL(avatar), err
		}
		if row, err = s.realMember(ctx, row.ID); err != nil {
			return "", err
		}
	}
}

// OpenPicture opens the picture that a member uploaded. The caller must close it.
func (s *Service) OpenPicture(ctx context.Context, memberID int64, name string) (io.ReadCloser, error) {
	row, err := s.realMember(ctx, memberID)
	if err != nil {
		return nil, err
	}
	if row.Avatar != pictureFolder+name {
		return nil, ErrAvatarUnknown
	}
	return s.o.Blobs.Open(ctx, row.Avatar)
}

// SweepPictures deletes discarded pictures.
func (s *Service) SweepPictures(ctx context.Context) error { return s.pictures.Sweep(ctx) }
