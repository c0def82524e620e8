package message

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"regexp"
	"strings"
	"unicode"

	"github.com/microcosm-cc/bluemonday"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/page"
)

// maxPreview is the maximum length of a preview, in characters.
const maxPreview = 160

// An Item is a message in an inbox, in the reader's language.
type Item struct {
	ID        int64
	Kind      string // operator, or the kind of a system message
	Title     string
	Text      string // plain text; empty for messages of operators
	HTML      string // safe HTML of operators' messages
	Link      string // path in the app
	CreatedAt int64
	Read      bool
}

// preview returns the beginning of the text.
func (i Item) preview() string {
	text := i.Text
	if i.HTML != "" {
		text = plainText(i.HTML)
	}
	text = strings.Join(strings.FieldsFunc(text, breaks), " ")
	if runes := []rune(text); len(runes) > maxPreview {
		return string(runes[:maxPreview-1]) + "…"
	}
	return text
}

// breaks reports whether r is white space where a line may break.
func breaks(r rune) bool {
	return unicode.IsSpace(r) && string(r) != noBreakSpace
}

var noTags = bluemonday.StrictPolicy().AddSpaceWhenStrippingTag(true)

// spaces are the characters that a browser shows as one space.
var spaces = regexp.MustCompile(`[ \t\r\n]+`)

func plainText(safeHTML string) string {
	return strings.TrimSpace(html.UnescapeString(spaces.ReplaceAllString(noTags.Sanitize(safeHTML), " ")))
}

// A scope limits which messages of operators are visible to one member.
type scope struct {
	joinedAt   int64 // earlier messages to all members are hidden
	promotions bool  // includes promotional messages
	now        int64 // messages that have ended are hidden
}

// scopeOf returns a member's scope. It excludes promotions if the member has not agreed to them or is on a break.
func (s *Service) scopeOf(ctx context.Context, q *query.Queries, memberID int64) (scope, error) {
	m, err := q.MemberByID(ctx, memberID)
	if err != nil {
		return scope{}, fmt.Errorf("read member: %w", err)
	}
	promotions, err := s.mayPromote(ctx, q, memberID, Inbox)
	return scope{m.CreatedAt, promotions, db.Millis(s.o.Now())}, err
}

// List returns a page of an inbox, newest first.
func (s *Service) List(ctx context.Context, who Reader, unread bool, cursor string, size int) (items []Item, next string, err error) {
	after, err := page.After(cursor)
	if err != nil {
		return nil, "", err
	}
	size = page.Size(size)
	rows, err := s.rows(ctx, s.o.Store.Q(), who, query.InboxOfMemberParams{Unread: unread, BeforeAt: after.At, BeforeID: after.ID, Most: int32(size) + 1})
	if err != nil {
		return nil, "", err
	}
	rows, next = page.Cut(rows, size, func(r query.InboxOfMemberRow) page.Key { return page.Key{At: r.CreatedAt, ID: r.ID} })
	items = make([]Item, len(rows))
	for i, r := range rows {
		if items[i], err = s.item(r, who.Language); err != nil {
			return nil, "", err
		}
	}
	return items, next, nil
}

func (s *Service) rows(ctx context.Context, q *query.Queries, who Reader, p query.InboxOfMemberParams) ([]query.InboxOfMemberRow, error) {
	memberScope, err := s.scopeOf(ctx, q, who.ID)
	if err != nil {
		return nil, err
	}
	p.MemberID, p.MerchantID, p.JoinedAt, p.Promotions, p.Now = who.ID, who.MerchantID, memberScope.joinedAt, memberScope.promotions, memberScope.now
	rows, err := q.InboxOfMember(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read inbox: %w", err)
	}
	return rows, nil
}

func (s *Service) item(r query.InboxOfMemberRow, language string) (Item, error) {
	out := Item{ID: r.ID, Kind: r.Kind, Link: r.Link, CreatedAt: r.CreatedAt, Read: r.ReadAt > 0}
	if r.Kind == operatorKind {
		texts, err := textsOf(r.Texts)
		if err != nil {
			return Item{}, err
		}
		text := texts.inLanguage(language)
		out.Title, out.HTML = text.Title, s.sanitizer.Sanitize(text.Body) // sanitized again, because the sanitizer may be newer than the stored text
		return out, nil
	}
	args := map[string]string{}
	if err := json.Unmarshal([]byte(r.Args), &args); err != nil {
		return Item{}, fmt.Errorf("decode message %d: %w", r.ID, err)
	}
	out.Title, out.Text = systemText(Kind(r.Kind), language, args)
	out.Link = links[Kind(r.Kind)]
	return out, nil
}

// Find returns a message of an inbox.
func (s *Service) Find(ctx context.Context, who Reader, id int64) (Item, error) {
	row, err := s.find(ctx, s.o.Store.Q(), who, id)
	if err != nil {
		return Item{}, err
	}
	return s.item(row, who.Language)
}

func (s *Service) find(ctx context.Context, q *query.Queries, who Reader, id int64) (query.InboxOfMemberRow, error) {
	if id <= 0 {
		return query.InboxOfMemberRow{}, ErrUnknown
	}
	rows, err := s.rows(ctx, q, who, query.InboxOfMemberParams{Wanted: id, BeforeAt: math.MaxInt64, BeforeID: math.MaxInt64, Most: 1})
	if err != nil {
		return query.InboxOfMemberRow{}, err
	}
	if len(rows) == 0 {
		return query.InboxOfMemberRow{}, ErrUnknown
	}
	return rows[0], nil
}

// Unread counts the unread messages.
func (s *Service) Unread(ctx context.Context, who Reader) (int, error) {
	q := s.o.Store.Q()
	memberScope, err := s.scopeOf(ctx, q, who.ID)
	if err != nil {
		return 0, err
	}
	ownUnread, err := q.CountUnreadInbox(ctx, who.ID, memberScope.promotions, memberScope.now)
	if err != nil {
		return 0, fmt.Errorf("count unread messages: %w", err)
	}
	toAll, err := unreadToAll(ctx, q, who, memberScope)
	return int(ownUnread) + len(toAll), err
}

func unreadToAll(ctx context.Context, q *query.Queries, who Reader, visible scope) ([]query.UnreadToAllRow, error) {
	rows, err := q.UnreadToAll(ctx, query.UnreadToAllParams{
		MerchantID: who.MerchantID, JoinedAt: visible.joinedAt, Now: visible.now, Promotions: visible.promotions, MemberID: who.ID,
	})
	if err != nil {
		return nil, fmt.Errorf("read messages to all: %w", err)
	}
	return rows, nil
}

// MarkRead marks a message as read. It is idempotent.
func (s *Service) MarkRead(ctx context.Context, who Reader, id int64) error {
	return s.change(ctx, who, func(tx *db.Tx, now int64) (bool, error) {
		row, err := s.find(ctx, tx.Q, who, id)
		if err != nil || row.ReadAt > 0 {
			return false, err
		}
		n, err := tx.Q.ReadInbox(ctx, now, who.ID, id)
		if err != nil || n > 0 || row.Kind != operatorKind {
			return n > 0, err
		}
		n, err = s.addOwnRow(ctx, tx, who, id, row.CreatedAt, now, 0)
		return n > 0, err
	})
}

// addOwnRow adds a member's own inbox row for a message to all members. It returns 0 if another request has added it.
func (s *Service) addOwnRow(ctx context.Context, tx *db.Tx, who Reader, id, createdAt, readAt, deletedAt int64) (int64, error) {
	return tx.Q.AddInboxOfAll(ctx, query.AddInboxOfAllParams{
		ID: s.o.IDs(), MemberID: who.ID, MessageID: nullID(id), CreatedAt: createdAt, ReadAt: readAt, DeletedAt: deletedAt,
	})
}

// MarkAllRead marks all messages as read.
func (s *Service) MarkAllRead(ctx context.Context, who Reader) error {
	return s.change(ctx, who, func(tx *db.Tx, now int64) (bool, error) {
		n, err := tx.Q.ReadAllInbox(ctx, who.ID, now)
		if err != nil {
			return false, err
		}
		memberScope, err := s.scopeOf(ctx, tx.Q, who.ID)
		if err != nil {
			return false, err
		}
		toAll, err := unreadToAll(ctx, tx.Q, who, memberScope)
		if err != nil {
			return false, err
		}
		for _, m := range toAll {
			added, err := s.addOwnRow(ctx, tx, who, m.ID, m.ShownAt, now, 0)
			if err != nil {
				return false, err
			}
			n += added
		}
		return n > 0, nil
	})
}

// Delete removes a message from an inbox.
func (s *Service) Delete(ctx context.Context, who Reader, id int64) error {
	return s.change(ctx, who, func(tx *db.Tx, now int64) (bool, error) {
		row, err := s.find(ctx, tx.Q, who, id)
		if err != nil {
			return false, err
		}
		n, err := tx.Q.DeleteInbox(ctx, now, who.ID, id)
		if err != nil || n > 0 || row.Kind != operatorKind {
			return n > 0, err
		}
		n, err = s.addOwnRow(ctx, tx, who, id, row.CreatedAt, now, now)
		return n > 0, err
	})
}

// DeleteRead removes all read messages and returns their number.
func (s *Service) DeleteRead(ctx context.Context, who Reader) (deleted int64, err error) {
	err = s.change(ctx, who, func(tx *db.Tx, now int64) (bool, error) {
		deleted, err = tx.Q.DeleteReadInbox(ctx, who.ID, now)
		return deleted > 0, err
	})
	return deleted, err
}

// change runs a change of an inbox and informs the member's other pages if it had an effect.
func (s *Service) change(ctx context.Context, who Reader, fn func(tx *db.Tx, now int64) (bool, error)) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		changed, err := fn(tx, db.Millis(s.o.Now()))
		if err != nil || !changed {
			return err
		}
		return s.changedIn(ctx, tx, who.ID)
	})
	if err != nil {
		return fmt.Errorf("change inbox: %w", err)
	}
	s.o.Outbox.Wake()
	return nil
}
