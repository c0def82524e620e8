package content

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strconv"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// CreateEntry stores a new entry after all others. A repeated request creates no second entry.
func (s *Service) CreateEntry(ctx context.Context, request idempotency.Request, merchantID int64, e Entry) (Entry, error) {
	e.ID, e.Version = s.o.IDs(), 1
	if e.Code == "" {
		e.Code = "c" + strconv.FormatInt(e.ID, 36)
	}
	if err := s.prepare(ctx, merchantID, &e); err != nil {
		return Entry{}, err
	}
	created, err := idempotency.Do(ctx, s.o.Requests, s.o.Store, request, func(tx *db.Tx) (Entry, error) {
		if _, err := tx.Q.LockMerchant(ctx, merchantID); err != nil { // so that two creates cannot both take the last place
			return Entry{}, fmt.Errorf("lock merchant: %w", err)
		}
		existing, err := entriesIn(ctx, tx.Q, merchantID, e.Kind)
		if err != nil {
			return Entry{}, err
		}
		if len(existing) >= maxItems {
			return Entry{}, ErrMalformed.On("texts").Because(errTooMany)
		}
		for _, other := range existing {
			e.Sorting = max(e.Sorting, other.Sorting+1)
		}
		return e, s.editIn(ctx, tx, merchantID, "create", nil, &e, func(tx *db.Tx) error {
			if err := checkCode(ctx, tx, merchantID, e); err != nil {
				return err
			}
			return s.insertEntry(ctx, tx, merchantID, e)
		})
	})
	if err != nil {
		return Entry{}, fmt.Errorf("create content: %w", err)
	}
	s.committed()
	return created, nil
}

// ChangeEntry replaces an entry, except its code and its position in the list. It refuses an outdated version.
func (s *Service) ChangeEntry(ctx context.Context, merchantID int64, e Entry) (Entry, error) {
	before, err := s.storedEntry(ctx, merchantID, e)
	if err != nil {
		return Entry{}, err
	}
	e.Code, e.Sorting = before.Code, before.Sorting
	if err := s.prepare(ctx, merchantID, &e); err != nil {
		return Entry{}, err
	}
	return s.replace(ctx, merchantID, "edit", before, e)
}

// Publish shows or hides an entry.
func (s *Service) Publish(ctx context.Context, merchantID int64, ref Entry, published bool) (Entry, error) {
	before, err := s.storedEntry(ctx, merchantID, ref)
	if err != nil {
		return Entry{}, err
	}
	action := "unpublish"
	if published {
		action = "publish"
	}
	next := before
	next.Published = published
	return s.replace(ctx, merchantID, action, before, next)
}

func (s *Service) replace(ctx context.Context, merchantID int64, action string, before, next Entry) (Entry, error) {
	next.ID, next.Version = before.ID, before.Version+1
	err := s.edit(ctx, merchantID, action, &before, &next, func(tx *db.Tx) error {
		return s.updateEntry(ctx, tx, merchantID, before.Version, next)
	})
	return next, err
}

// DeleteEntry deletes an entry permanently.
func (s *Service) DeleteEntry(ctx context.Context, merchantID int64, ref Entry) error {
	before, err := s.storedEntry(ctx, merchantID, ref)
	if err != nil {
		return err
	}
	return s.edit(ctx, merchantID, "delete", &before, nil, func(tx *db.Tx) error {
		return dropEntry(ctx, tx, merchantID, before)
	})
}

// MoveEntry places an entry after the one with id after, or first if after is 0.
func (s *Service) MoveEntry(ctx context.Context, merchantID int64, ref Entry, after int64) error {
	before, err := s.storedEntry(ctx, merchantID, ref)
	if err != nil {
		return err
	}
	all, err := s.Entries(ctx, merchantID, ref.Kind)
	if err != nil {
		return err
	}
	positions := make([]oplist.Position, len(all))
	for i, e := range all {
		positions[i] = oplist.Position{ID: e.ID, Sorting: e.Sorting}
	}
	moved, ok := oplist.Move(positions, ref.ID, after)
	if !ok {
		return ErrMissing.On("after")
	}
	next := before
	return s.edit(ctx, merchantID, "move", &before, &next, func(tx *db.Tx) error {
		for _, p := range moved {
			if p.ID == ref.ID {
				next.Sorting = p.Sorting
			}
			var err error
			if ref.Kind.pageKind() != "" {
				err = tx.Q.SetPageSorting(ctx, p.Sorting, merchantID, p.ID)
			} else {
				err = tx.Q.SetAnnouncementSorting(ctx, p.Sorting, p.ID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// storedEntry returns the stored entry with the id of ref. It refuses an outdated version.
func (s *Service) storedEntry(ctx context.Context, merchantID int64, ref Entry) (Entry, error) {
	e, err := s.FindEntry(ctx, merchantID, ref.Kind, ref.ID)
	if err == nil && e.Version != ref.Version {
		err = rest.ErrStale
	}
	e.Reason = ref.Reason
	return e, err
}

// prepare validates an entry and sanitizes its HTML.
func (s *Service) prepare(ctx context.Context, merchantID int64, e *Entry) error {
	texts := map[string]Text{}
	for l, t := range e.Texts {
		if t != (Text{}) { // an empty text counts as missing
			texts[l] = t
		}
	}
	e.Texts = texts
	if err := e.check(); err != nil {
		return err
	}
	for l, t := range texts {
		t.Content = s.sanitizer.Sanitize(t.Content)
		if pageKind := e.Kind.pageKind(); pageKind != "" && (e.Kind == Pages || e.Parent != "") && !hasContent(t.Content) {
			return malformed("content."+l, pageKind, e.Code)
		}
		texts[l] = t
	}
	return s.checkImages(ctx, merchantID, Announcement{Code: e.Code, Image: e.Image, Texts: e.Texts})
}

func checkCode(ctx context.Context, tx *db.Tx, merchantID int64, e Entry) error {
	used, err := tx.Q.PageID(ctx, merchantID, e.Code)
	if e.Kind.pageKind() == "" {
		used, err = tx.Q.AnnouncementCodeUsed(ctx, merchantID, e.Code)
	}
	if err == nil && used != 0 {
		return ErrTaken.On("code")
	}
	return err
}

func (s *Service) edit(ctx context.Context, merchantID int64, action string, before, after *Entry, change func(*db.Tx) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.editIn(ctx, tx, merchantID, action, before, after, change) })
	if err != nil {
		return fmt.Errorf("%s content: %w", action, err)
	}
	s.committed()
	return nil
}

// editIn runs a change, writes the audit log, and informs all replicas and members' open apps. before is nil for a new entry. after is
// nil for a deleted entry. Call committed after the commit.
func (s *Service) editIn(ctx context.Context, tx *db.Tx, merchantID int64, action string, before, after *Entry, change func(*db.Tx) error) error {
	entry := audit.Entry{MerchantID: merchantID, Permission: string(permission.ContentEdit), Action: "content." + action}
	var pictures []string
	reason := ""
	for _, e := range []*Entry{before, after} {
		if e != nil {
			entry.Object, reason = e.object(), e.Reason
			pictures = append(pictures, e.pictures()...)
		}
	}
	if err := change(tx); err != nil {
		return err
	}
	if err := s.keepPictures(ctx, tx, pictures); err != nil {
		return err
	}
	if err := s.changeIn(ctx, tx, merchantID); err != nil {
		return err
	}
	entry.Before, entry.After = auditFields(before), auditFields(after)
	if reason != "" {
		entry.After = map[string]any{"entry": entry.After, "reason": reason}
	}
	return audit.Append(ctx, tx, s.o.Now(), entry)
}

func (s *Service) insertEntry(ctx context.Context, tx *db.Tx, merchantID int64, e Entry) error {
	ends := sql.NullInt64{Int64: db.Millis(e.Ends), Valid: !e.Ends.IsZero()}
	if pageKind := e.Kind.pageKind(); pageKind != "" {
		if err := checkParent(ctx, tx, merchantID, e.Code, e.Parent); err != nil {
			return err
		}
		for l, t := range e.Texts {
			err := tx.Q.AddPage(ctx, query.AddPageParams{
				MerchantID: merchantID, ID: e.ID, Name: e.Code, Language: l, Title: t.Title, Content: t.Content, Sorting: e.Sorting, Enabled: e.Published,
				UpdatedAt: db.Millis(s.o.Now()), Version: e.Version, StartsAt: db.Millis(e.Starts), EndsAt: ends, Kind: pageKind, Parent: e.Parent,
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	err := tx.Q.AddAnnouncement(ctx, query.AddAnnouncementParams{
		ID: e.ID, MerchantID: merchantID, Code: e.Code, Type: string(e.announcementType()), GroupName: e.Group, Execution: e.Execution,
		Url: e.URL, Image: e.Image, Sorting: e.Sorting, StartsAt: db.Millis(e.Starts), EndsAt: ends, Enabled: e.Published,
	})
	if err != nil {
		return err
	}
	return putTexts(ctx, tx, e)
}

func putTexts(ctx context.Context, tx *db.Tx, e Entry) error {
	for l, t := range e.Texts {
		err := tx.Q.PutAnnouncementText(ctx, query.PutAnnouncementTextParams{
			AnnouncementID: e.ID, Language: l, Title: t.Title, Content: t.Content, Tag: t.Tag, Action: t.Action, Image: t.Image,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) updateEntry(ctx context.Context, tx *db.Tx, merchantID, version int64, e Entry) error {
	if e.Kind.pageKind() != "" {
		if err := dropPage(ctx, tx, merchantID, e.ID, version); err != nil {
			return err
		}
		return s.insertEntry(ctx, tx, merchantID, e)
	}
	n, err := tx.Q.ChangeAnnouncement(ctx, query.ChangeAnnouncementParams{
		Type: string(e.announcementType()), GroupName: e.Group, Execution: e.Execution, Url: e.URL, Image: e.Image, StartsAt: db.Millis(e.Starts),
		EndsAt: sql.NullInt64{Int64: db.Millis(e.Ends), Valid: !e.Ends.IsZero()}, Enabled: e.Published, ID: e.ID, MerchantID: merchantID, Version: version,
	})
	if err == nil && n == 0 {
		err = rest.ErrStale
	}
	if err == nil {
		err = tx.Q.DropAnnouncementTexts(ctx, e.ID)
	}
	if err != nil {
		return err
	}
	return putTexts(ctx, tx, e)
}

// dropPage deletes a page in all languages. It refuses an outdated version: every change raises the version of all rows of
// a page.
func dropPage(ctx context.Context, tx *db.Tx, merchantID, id, version int64) error {
	n, err := tx.Q.DropPage(ctx, merchantID, id, version)
	if err == nil && n == 0 {
		err = rest.ErrStale
	}
	return err
}

func dropEntry(ctx context.Context, tx *db.Tx, merchantID int64, e Entry) error {
	if e.Kind == Help {
		if err := checkNoArticles(ctx, tx, merchantID, e.Code); err != nil {
			return err
		}
		if err := tx.Q.DropHelpVotes(ctx, e.ID); err != nil {
			return err
		}
	}
	if e.Kind.pageKind() != "" {
		return dropPage(ctx, tx, merchantID, e.ID, e.Version)
	}
	if err := tx.Q.DropAnnouncementTexts(ctx, e.ID); err != nil {
		return err
	}
	if err := tx.Q.DropAnnouncementReads(ctx, e.ID); err != nil {
		return err
	}
	n, err := tx.Q.DropAnnouncement(ctx, e.ID, merchantID, e.Version)
	if err == nil && n == 0 {
		err = rest.ErrStale
	}
	return err
}

// maxAudited is the maximum size of a text in the audit log, in bytes. A longer text is replaced by its digest.
const maxAudited = 2 << 10

// auditFields describes an entry in the audit log.
func auditFields(e *Entry) any {
	if e == nil {
		return nil
	}
	texts := map[string]Text{}
	for l, t := range e.Texts {
		if len(t.Content) > maxAudited {
			sum := sha256.Sum256([]byte(t.Content))
			t.Content = fmt.Sprintf("%d bytes, SHA-256 %s", len(t.Content), hex.EncodeToString(sum[:]))
		}
		texts[l] = t
	}
	return map[string]any{
		"code": e.Code, "type": e.announcementType(), "group": e.Group, "parent": e.Parent, "execution": e.Execution, "url": e.URL, "image": e.Image, "sorting": e.Sorting,
		"starts": e.Starts, "ends": e.Ends, "published": e.Published, "texts": texts, "version": e.Version,
	}
}
