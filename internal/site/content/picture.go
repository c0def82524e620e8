package content

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/picture"
)

// ErrPicture refuses an upload that is not a picture of an accepted format and size.
var ErrPicture = fault.ForOperators(fault.Invalid, "content.picture")

const (
	pictureRoute  = picture.ContentRoute
	pictureFolder = picture.ContentFolder
	// maxPictureSide is twice the width of the widest place that shows a picture.
	maxPictureSide = 1600
)

var (
	pictureName = regexp.MustCompile(`^[a-z2-7]{26}\.jpg$`)
	picturePath = regexp.MustCompile(regexp.QuoteMeta(pictureRoute) + `([a-z2-7]{26}\.jpg)`)
)

// isUploadedPicture reports whether a path is the path of an uploaded picture.
func isUploadedPicture(path string) bool {
	return picturePath.FindString(path) == path && path != ""
}

// AddPicture stores an uploaded picture and returns its path. The picture is deleted after a day unless an entry uses it.
func (s *Service) AddPicture(ctx context.Context, contentType string, data []byte) (path string, err error) {
	upload, err := picture.Check(contentType, data)
	if err != nil {
		return "", ErrPicture.Because(err)
	}
	rendered, err := s.decoder.Render(ctx, upload, upload.Fit(maxPictureSide))
	if errors.Is(err, picture.ErrFormat) {
		return "", ErrPicture.Because(err)
	}
	if err != nil {
		return "", err
	}
	name, err := s.pictures().Put(ctx, pictureFolder, rendered)
	if err != nil {
		return "", err
	}
	return pictureRoute + name[len(pictureFolder):], nil
}

// OpenPicture opens an uploaded picture. The caller closes it.
func (s *Service) OpenPicture(ctx context.Context, name string) (io.ReadCloser, error) {
	if !pictureName.MatchString(name) || s.o.Blobs == nil {
		return nil, ErrUnknown
	}
	file, err := s.o.Blobs.Open(ctx, pictureFolder+name)
	if err != nil {
		return nil, ErrUnknown.Because(err)
	}
	data, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func (s *Service) pictures() picture.Store {
	return picture.Store{DB: s.o.Store, Blobs: s.o.Blobs, Now: s.o.Now}
}

// pictures returns the names of the uploaded pictures that an entry uses.
func (e Entry) pictures() (names []string) {
	texts := []string{e.Image}
	for _, t := range e.Texts {
		texts = append(texts, t.Image, t.Content)
	}
	for _, text := range texts {
		for _, found := range picturePath.FindAllStringSubmatch(text, -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// keepPictures keeps those of the named pictures that content uses after a change. It discards the others.
func (s *Service) keepPictures(ctx context.Context, tx *db.Tx, names []string) error {
	for _, name := range names {
		uses, err := tx.Q.PictureUses(ctx, pictureRoute+name, "%"+pictureRoute+name+"%")
		if err != nil {
			return fmt.Errorf("find uses of a picture: %w", err)
		}
		keepOrDiscard := s.pictures().KeepIn
		if uses == 0 {
			keepOrDiscard = s.pictures().DiscardIn
		}
		if err := keepOrDiscard(ctx, tx, pictureFolder+name); err != nil {
			return err
		}
	}
	return nil
}
