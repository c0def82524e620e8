// Package feedback stores feedback from members: a category, a short text, pictures and the operator's answer. The answer is also sent
// to the member's inbox.
package feedback

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/tasks"
	"fairground/internal/platform/validation"
)

// Faults of this package.
var (
	ErrCategory = fault.New(fault.Invalid, "feedback.category")
	ErrImages   = fault.New(fault.Invalid, "feedback.images")     // more than three
	ErrFormat   = fault.New(fault.Invalid, "feedback.format")     // not a PNG or JPEG picture
	ErrLarge    = fault.New(fault.TooLarge, "feedback.too_large") // more than 5 MB or too many pixels
	ErrNoImage  = fault.New(fault.NotFound, "feedback.no_image")  // missing, or sent by another member
	ErrUnknown  = fault.ForOperators(fault.NotFound, "feedback.unknown")
	ErrAnswered = fault.ForOperators(fault.Conflict, "feedback.answered")
	ErrAnswer   = fault.ForOperators(fault.Invalid, "feedback.answer") // empty or too long
)

// Categories of feedback. The database contains these values.
var Categories = []string{"deposit", "withdrawal", "game", "account", "suggestion", "other"}

// Statuses of feedback. The database contains these values.
const (
	Open     = "open"
	Answered = "answered"
)

const (
	// MaxImages is the maximum number of pictures per feedback.
	MaxImages   = 3
	maxAnswer   = 1000
	imageFolder = "feedback/"
	imageSide   = 2000 // longer side of a stored picture, in pixels
	taskKind    = "feedback"
	// answeredKind is the kind of the inbox message that contains an answer.
	answeredKind = "feedback.answered"
)

var sendLimit = ratelimit.Limit{Burst: 10, Every: 10 * time.Minute}

// Settings provides the merchant's validation rules.
type Settings interface {
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
}

// Inbox sends system messages to members.
type Inbox interface {
	SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error
}

// Tasks stores the tasks of operators.
type Tasks interface {
	AddIn(ctx context.Context, tx *db.Tx, t tasks.Task) error
	DoneIn(ctx context.Context, tx *db.Tx, kind, reference string) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Settings Settings
	Inbox    Inbox
	Blobs    picture.Blobs
	Limiter  *ratelimit.Stored
	Requests *idempotency.Keys
	Tasks    Tasks
	Screens  tasks.Screens
	IDs      db.IDs
	Now      func() time.Time
}

// A Service stores feedback.
type Service struct {
	o        Options
	pictures picture.Store
	decoder  *picture.Decoder
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{o: o, pictures: picture.Store{DB: o.Store, Blobs: o.Blobs, Now: o.Now}, decoder: picture.NewDecoder()}
}

// A File is an uploaded picture.
type File struct {
	ContentType string
	Data        []byte
}

// A Draft is feedback that a member sends.
type Draft struct {
	Category, Content string
	Files             []File
}

// A Member is the sender of feedback.
type Member struct{ ID, MerchantID int64 }

// Send stores feedback and adds a task for operators.
func (s *Service) Send(ctx context.Context, who Member, key string, d Draft) (query.Feedback, error) {
	d.Content = validation.Trim(d.Content)
	if !slices.Contains(Categories, d.Category) {
		return query.Feedback{}, ErrCategory.On("category")
	}
	rules, err := s.o.Settings.Rules(ctx, who.MerchantID)
	if err != nil {
		return query.Feedback{}, err
	}
	if err := rules.RefuseAs("feedback", "content", d.Content); err != nil {
		return query.Feedback{}, err
	}
	if len(d.Files) > MaxImages {
		return query.Feedback{}, ErrImages.On("image").With("max", MaxImages)
	}
	uploads, requestContent := make([]*picture.Upload, len(d.Files)), []string{d.Category, d.Content}
	for i, f := range d.Files {
		if strings.Contains(strings.ToLower(f.ContentType), "webp") { // VA-08 allows PNG and JPEG only
			return query.Feedback{}, ErrFormat.On("image")
		}
		if uploads[i], err = picture.Check(f.ContentType, f.Data); err != nil {
			return query.Feedback{}, pictureFault(err)
		}
		sum := sha256.Sum256(f.Data)
		requestContent = append(requestContent, hex.EncodeToString(sum[:]))
	}
	if err := s.o.Limiter.Take(ctx, "member/feedback/"+formatID(who.ID), sendLimit); err != nil {
		return query.Feedback{}, err
	}
	names := []string{}
	for _, u := range uploads {
		rendered, err := s.decoder.Render(ctx, u, u.Fit(imageSide))
		if err != nil {
			return query.Feedback{}, pictureFault(err)
		}
		name, err := s.pictures.Put(ctx, imageFolder, rendered)
		if err != nil {
			return query.Feedback{}, err
		}
		names = append(names, name)
	}
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "sendFeedback", Key: key, Content: requestContent}
	return idempotency.Do(ctx, s.o.Requests, s.o.Store, request, func(tx *db.Tx) (query.Feedback, error) {
		return s.addIn(ctx, tx, who, d, names)
	})
}

func (s *Service) addIn(ctx context.Context, tx *db.Tx, who Member, d Draft, names []string) (query.Feedback, error) {
	list, err := json.Marshal(names)
	if err != nil {
		return query.Feedback{}, fmt.Errorf("encode pictures: %w", err)
	}
	row := query.Feedback{
		ID: s.o.IDs(), MerchantID: who.MerchantID, MemberID: who.ID, Category: d.Category, Content: d.Content, Images: string(list), Status: Open,
		CreatedAt: db.Millis(s.o.Now()), Version: 1,
	}
	err = tx.Q.AddFeedback(ctx, query.AddFeedbackParams{
		ID: row.ID, MerchantID: row.MerchantID, MemberID: row.MemberID, Category: row.Category, Content: row.Content, Images: row.Images, CreatedAt: row.CreatedAt,
	})
	if err != nil {
		return row, fmt.Errorf("store feedback: %w", err)
	}
	for _, name := range names {
		if err := s.pictures.KeepIn(ctx, tx, name); err != nil {
			return row, err
		}
	}
	id := formatID(row.ID)
	err = s.o.Tasks.AddIn(ctx, tx, tasks.Task{MerchantID: who.MerchantID, Kind: taskKind, Reference: id, Object: "feedback/" + id, Permission: permission.MessageSend})
	if err != nil {
		return row, err
	}
	return row, s.o.Screens.ChangedOf(ctx, tx, who.MerchantID, "feedback", id)
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

// Own returns a page of a member's feedback, newest first.
func (s *Service) Own(ctx context.Context, memberID int64, cursor string) (rows []query.Feedback, next string, err error) {
	after, err := page.After(cursor)
	if err != nil {
		return nil, "", err
	}
	rows, err = s.o.Store.Q().FeedbackOfMember(ctx, query.FeedbackOfMemberParams{MemberID: memberID, BeforeAt: after.At, BeforeID: after.ID, Most: page.DefaultSize + 1})
	if err != nil {
		return nil, "", fmt.Errorf("read feedback: %w", err)
	}
	rows, next = page.Cut(rows, page.DefaultSize, func(r query.Feedback) page.Key { return page.Key{At: r.CreatedAt, ID: r.ID} })
	return rows, next, nil
}

// OpenOwn opens a picture that the member sent. number starts at 1. The caller closes the picture.
func (s *Service) OpenOwn(ctx context.Context, memberID, id int64, number int) (io.ReadCloser, error) {
	return s.openImage(ctx, id, number, func(r query.FeedbackByIDRow) bool { return r.MemberID == memberID })
}

// OpenFor opens a picture for an operator. number starts at 1. The caller closes the picture.
func (s *Service) OpenFor(ctx context.Context, merchantID, id int64, number int) (io.ReadCloser, error) {
	return s.openImage(ctx, id, number, func(r query.FeedbackByIDRow) bool { return r.MerchantID == merchantID })
}

func (s *Service) openImage(ctx context.Context, id int64, number int, isAllowed func(query.FeedbackByIDRow) bool) (io.ReadCloser, error) {
	row, err := s.o.Store.Q().FeedbackByID(ctx, id)
	found, err := db.Found("read feedback", err)
	if err != nil {
		return nil, err
	}
	names := imagesOf(row.Images)
	if !found || !isAllowed(row) || number < 1 || number > len(names) {
		return nil, ErrNoImage
	}
	return s.o.Blobs.Open(ctx, names[number-1])
}

func imagesOf(list string) (names []string) {
	_ = json.Unmarshal([]byte(list), &names) // list is empty if the row was not found
	return names
}

// Find returns one feedback of a merchant.
func (s *Service) Find(ctx context.Context, merchantID, id int64) (query.FeedbackByIDRow, error) {
	return find(ctx, s.o.Store.Q(), merchantID, id)
}

func find(ctx context.Context, q *query.Queries, merchantID, id int64) (query.FeedbackByIDRow, error) {
	row, err := q.FeedbackByID(ctx, id)
	found, err := db.Found("read feedback", err)
	if err == nil && (!found || row.MerchantID != merchantID) {
		err = ErrUnknown
	}
	return row, err
}

// Answer stores the answer and sends it to the member's inbox. Feedback can be answered only once.
func (s *Service) Answer(ctx context.Context, merchantID, id, version int64, text string) error {
	text = strings.TrimSpace(text)
	if text == "" || utf8.RuneCountInString(text) > maxAnswer {
		return ErrAnswer.On("text").With("max", maxAnswer)
	}
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		row, err := find(ctx, tx.Q, merchantID, id)
		switch {
		case err != nil:
			return err
		case row.Status == Answered:
			return ErrAnswered
		}
		n, err := tx.Q.AnswerFeedback(ctx, query.AnswerFeedbackParams{Answer: text, AnsweredBy: audit.Actor(ctx), AnsweredAt: db.Millis(s.o.Now()), ID: id, Version: version})
		if err != nil {
			return err
		}
		if n == 0 {
			return rest.ErrStale
		}
		if err := s.o.Tasks.DoneIn(ctx, tx, taskKind, formatID(id)); err != nil {
			return err
		}
		if err := s.o.Inbox.SystemIn(ctx, tx, row.MemberID, answeredKind, map[string]string{"text": text}); err != nil {
			return err
		}
		if err := s.o.Screens.ChangedOf(ctx, tx, row.MerchantID, "feedback", formatID(id)); err != nil {
			return err
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.MessageSend), Action: "feedback.answer", Object: "feedback/" + formatID(id),
			Before: map[string]string{"status": row.Status}, After: map[string]string{"status": Answered, "answer": text},
		})
	})
	if err != nil {
		return fmt.Errorf("answer feedback: %w", err)
	}
	return nil
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
