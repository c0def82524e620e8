package desk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/page"
)

// maxMatches limits the number of members that a text can match. Matches are sorted by the matching column, so an exact match is always
// included.
const maxMatches = 1000

// A Search selects members. Empty fields match all.
type Search struct {
	MerchantID int64
	Text       string // prefix of the username, of a word in the name, of the number or of the e-mail address; or an id
	Contacts   bool   // whether numbers and addresses match by prefix; otherwise they match only in full
	State      string // active, disabled, held
	Tag        string
	From, To   int64 // time of registration
}

// A Row is a member in a list.
type Row struct {
	ID                                           int64
	Account, Nickname, PayeeName, Mobile, Email  string
	Type                                         int64
	Status, Currency, VIPLabel, HoldReason, Tags string
	Held                                         bool
	CreatedAt, Version                           int64
}

const listColumns = `m.id, m.account, m.nickname, m.payee_name, COALESCE(m.mobile, ''), COALESCE(m.email, ''), m.type, m.status, m.currency, m.vip_label, m.created_at, m.version,
  EXISTS (SELECT 1 FROM member_hold h WHERE h.member_id = m.id AND h.released_at = 0)`

// A statement is a query under construction, with its arguments.
type statement struct {
	engine db.Engine
	text   strings.Builder
	args   []any
}

func (q *statement) arg(v any) string {
	q.args = append(q.args, v)
	return "$" + strconv.Itoa(len(q.args))
}

// binary makes PostgreSQL compare bytes, as SQLite does, so that an index can serve a prefix search.
func (q *statement) binary(column string) string {
	if q.engine == db.Postgres {
		return column + ` COLLATE "C"`
	}
	return column
}

// startsWith returns a condition for a prefix that can use an index on the column.
func (q *statement) startsWith(column, text string) string {
	return q.binary(column) + " >= " + q.arg(text) + " AND " + q.binary(column) + " < " + q.arg(text+"\U0010FFFF")
}

// newSearch returns the statement that selects a page. It is separate from Members, so that a test can check the query plan.
func newSearch(engine db.Engine, in Search, after page.Key, limit int) *statement {
	q := &statement{engine: engine}
	merchant := q.arg(in.MerchantID)
	q.text.WriteString("SELECT " + listColumns + " FROM ")
	switch {
	case in.Text != "":
		q.text.WriteString("member m WHERE m.id IN (" + q.matches(merchant, in) + ") AND m.merchant_id = " + merchant)
		if in.Tag != "" {
			q.text.WriteString(" AND EXISTS (SELECT 1 FROM member_tag g WHERE g.member_id = m.id AND g.tag = " + q.arg(in.Tag) + ")")
		}
		q.addFilters("m.created_at", "m.id", in, after)
	case in.Tag != "":
		q.text.WriteString("member_tag g JOIN member m ON m.id = g.member_id WHERE g.merchant_id = " + merchant + " AND g.tag = " + q.arg(in.Tag))
		q.addFilters("g.member_since", "g.member_id", in, after)
	case in.State == "held": // there are few held accounts
		q.text.WriteString("member_hold o JOIN member m ON m.id = o.member_id WHERE o.released_at = 0 AND m.merchant_id = " + merchant)
		q.addFilters("m.created_at", "m.id", in, after)
	default:
		q.text.WriteString("member m WHERE m.merchant_id = " + merchant)
		q.addFilters("m.created_at", "m.id", in, after)
	}
	q.text.WriteString(" LIMIT " + q.arg(limit))
	return q
}

// addFilters adds the filters, the cursor position and the order.
func (q *statement) addFilters(at, id string, in Search, after page.Key) {
	switch in.State {
	case "held":
		q.text.WriteString(" AND m.status = 'active' AND EXISTS (SELECT 1 FROM member_hold x WHERE x.member_id = m.id AND x.released_at = 0)")
	case "":
	default:
		q.text.WriteString(" AND m.status = " + q.arg(in.State))
	}
	if in.From > 0 {
		q.text.WriteString(" AND " + at + " >= " + q.arg(in.From))
	}
	if in.To > 0 {
		q.text.WriteString(" AND " + at + " < " + q.arg(in.To))
	}
	key := q.arg(after.At)
	q.text.WriteString(" AND " + at + " <= " + key + " AND (" + at + " < " + key + " OR " + id + " < " + q.arg(after.ID) + ") ORDER BY " + at + " DESC, " + id + " DESC")
}

// matches returns a query for the ids of the members that match the text.
func (q *statement) matches(merchant string, in Search) string {
	text := strings.ToLower(strings.TrimSpace(in.Text))
	limit := q.arg(maxMatches)
	limited := func(column, id, from, condition string) string {
		return "SELECT x.id FROM (SELECT " + id + " AS id FROM " + from + " WHERE " + condition + " ORDER BY " + column + " LIMIT " + limit + ") x"
	}
	terms := func(kind, condition string) string {
		return limited("t.term", "t.member_id", "member_term t", "t.merchant_id = "+merchant+" AND t.kind = "+q.arg(kind)+" AND "+condition)
	}
	parts := []string{
		limited(q.binary("a.account"), "a.id", "member a", "a.merchant_id = "+merchant+" AND "+q.startsWith("a.account", text)),
	}
	if name := fold(in.Text); name != "" {
		term := q.arg(name)
		parts = append(parts, terms(nameTerm, "t.term >= "+term+" AND t.term < "+q.arg(name+"\U0010FFFF")))
	}
	if in.Contacts {
		parts = append(parts, limited(q.binary("lower(e.email)"), "e.id", "member e", "e.merchant_id = "+merchant+" AND "+q.startsWith("lower(e.email)", text)))
	} else {
		parts = append(parts, "SELECT e.id FROM member e WHERE e.merchant_id = "+merchant+" AND lower(e.email) = "+q.arg(text))
	}
	digits := strings.TrimLeft(strings.Map(onlyDigits, in.Text), "0")
	if len(digits) >= 4 && isNumber(in.Text) {
		condition := "t.term = " + q.arg(digits)
		if in.Contacts { // ':' is the character after '9', so this is a prefix search
			condition = strings.Replace(condition, "=", ">=", 1) + " AND t.term < " + q.arg(digits+":")
		}
		parts = append(parts, terms(mobileTerm, condition))
	}
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		parts = append(parts, "SELECT i.id FROM member i WHERE i.id = "+q.arg(id))
	}
	return strings.Join(parts, " UNION ")
}

func onlyDigits(r rune) rune {
	if r >= '0' && r <= '9' {
		return r
	}
	return -1
}

// isNumber reports whether a text can be a telephone number or a prefix of one.
func isNumber(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return onlyDigits(r) < 0 && !strings.ContainsRune("+-. ()", r) })
}

// Members returns a page of members, newest first.
func (s *Service) Members(ctx context.Context, in Search, after page.Key, limit int) (list []Row, err error) {
	q := newSearch(s.o.Store.Engine, in, after, limit)
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, q.text.String(), q.args...)
	if err != nil {
		return nil, fmt.Errorf("search members: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Row
		if err := rows.Scan(&r.ID, &r.Account, &r.Nickname, &r.PayeeName, &r.Mobile, &r.Email, &r.Type, &r.Status, &r.Currency, &r.VIPLabel, &r.CreatedAt, &r.Version, &r.Held); err != nil {
			return nil, fmt.Errorf("search members: %w", err)
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// A Shared is another account with the same device, network, number or bank card.
type Shared struct {
	Kind, Value string
	ID          int64
	Account     string
	Status      string
}

// SharedWith returns other accounts of the merchant that share a device, an address, a number or a bank card with a member.
func (s *Service) SharedWith(ctx context.Context, merchantID, id int64) (list []Shared, err error) {
	q := s.o.Store.Q()
	devices, err := q.DevicesOfMember(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read devices: %w", err)
	}
	for _, device := range devices {
		rows, err := q.MembersOnDevice(ctx, merchantID, id, device)
		if err != nil {
			return nil, fmt.Errorf("find accounts of a device: %w", err)
		}
		for _, r := range rows {
			list = append(list, Shared{"device", device, r.ID, r.Account, r.Status})
		}
	}
	addresses, err := q.AddressesOfMember(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read addresses: %w", err)
	}
	for _, address := range addresses {
		rows, err := q.MembersAtAddress(ctx, merchantID, id, address)
		if err != nil {
			return nil, fmt.Errorf("find accounts of a network: %w", err)
		}
		for _, r := range rows {
			list = append(list, Shared{"network", address, r.ID, r.Account, r.Status})
		}
	}
	numbers, err := s.numbers(ctx, merchantID, id)
	if err != nil {
		return nil, err
	}
	for _, number := range numbers {
		rows, err := q.MembersWithNumber(ctx, merchantID, id, number)
		if err != nil {
			return nil, fmt.Errorf("find accounts of a number: %w", err)
		}
		for _, r := range rows {
			list = append(list, Shared{"number", number, r.ID, r.Account, r.Status})
		}
	}
	cards, err := q.MembersWithCard(ctx, merchantID, id)
	if err != nil {
		return nil, fmt.Errorf("find accounts of a card: %w", err)
	}
	for _, r := range cards {
		list = append(list, Shared{"card", r.Bank + " ***" + r.LastFour, r.ID, r.Account, r.Status})
	}
	return list, nil
}

// numbers returns a member's verified and unverified numbers.
func (s *Service) numbers(ctx context.Context, merchantID, id int64) (numbers []string, err error) {
	row, err := s.Find(ctx, merchantID, id)
	if err != nil {
		return nil, err
	}
	if row.Mobile.String != "" {
		numbers = append(numbers, row.Mobile.String)
	}
	details, err := s.o.Store.Q().MemberDetails(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read details: %w", err)
	}
	for _, d := range details {
		if d.Name == "mobileNum" && d.Value != "" && d.Value != row.Mobile.String {
			numbers = append(numbers, d.Value)
		}
	}
	return numbers, nil
}
