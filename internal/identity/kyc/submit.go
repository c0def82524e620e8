package kyc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/tasks"
	"fairground/internal/platform/validation"
)

const (
	folder = "kyc/"
	// maxSide is the maximum width and height of a stored picture, in pixels. It keeps the text of a document readable.
	maxSide = 2000
	// maxAge is an age that no living person has.
	maxAge = 130
	// taskKind identifies the review tasks for pending checks.
	taskKind = "kyc"
)

var submitLimit = ratelimit.Limit{Burst: 10, Every: 10 * time.Minute}

// A File is an uploaded picture.
type File struct {
	ContentType string
	Data        []byte
}

// Member identifies the member who sends documents.
type Member struct{ ID, MerchantID int64 }

// Submit sends a member's details and pictures to the operators. It fails while a check is pending and after the member is verified.
func (s *Service) Submit(ctx context.Context, who Member, key string, d Details, files []File) (Status, error) {
	if _, busy := s.uploading.LoadOrStore(who.ID, true); busy {
		return Status{}, ratelimit.ErrLimited // no concurrent uploads per member, so that one member cannot block the others
	}
	defer s.uploading.Delete(who.ID)
	d.Name, d.BirthDate, d.DocumentNumber = validation.Trim(d.Name), strings.TrimSpace(d.BirthDate), validation.Trim(d.DocumentNumber)
	if err := s.validate(ctx, who.MerchantID, d); err != nil {
		return Status{}, err
	}
	if len(files) < 1 || len(files) > MaxImages {
		return Status{}, ErrImages.On("image").With("max", MaxImages)
	}
	uploads, digests := make([]*picture.Upload, len(files)), make([]string, len(files))
	for i, f := range files {
		sum := sha256.Sum256(f.Data)
		digests[i] = hex.EncodeToString(sum[:])
		if strings.Contains(strings.ToLower(f.ContentType), "webp") { // OS-09 allows PNG and JPEG only
			return Status{}, ErrFormat.On("image")
		}
		var err error
		if uploads[i], err = picture.Check(f.ContentType, f.Data); err != nil {
			return Status{}, pictureFault(err)
		}
	}
	if err := s.o.Limiter.Take(ctx, "member/kyc/"+formatID(who.ID), submitLimit); err != nil {
		return Status{}, err
	}
	cipher, err := s.documentCipher(ctx)
	if err != nil {
		return Status{}, err
	}
	row := query.AddKycParams{
		ID: s.o.IDs(), MerchantID: who.MerchantID, MemberID: who.ID, NumberMac: cipher.mac(who.MerchantID, d.DocumentNumber), CreatedAt: db.Millis(s.o.Now()),
	}
	if row.Details, err = cipher.sealDetails(row.ID, d); err != nil {
		return Status{}, err
	}
	names, err := s.store(ctx, cipher, row.ID, uploads)
	if err != nil {
		return Status{}, err
	}
	encodedNames, err := json.Marshal(names)
	if err != nil {
		return Status{}, fmt.Errorf("encode pictures: %w", err)
	}
	row.Images = string(encodedNames)
	// The idempotency digest must not reveal the details, so they go in as a keyed hash.
	content := append([]string{hex.EncodeToString(cipher.mac(who.MerchantID, d.Name+"\n"+d.BirthDate+"\n"+d.DocumentNumber))}, digests...)
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "submitKyc", Key: key, Content: content}
	_, err = idempotency.Do(ctx, s.o.Requests, s.o.Store, request, func(tx *db.Tx) (struct{}, error) {
		if err := s.addIn(ctx, tx, row, names); err != nil {
			return struct{}{}, err
		}
		identity := map[string]string{"payeeName": d.Name, "birthDate": d.BirthDate, "idNumber": d.DocumentNumber}
		return struct{}{}, s.o.Breaks.ReviewIn(ctx, tx, who.MerchantID, who.ID, identity)
	})
	if err != nil {
		return Status{}, err
	}
	return s.Find(ctx, who.ID)
}

// validate rejects details that break a rule of the form.
func (s *Service) validate(ctx context.Context, merchantID int64, d Details) error {
	rules, err := s.o.Settings.Rules(ctx, merchantID)
	if err != nil {
		return err
	}
	form, err := s.o.Settings.RegisterForm(ctx, merchantID)
	if err != nil {
		return err
	}
	if err := rules.RefuseAs("payeeName", "name", d.Name); err != nil {
		return err
	}
	if err := checkAge(d.BirthDate, s.o.Now(), form.AgeLimit); err != nil {
		return err
	}
	return rules.RefuseAs("idNumber", "documentNumber", d.DocumentNumber)
}

// checkAge rejects an impossible birth date and a person under the age limit.
func checkAge(birthDate string, now time.Time, limit int) error {
	born, err := time.Parse(time.DateOnly, birthDate)
	today := now.UTC().Truncate(24 * time.Hour)
	if err != nil || born.After(today) || !born.After(today.AddDate(-maxAge, 0, 0)) {
		return ErrBirthDate.On("birthDate")
	}
	if born.AddDate(limit, 0, 0).After(today) {
		return ErrAge.On("birthDate").With("age", limit)
	}
	return nil
}

func pictureFault(err error) error {
	switch {
	case errors.Is(err, picture.ErrFormat):
		return ErrFormat.On("image").Because(err)
	case errors.Is(err, picture.ErrTooLarge):
		return ErrLarge.On("image")
	}
	return err
}

// store encodes the pictures again, which removes their metadata, and stores them encrypted. Pictures are deleted later unless KeepIn is
// called for them.
func (s *Service) store(ctx context.Context, cipher *documentCipher, id int64, uploads []*picture.Upload) ([]string, error) {
	names := make([]string, len(uploads))
	for i, u := range uploads {
		rendered, err := s.decoder.Render(ctx, u, u.Fit(maxSide))
		if err != nil {
			return nil, pictureFault(err)
		}
		if names[i], err = s.pictures.Put(ctx, folder, cipher.seal(id, i, rendered)); err != nil {
			return nil, err
		}
	}
	return names, nil
}

func (s *Service) addIn(ctx context.Context, tx *db.Tx, row query.AddKycParams, names []string) error {
	added, err := tx.Q.AddKyc(ctx, row)
	if err != nil {
		return fmt.Errorf("add identity check: %w", err)
	}
	if added == 0 {
		return ErrState
	}
	for _, name := range names {
		if err := s.pictures.KeepIn(ctx, tx, name); err != nil {
			return err
		}
	}
	id := formatID(row.ID)
	err = s.o.Tasks.AddIn(ctx, tx, tasks.Task{MerchantID: row.MerchantID, Kind: taskKind, Reference: id, Object: "kyc/" + id, Permission: permission.KYCReview})
	if err != nil {
		return err
	}
	return s.announceIn(ctx, tx, row.MerchantID, row.MemberID, row.ID, Waiting)
}

// announceIn informs the member's browsers and the operators' screens.
func (s *Service) announceIn(ctx context.Context, tx *db.Tx, merchantID, memberID, id int64, state string) error {
	if err := s.o.Screens.ChangedOf(ctx, tx, merchantID, "kyc", formatID(id)); err != nil {
		return err
	}
	data, err := json.Marshal(map[string]string{"state": state})
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Member: formatID(memberID), Event: Event, Data: data})
}

// OpenOwn returns a picture, counted from 1, of the member's newest check.
func (s *Service) OpenOwn(ctx context.Context, memberID int64, number int) (io.ReadCloser, error) {
	row, err := s.o.Store.Q().NewestKyc(ctx, memberID)
	found, err := db.Found("read identity check", err)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, ErrNoImage
	}
	return s.openImage(ctx, row, number)
}

func (s *Service) openImage(ctx context.Context, row query.Kyc, number int) (io.ReadCloser, error) {
	names, err := imagesOf(row)
	if err != nil {
		return nil, err
	}
	if number < 1 || number > len(names) {
		return nil, ErrNoImage
	}
	cipher, err := s.documentCipher(ctx)
	if err != nil {
		return nil, err
	}
	file, err := s.o.Blobs.Open(ctx, names[number-1])
	if err != nil {
		return nil, fmt.Errorf("open document: %w", err)
	}
	defer file.Close()
	sealed, err := io.ReadAll(io.LimitReader(file, 4*picture.MaxBytes))
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	data, err := cipher.open(row.ID, number-1, sealed)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(slices.Clip(data))), nil
}
