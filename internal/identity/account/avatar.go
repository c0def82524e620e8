package account

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
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

// ErrAvatarUnknown is said of a picture that does not exist, and of somebody else's.
var ErrAvatarUnknown = fault.New(fault.NotFound, "avatar.unknown")

// pictureLimit is how many pictures a member may upload.
var pictureLimit = ratelimit.Limit{Burst: 10, Every: 10 * time.Minute}

// pictureRest is how long a picture is kept that no row names, for backups that are under way.
const pictureRest = 25 * time.Hour

// pictureFolder is where uploaded pictures are among the blobs. No id of a preset begins like it.
const pictureFolder = "avatar/"

// Blobs keeps uploaded files.
type Blobs interface {
	Put(ctx context.Context, name string, r io.Reader, size int64) error
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	Delete(ctx context.Context, name string) error
}

// Preset is a picture that every member may take.
type Preset struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

//go:embed avatars.json
var presetList []byte

// presets are the pictures that the app's art has of this list.
var presets = sync.OnceValue(func() []Preset {
	var list []Preset
	if err := json.Unmarshal(presetList, &list); err != nil {
		panic(err) // it is part of the program
	}
	for i := range list {
		list[i].URL = "/m/art/avatars/" + list[i].ID + ".webp"
	}
	return list
})

// avatarURL is where a member's picture is found; empty when none was chosen.
func avatarURL(avatar string) string {
	if name, own := strings.CutPrefix(avatar, pictureFolder); own {
		return pictureRoute + name
	}
	if i := presetOf(avatar); i >= 0 {
		return presets()[i].URL
	}
	return ""
}

func presetOf(id string) int {
	return slices.IndexFunc(presets(), func(p Preset) bool { return p.ID == id })
}

// Avatar tells a member's picture.
func (s *Service) Avatar(ctx context.Context, memberID int64) (url string, err error) {
	row, err := s.real(ctx, memberID)
	return avatarURL(row.Avatar), err
}

// ChooseAvatar makes a preset the member's picture.
func (s *Service) ChooseAvatar(ctx context.Context, memberID int64, preset string) (url string, err error) {
	row, err := s.real(ctx, memberID)
	if err != nil {
		return "", err
	}
	if presetOf(preset) < 0 {
		return "", ErrAvatarUnknown.On("preset")
	}
	return s.setAvatar(ctx, row, preset)
}

// UploadAvatar makes a square of a file the member's picture.
func (s *Service) UploadAvatar(ctx context.Context, memberID int64, kind string, data []byte, crop Crop) (url string, err error) {
	row, err := s.real(ctx, memberID)
	if err != nil {
		return "", err
	}
	if _, busy := s.uploading.LoadOrStore(memberID, true); busy {
		return "", ratelimit.ErrLimited // one at a time, or one member keeps the others waiting
	}
	defer s.uploading.Delete(memberID)
	if err := s.o.Limiter.Take(ctx, "member/picture/"+strconv.FormatInt(memberID, 10), pictureLimit); err != nil {
		return "", err
	}
	picture, err := s.portrait(ctx, kind, data, crop)
	if err != nil {
		return "", err
	}
	name := pictureFolder + strings.ToLower(rand.Text()) + ".jpg"
	// Nothing names it yet: what is interrupted after this is cleared away like what was replaced.
	if err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.discard(ctx, tx, name) }); err != nil {
		return "", fmt.Errorf("keep a picture: %w", err)
	}
	if err := s.o.Blobs.Put(ctx, name, bytes.NewReader(picture), int64(len(picture))); err != nil {
		return "", fmt.Errorf("keep a picture: %w", err)
	}
	return s.setAvatar(ctx, row, name)
}

func (s *Service) discard(ctx context.Context, tx *db.Tx, name string) error {
	return tx.Q.Discard(ctx, name, db.Millis(s.o.Now().Add(pictureRest)))
}

// errOvertaken says that another picture was set meanwhile.
var errOvertaken = errors.New("another picture was set meanwhile")

// setAvatar lets the row name a picture and clears away the one before. Whoever comes last has it.
func (s *Service) setAvatar(ctx context.Context, row query.Member, avatar string) (url string, err error) {
	for {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			n, err := tx.Q.SetAvatar(ctx, avatar, row.ID, row.Avatar)
			if err == nil && n == 0 {
				err = errOvertaken
			}
			if err != nil {
				return err
			}
			if strings.HasPrefix(row.Avatar, pictureFolder) {
				if err := s.discard(ctx, tx, row.Avatar); err != nil {
					return err
				}
			}
			_, err = tx.Q.Undiscard(ctx, avatar)
			return err
		})
		if !errors.Is(err, errOvertaken) {
			return avatarURL(avatar), err
		}
		if row, err = s.real(ctx, row.ID); err != nil {
			return "", err
		}
	}
}

// Picture opens the picture that a member has uploaded. The caller closes it.
func (s *Service) Picture(ctx context.Context, memberID int64, name string) (io.ReadCloser, error) {
	row, err := s.real(ctx, memberID)
	if err != nil {
		return nil, err
	}
	if row.Avatar != pictureFolder+name {
		return nil, ErrAvatarUnknown
	}
	return s.o.Blobs.Open(ctx, row.Avatar)
}

// SweepPictures deletes the pictures that no row names any more.
func (s *Service) SweepPictures(ctx context.Context) error {
	due, err := s.o.Store.Q().DueDiscarded(ctx, db.Millis(s.o.Now()))
	if err != nil {
		return fmt.Errorf("find discarded pictures: %w", err)
	}
	for _, name := range due {
		if err := s.o.Blobs.Delete(ctx, name); err != nil {
			return fmt.Errorf("delete a picture: %w", err)
		}
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Q.Undiscard(ctx, name)
			return err
		})
		if err != nil {
			return fmt.Errorf("forget a picture: %w", err)
		}
	}
	return nil
}
