package message

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
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
	Scheduled = "scheduled" // its start is in the future
	Sending   = "sending"
	Sent      = "sent"
	Ended     = "ended" // its end has passed
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

// A memberFilter is the stored filter of a message to one member.
type memberFilter struct {
	ID     string `json:"id"`
	Member string `json:"member"` // username
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
	StartsAt    int64 // Unix ms; 0: at once
	EndsAt      int64 // Unix ms; 0: no end
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
	if err := d.checkTimes(db.Millis(s.o.Now())); err != nil {
		return d, err
	}
	return d, d.Segment.check()
}

func hasVisibleText(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
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
	if d.Promotional && d.StartsAt == 0 { // else the job checks it at the start
		allowed, err := s.mayPromote(ctx, q, m.ID, Inbox)
		if err == nil && !allowed {
			err = ErrConsent
		}
		return m, err
	}
	return m, nil
}

// CreateIn sends a message. A message to one member or to all members appears in inboxes immediately. A job delivers a message to a segment.
// A message with a start is only stored: FollowSchedule starts it.
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
		Status: Sending, CreatedBy: audit.Actor(ctx), CreatedAt: db.Millis(s.o.Now()), StartsAt: d.StartsAt, EndsAt: d.EndsAt,
	}
	var recipient query.Member
	filter := any(d.Segment)
	if d.Audience == ToMember {
		if recipient, err = s.recipient(ctx, tx.Q, d); err != nil {
			return query.Message{}, err
		}
		filter, row.Status, row.Reached = memberFilter{formatID(recipient.ID), recipient.Account}, Sent, 1
	}
	if d.StartsAt != 0 {
		row.Status, row.Reached = Scheduled, 0
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
	switch row.Status {
	case Sent:
		err = s.deliverIn(ctx, tx, row.ID, recipient.ID, topicOf(d.Promotional), texts(d.Texts), d.Link)
	case Sending:
		err = s.queueIn(ctx, tx, row.ID, d.MerchantID, d.Audience)
	}
	if err == nil {
		err = s.o.Screens.ChangedOf(ctx, tx, d.MerchantID, "messages", formatID(row.ID))
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

// run delivers a message to the members of a segment, or to one member if the message had a start. For a message to all members, it only
// sends push messages and e-mails. It continues after the last member that an earlier run processed.
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
	members, err := s.nextBatch(ctx, m)
	if err != nil {
		return false, fmt.Errorf("read members: %w", err)
	}
	return len(members) < batchSize, s.deliverBatch(ctx, m, members)
}

// deliverBatch delivers a message to one batch of members and stores the progress of the job.
func (s *Service) deliverBatch(ctx context.Context, m query.Message, members []int64) error {
	t, err := textsOf(m.Texts)
	if err != nil {
		return err
	}
	change := query.AdvanceMessageParams{ID: m.ID, Served: m.LastMember, LastMember: m.LastMember, Status: Sending}
	if len(members) < batchSize {
		change.Status = Sent
	}
	if len(members) > 0 {
		change.LastMember = members[len(members)-1]
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		recipients, deliver := members, s.notifyMemberIn
		if m.Audience != ToAll {
			var err error
			if recipients, err = s.recipientsIn(ctx, tx, m, members); err != nil {
				return err
			}
			deliver, change.Added = s.deliverIn, int64(len(recipients))
		}
		n, err := tx.Q.AdvanceMessage(ctx, change)
		if err != nil || n == 0 { // withdrawn, or processed by another replica
			return err
		}
		for _, memberID := range recipients {
			if err := deliver(ctx, tx, m.ID, memberID, topicOf(m.Promotional), t, m.Link); err != nil {
				return err
			}
		}
		return s.o.Screens.ChangedOf(ctx, tx, m.MerchantID, "messages", formatID(m.ID))
	})
}

// recipientsIn returns the members of a batch whom the message may reach. A member can begin a break or withdraw the consent to promotions
// after the batch was read.
func (s *Service) recipientsIn(ctx context.Context, tx *db.Tx, m query.Message, members []int64) ([]int64, error) {
	if !m.Promotional {
		return members, nil
	}
	var allowed []int64
	for _, id := range members {
		ok, err := s.mayPromote(ctx, tx.Q, id, Inbox)
		if err != nil {
			return nil, err
		}
		if ok {
			allowed = append(allowed, id)
		}
	}
	return allowed, nil
}

func (s *Service) nextBatch(ctx context.Context, m query.Message) ([]int64, error) {
	q := s.o.Store.Q()
	switch m.Audience {
	case ToMember:
		var to memberFilter
		if err := json.Unmarshal([]byte(m.Filter), &to); err != nil {
			return nil, fmt.Errorf("decode recipient: %w", err)
		}
		id, err := strconv.ParseInt(to.ID, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("decode recipient: %w", err)
		}
		return []int64{id}, nil
	case ToAll:
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
