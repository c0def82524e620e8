package message

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// Audiences of a message. The database contains these values.
const (
	ToMember  = "member"
	ToSegment = "segment"
	ToAll     = "all"
)

// Statuses of a message. The database contains these values.
const (
	Sending   = "sending"
	Sent      = "sent"
	Withdrawn = "withdrawn"
)

const (
	maxTitle  = 120
	maxBody   = 20_000 // characters of HTML
	batchSize = 500    // members per transaction of the job
)

// A Text is a message in one language.
type Text struct {
	Title string `json:"title" maxLength:"400"`
	Body  string `json:"body" maxLength:"60000" doc:"HTML. The server removes everything unsafe."`
}

type texts map[string]Text

// inLanguage returns the text in a language, or else in Vietnamese or English.
func (t texts) inLanguage(language string) Text {
	for _, l := range []string{language, "vi", "en"} {
		if text, ok := t[l]; ok {
			return text
		}
	}
	return Text{}
}

func textsOf(stored string) (out texts, err error) {
	if err := json.Unmarshal([]byte(stored), &out); err != nil {
		return nil, fmt.Errorf("decode message: %w", err)
	}
	return out, nil
}

// A Segment selects members. Empty fields select all.
type Segment struct {
	Type       *int        `json:"type,omitempty"`
	VIP        string      `json:"vip,omitempty"`
	Language   string      `json:"language,omitempty"`
	SeenSince  int64       `json:"seenSince,omitempty"`  // logged in at or after this time, Unix ms
	SeenBefore int64       `json:"seenBefore,omitempty"` // not logged in since this time, Unix ms
	DepositMin money.Minor `json:"depositMin,omitempty"`
	DepositMax money.Minor `json:"depositMax,omitempty"` // 0: no limit
}

// A Draft is a message that an operator wants to send.
type Draft struct {
	MerchantID  int64
	Audience    string
	Member      string // username, if Audience is ToMember
	Segment     Segment
	Texts       map[string]Text
	Link        string
	Promotional bool
}

// check validates a draft and returns it with sanitized texts.
func (s *Service) check(d Draft) (Draft, error) {
	sanitized := map[string]Text{}
	for _, language := range slices.Sorted(maps.Keys(d.Texts)) {
		t := d.Texts[language]
		title, body := strings.TrimSpace(t.Title), strings.TrimSpace(t.Body)
		if title == "" && body == "" {
			continue
		}
		fieldError := func(field string) error { return ErrText.On("texts." + language + "." + field) }
		switch {
		case !slices.Contains(rest.Languages(), language):
			return d, ErrText.On("texts." + language)
		case !hasVisibleText(title), strings.ContainsFunc(title, unicode.IsControl), utf8.RuneCountInString(title) > maxTitle:
			return d, fieldError("title")
		case utf8.RuneCountInString(body) > maxBody:
			return d, fieldError("body")
		}
		body = s.sanitizer.Sanitize(body)
		if !hasVisibleText(plainText(body)) {
			return d, fieldError("body")
		}
		sanitized[language] = Text{title, body}
	}
	if _, hasVi := sanitized["vi"]; !hasVi {
		if _, hasEn := sanitized["en"]; !hasEn {
			return d, ErrText.On("texts")
		}
	}
	if d.Link != "" && (!strings.HasPrefix(d.Link, "/m/") || len(d.Link) > 512 || strings.ContainsAny(d.Link, "\\ \t\r\n")) {
		return d, ErrLink.On("link")
	}
	d.Texts = sanitized
	return d, d.Segment.check()
}

func (g Segment) check() error {
	switch {
	case g.Type != nil && !rest.MemberType(*g.Type).Real():
		return ErrSegment.On("type")
	case g.Language != "" && !slices.Contains(rest.Languages(), g.Language):
		return ErrSegment.On("language")
	case g.SeenSince < 0 || g.SeenBefore < 0 || g.SeenSince > 0 && g.SeenBefore > 0 && g.SeenBefore <= g.SeenSince:
		return ErrSegment.On("seenBefore")
	case g.DepositMin < 0 || g.DepositMax < 0 || g.DepositMax > 0 && g.DepositMax < g.DepositMin:
		return ErrSegment.On("depositMax")
	}
	return nil
}

func hasVisibleText(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// params returns the segment as query parameters.
func (g Segment) params(merchantID, now int64, promotional bool) query.CountSegmentParams {
	memberType := int64(-1)
	if g.Type != nil {
		memberType = int64(*g.Type)
	}
	return query.CountSegmentParams{
		MerchantID: merchantID, Type: memberType, Language: g.Language, Vip: g.VIP, SeenSince: g.SeenSince, SeenBefore: g.SeenBefore,
		DepositMin: int64(g.DepositMin), DepositMax: int64(g.DepositMax), Promotional: promotional, Now: now,
	}
}

// Count returns how many members a message would reach now.
func (s *Service) Count(ctx context.Context, d Draft) (int64, error) {
	if err := d.Segment.check(); err != nil {
		return 0, err
	}
	if d.Audience == ToMember {
		_, err := s.recipient(ctx, s.o.Store.Q(), d)
		if errors.Is(err, ErrConsent) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		return 1, nil
	}
	segment := d.Segment
	if d.Audience == ToAll {
		segment = Segment{}
	}
	n, err := s.o.Store.Q().CountSegment(ctx, segment.params(d.MerchantID, db.Millis(s.o.Now()), d.Promotional))
	if err != nil {
		return 0, fmt.Errorf("count members: %w", err)
	}
	return n, nil
}

// recipient returns the recipient of a draft whose audience is ToMember.
func (s *Service) recipient(ctx context.Context, q *query.Queries, d Draft) (query.Member, error) {
	m, err := q.MemberByAccount(ctx, d.MerchantID, strings.ToLower(strings.TrimSpace(d.Member)))
	found, err := db.Found("find member", err)
	if err != nil {
		return m, err
	}
	if !found || !rest.MemberType(m.Type).Real() {
		return m, ErrMember.On("member")
	}
	if d.Promotional {
		allowed, err := s.mayPromote(ctx, q, m.ID, Inbox)
		if err == nil && !allowed {
			err = ErrConsent
		}
		return m, err
	}
	return m, nil
}

// CreateIn sends a message. A message to one member or to all members appears in inboxes immediately. A job delivers a message to a segment.
func (s *Service) CreateIn(ctx context.Context, tx *db.Tx, d Draft) (query.Message, error) {
	d, err := s.check(d)
	if err != nil {
		return query.Message{}, err
	}
	encodedTexts, err := json.Marshal(d.Texts)
	if err != nil {
		return query.Message{}, fmt.Errorf("encode message: %w", err)
	}
	row := query.AddMessageParams{
		ID: s.o.IDs(), MerchantID: d.MerchantID, Audience: d.Audience, Filter: "{}", Texts: string(encodedTexts), Link: d.Link, Promotional: d.Promotional,
		Status: Sending, CreatedBy: audit.Actor(ctx), CreatedAt: db.Millis(s.o.Now()),
	}
	var recipient query.Member
	filter := any(d.Segment)
	if d.Audience == ToMember {
		if recipient, err = s.recipient(ctx, tx.Q, d); err != nil {
			return query.Message{}, err
		}
		filter, row.Status, row.Reached = map[string]string{"id": formatID(recipient.ID), "member": recipient.Account}, Sent, 1
	}
	if d.Audience != ToAll {
		encoded, err := json.Marshal(filter)
		if err != nil {
			return query.Message{}, fmt.Errorf("encode message: %w", err)
		}
		row.Filter = string(encoded)
	}
	if err := tx.Q.AddMessage(ctx, row); err != nil {
		return query.Message{}, fmt.Errorf("store message: %w", err)
	}
	topic := topicOf(d.Promotional)
	switch d.Audience {
	case ToMember:
		err = s.deliverIn(ctx, tx, row.ID, recipient.ID, topic, texts(d.Texts), d.Link)
	case ToAll:
		// Pages wait a random time before they reload, so that they do not all send requests at once.
		err = s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Merchant: formatID(d.MerchantID), Event: Event, Data: json.RawMessage(`{"all":true}`)})
	}
	if err == nil && d.Audience != ToMember {
		err = s.o.Queue.Add(ctx, tx, sendTask, row.ID)
	}
	if err == nil {
		err = s.o.Desk.ChangedOf(ctx, tx, d.MerchantID, "messages", formatID(row.ID))
	}
	if err != nil {
		return query.Message{}, err
	}
	return tx.Q.MessageByID(ctx, row.ID)
}

func topicOf(promotional bool) Topic {
	if promotional {
		return Promotion
	}
	return Account
}

// deliverIn writes a message to a member's inbox and notifies the member.
func (s *Service) deliverIn(ctx context.Context, tx *db.Tx, id, memberID int64, topic Topic, t texts, link string) error {
	n, err := tx.Q.AddInbox(ctx, query.AddInboxParams{
		ID: s.o.IDs(), MemberID: memberID, MessageID: nullID(id), Kind: operatorKind, CreatedAt: db.Millis(s.o.Now()),
	})
	if err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	if n == 0 {
		return nil
	}
	if err := s.changedIn(ctx, tx, memberID); err != nil {
		return err
	}
	return s.notifyMemberIn(ctx, tx, id, memberID, topic, t, link)
}

func (s *Service) notifyMemberIn(ctx context.Context, tx *db.Tx, id, memberID int64, topic Topic, t texts, link string) error {
	m, err := tx.Q.MemberByID(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read member: %w", err)
	}
	text := t.inLanguage(m.Language)
	if link == "" {
		link = "/m/webEmail"
	}
	return s.notifyIn(ctx, tx, &m, topic, id, note{Title: text.Title, Body: plainText(text.Body), Path: link})
}

// run delivers a message to the members of a segment. For a message to all members, it only sends push messages and e-mails. It continues
// after the last member that an earlier run processed.
func (s *Service) run(ctx context.Context, id int64, _ bool) error {
	for {
		done, err := s.step(ctx, id)
		if err != nil || done {
			s.o.Outbox.Wake()
			return err
		}
	}
}

// step processes one batch of members.
func (s *Service) step(ctx context.Context, id int64) (done bool, err error) {
	m, err := s.o.Store.Q().MessageByID(ctx, id)
	if err != nil {
		return false, fmt.Errorf("read message: %w", err)
	}
	if m.Status != Sending {
		return true, nil
	}
	t, err := textsOf(m.Texts)
	if err != nil {
		return false, err
	}
	members, err := s.nextBatch(ctx, m)
	if err != nil {
		return false, fmt.Errorf("read members: %w", err)
	}
	change := query.AdvanceMessageParams{ID: id, Served: m.LastMember, LastMember: m.LastMember, Added: int64(len(members)), Status: Sending}
	if m.Audience == ToAll {
		change.Added = 0
	}
	if len(members) < batchSize {
		change.Status, done = Sent, true
	}
	if len(members) > 0 {
		change.LastMember = members[len(members)-1]
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.AdvanceMessage(ctx, change)
		if err != nil || n == 0 { // withdrawn, or processed by another replica
			return err
		}
		for _, memberID := range members {
			if m.Audience == ToAll {
				err = s.notifyMemberIn(ctx, tx, id, memberID, topicOf(m.Promotional), t, m.Link)
			} else {
				err = s.deliverIn(ctx, tx, id, memberID, topicOf(m.Promotional), t, m.Link)
			}
			if err != nil {
				return err
			}
		}
		return s.o.Desk.ChangedOf(ctx, tx, m.MerchantID, "messages", formatID(id))
	})
	return done && err == nil, err
}

func (s *Service) nextBatch(ctx context.Context, m query.Message) ([]int64, error) {
	q := s.o.Store.Q()
	if m.Audience == ToAll {
		return q.ReachableMembers(ctx, query.ReachableMembersParams{MerchantID: m.MerchantID, After: m.LastMember, Topic: string(topicOf(m.Promotional)), Most: batchSize})
	}
	var segment Segment
	if err := json.Unmarshal([]byte(m.Filter), &segment); err != nil {
		return nil, fmt.Errorf("decode segment: %w", err)
	}
	p := segment.params(m.MerchantID, db.Millis(s.o.Now()), m.Promotional)
	return q.SegmentMembers(ctx, query.SegmentMembersParams{
		MerchantID: p.MerchantID, After: m.LastMember, Type: p.Type, Language: p.Language, Vip: p.Vip, SeenSince: p.SeenSince, SeenBefore: p.SeenBefore,
		DepositMin: p.DepositMin, DepositMax: p.DepositMax, Promotional: p.Promotional, Now: p.Now, Most: batchSize,
	})
}

// Withdraw hides a message from all its recipients.
func (s *Service) Withdraw(ctx context.Context, merchantID, id, version int64, reason string) (query.Message, error) {
	var out query.Message
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		before, err := findForMerchant(ctx, tx.Q, merchantID, id)
		if err != nil {
			return err
		}
		if before.Status == Withdrawn {
			return ErrWithdrawn
		}
		n, err := tx.Q.WithdrawMessage(ctx, id, version)
		if err != nil {
			return err
		}
		if n == 0 {
			return rest.ErrStale
		}
		if out, err = tx.Q.MessageByID(ctx, id); err != nil {
			return err
		}
		err = s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Merchant: formatID(merchantID), Event: Event, Data: json.RawMessage(`{"all":true}`)})
		if err == nil {
			err = s.o.Desk.ChangedOf(ctx, tx, merchantID, "messages", formatID(id))
		}
		if err != nil {
			return err
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.MessageSend), Action: "message.withdraw", Object: "messages/" + formatID(id),
			Before: map[string]string{"status": before.Status}, After: map[string]string{"status": Withdrawn, "reason": reason},
		})
	})
	if err != nil {
		return out, fmt.Errorf("withdraw message: %w", err)
	}
	s.o.Outbox.Wake()
	return out, nil
}

func findForMerchant(ctx context.Context, q *query.Queries, merchantID, id int64) (query.Message, error) {
	m, err := q.MessageByID(ctx, id)
	found, err := db.Found("read message", err)
	if err == nil && (!found || m.MerchantID != merchantID) {
		err = ErrNotFound
	}
	return m, err
}
