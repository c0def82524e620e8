package desk

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

const tag = "members"

type membersInput struct {
	oplist.Params
	Tag string `query:"tag" maxLength:"32" doc:"Only members with this tag."`
}

// A MemberRow is a member in a list.
type MemberRow struct {
	ID        string `json:"id"`
	Username  string `json:"username"`
	Nickname  string `json:"nickname"`
	RealName  string `json:"realName"`
	Mobile    string `json:"mobile" doc:"Masked without the permission member.edit."`
	Email     string `json:"email" doc:"Masked without the permission member.edit."`
	Type      int64  `json:"type" doc:"0 player, 1 agent, 2 head agent, 4 trial, 40 test, 41 service, 42 bot."`
	Status    string `json:"status" enum:"active,disabled,held"`
	Currency  string `json:"currency"`
	CreatedAt int64  `json:"createdAt"`
	Version   int64  `json:"version"`
}

func rowOf(r Row, showContacts bool) MemberRow {
	return MemberRow{
		ID: strconv.FormatInt(r.ID, 10), Username: r.Account, Nickname: r.Nickname, RealName: r.PayeeName, Mobile: maskNumber(r.Mobile, showContacts), Email: maskEmail(r.Email, showContacts),
		Type: r.Type, Status: statusOf(r.Status, r.Held), Currency: r.Currency, CreatedAt: r.CreatedAt, Version: r.Version,
	}
}

func statusOf(status string, held bool) string {
	if held && status == rest.MemberActive {
		return "held"
	}
	return status
}

// maskNumber keeps the last three digits of a number.
func maskNumber(number string, showContacts bool) string {
	if showContacts || number == "" {
		return number
	}
	return "***" + number[max(0, len(number)-3):]
}

// maskEmail keeps the first letter and the domain of an address.
func maskEmail(email string, showContacts bool) string {
	name, domain, found := strings.Cut(email, "@")
	if showContacts || email == "" {
		return email
	}
	if !found {
		return "***"
	}
	return string([]rune(name)[:min(1, len([]rune(name)))]) + "***@" + domain
}

func canSeeContacts(ctx context.Context) bool {
	o, _ := rest.OperatorOf(ctx)
	return o.Can(permission.MemberEdit)
}

// Routes registers the operator endpoints about members.
func Routes(a *rest.API, s *Service, faults ...*fault.Fault) {
	oplist.Register(a, alreadyChecked, oplist.List[membersInput, MemberRow]{
		Op: rest.Op{
			Path: "/ops/v1/members", ID: "opsMembers", Tag: tag, Access: rest.Operators, Permission: permission.MemberRead, Summary: "Members",
			Description: "q finds the beginning of a username, of a word of a name, of a number or of an e-mail address, and ids; at most 1,000 members in the order of the text. Without member.edit numbers and addresses must be complete.",
		},
		Permission: string(permission.MemberRead), Sorts: []string{"createdAt"}, States: []string{"active", "disabled", "held"}, File: "members.csv",
		Columns: memberColumns(),
		Select: func(ctx context.Context, in *membersInput, after page.Key, limit int) ([]MemberRow, error) {
			showContacts := canSeeContacts(ctx)
			rows, err := s.Members(ctx, Search{
				MerchantID: rest.MerchantOf(ctx).ID, Text: in.Q, Contacts: showContacts, State: in.State, Tag: in.Tag, From: in.From, To: in.To,
			}, after, limit)
			list := make([]MemberRow, len(rows))
			for i, r := range rows {
				list[i] = rowOf(r, showContacts)
			}
			return list, err
		},
		Key: func(r MemberRow, _ string) page.Key {
			id, _ := strconv.ParseInt(r.ID, 10, 64) // written by rowOf
			return page.Key{At: r.CreatedAt, ID: id}
		},
	})
	detailRoutes(a, s)
	actionRoutes(a, s, faults)
}

func alreadyChecked(context.Context, string) error { return nil } // the endpoint's permission was checked before

func memberColumns() []oplist.Column[MemberRow] {
	return []oplist.Column[MemberRow]{
		{Name: "id", Text: func(r MemberRow) string { return r.ID }},
		{Name: "username", Text: func(r MemberRow) string { return r.Username }},
		{Name: "nickname", Text: func(r MemberRow) string { return r.Nickname }},
		{Name: "realName", Text: func(r MemberRow) string { return r.RealName }},
		{Name: "mobile", Text: func(r MemberRow) string { return r.Mobile }},
		{Name: "email", Text: func(r MemberRow) string { return r.Email }},
		{Name: "type", Text: func(r MemberRow) string { return strconv.FormatInt(r.Type, 10) }},
		{Name: "status", Text: func(r MemberRow) string { return r.Status }},
		{Name: "currency", Text: func(r MemberRow) string { return r.Currency }},
		{Name: "createdAt", Text: func(r MemberRow) string { return time.UnixMilli(r.CreatedAt).UTC().Format(time.RFC3339) }},
	}
}

type memberDetail struct {
	MemberRow

	Language       string   `json:"language"`
	VIPLabel       string   `json:"vipLabel"`
	Tags           []string `json:"tags"`
	HoldReason     string   `json:"holdReason,omitempty" doc:"contact or person: why a new account waits for a review."`
	MustChange     bool     `json:"mustChangePassword"`
	AgeConfirmedAt int64    `json:"ageConfirmedAt,omitempty"`
	AffiliateID    string   `json:"affiliateId,omitempty" doc:"Member whose code was used."`
}

type idInput struct {
	ID int64 `path:"id"`
}

type memberSession struct {
	ID        string `json:"id"`
	Device    string `json:"device"`
	Address   string `json:"address"`
	CreatedAt int64  `json:"createdAt"`
	SeenAt    int64  `json:"seenAt"`
	EndedAt   int64  `json:"endedAt,omitempty"`
	EndedWhy  string `json:"endedWhy,omitempty"`
	Status    string `json:"status" enum:"open,ended"`
}

type memberNote struct {
	ID        string `json:"id"`
	Kind      string `json:"kind" enum:"note,contact"`
	Operator  string `json:"operator"`
	Text      string `json:"text"`
	CreatedAt int64  `json:"createdAt"`
}

type sharedAccount struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	Status   string `json:"status"`
	Kind     string `json:"kind" enum:"device,network,number,card"`
	Value    string `json:"value" doc:"What both accounts share. Numbers are masked without member.edit."`
}

type memberRecords[T any] struct {
	List []T    `json:"list"`
	Next string `json:"next" doc:"Cursor of the next page. Empty on the last one."`
}

const (
	maxSessions = 100
	notesPage   = 50
)

func detailRoutes(a *rest.API, s *Service) {
	read := rest.Op{Method: http.MethodGet, Tag: tag, Access: rest.Operators, Permission: permission.MemberRead, Faults: []*fault.Fault{member.ErrUnknown}}
	one := read
	one.Path, one.ID, one.Summary = "/ops/v1/members/{id}", "opsMember", "A member"
	rest.Typed(a, one, func(ctx context.Context, in *idInput) (memberDetail, error) {
		return s.detail(ctx, rest.MerchantOf(ctx).ID, in.ID, canSeeContacts(ctx))
	})
	sessions := read
	sessions.Path, sessions.ID, sessions.Summary = "/ops/v1/members/{id}/sessions", "opsMemberSessions", "The newest sessions of a member"
	rest.Typed(a, sessions, func(ctx context.Context, in *idInput) (memberRecords[memberSession], error) {
		return s.sessions(ctx, rest.MerchantOf(ctx).ID, in.ID)
	})
	shared := read
	shared.Path, shared.ID, shared.Summary = "/ops/v1/members/{id}/shared", "opsMemberShared", "Accounts that share a device, a network, a number or a bank card with a member"
	rest.Typed(a, shared, func(ctx context.Context, in *idInput) (memberRecords[sharedAccount], error) {
		all, err := s.SharedWith(ctx, rest.MerchantOf(ctx).ID, in.ID)
		out := memberRecords[sharedAccount]{List: make([]sharedAccount, len(all))}
		for i, r := range all {
			if r.Kind == "number" {
				r.Value = maskNumber(r.Value, canSeeContacts(ctx))
			}
			out.List[i] = sharedAccount{strconv.FormatInt(r.ID, 10), r.Account, r.Status, r.Kind, r.Value}
		}
		return out, err
	})
	notes := read
	notes.Path, notes.ID, notes.Summary = "/ops/v1/members/{id}/notes", "opsMemberNotes", "Notes about a member, newest first"
	type notesInput struct {
		ID     int64 `path:"id"`
		Cursor int64 `query:"cursor" minimum:"0" doc:"The field next of the previous page."`
	}
	rest.Typed(a, notes, func(ctx context.Context, in *notesInput) (memberRecords[memberNote], error) {
		return s.notes(ctx, rest.MerchantOf(ctx).ID, in.ID, in.Cursor)
	})
}

func (s *Service) detail(ctx context.Context, merchantID, id int64, showContacts bool) (memberDetail, error) {
	row, err := s.Find(ctx, merchantID, id)
	if err != nil {
		return memberDetail{}, err
	}
	q := s.o.Store.Q()
	held, reason, err := holdOf(ctx, q, id)
	if err != nil {
		return memberDetail{}, err
	}
	tags, err := q.MemberTags(ctx, id)
	if err != nil {
		return memberDetail{}, err
	}
	out := memberDetail{
		MemberRow: rowOf(Row{
			ID: row.ID, Account: row.Account, Nickname: row.Nickname, PayeeName: row.PayeeName, Mobile: row.Mobile.String, Email: row.Email.String,
			Type: row.Type, Status: row.Status, Currency: row.Currency, CreatedAt: row.CreatedAt, Version: row.Version, Held: held,
		}, showContacts),
		Language: row.Language, VIPLabel: row.VipLabel, Tags: tags, MustChange: row.FirstTimeLogin, AgeConfirmedAt: row.AgeConfirmedAt.Int64,
	}
	if held {
		out.HoldReason = reason
	}
	if row.ParentID.Valid {
		out.AffiliateID = strconv.FormatInt(row.ParentID.Int64, 10)
	}
	return out, nil
}

func (s *Service) sessions(ctx context.Context, merchantID, id int64) (memberRecords[memberSession], error) {
	out := memberRecords[memberSession]{List: []memberSession{}}
	if _, err := s.Find(ctx, merchantID, id); err != nil {
		return out, err
	}
	rows, err := s.o.Store.Q().SessionsOfMember(ctx, id, maxSessions)
	now := s.o.Now().UnixMilli()
	for _, r := range rows {
		row := memberSession{
			ID: strconv.FormatInt(r.ID, 10), Device: r.Device, Address: r.Address, CreatedAt: r.CreatedAt, SeenAt: r.SeenAt,
			EndedAt: r.EndedAt.Int64, EndedWhy: r.EndedWhy.String, Status: "open",
		}
		if r.EndedAt.Valid || r.ExpiresAt <= now {
			row.Status = "ended"
		}
		out.List = append(out.List, row)
	}
	return out, err
}

func (s *Service) notes(ctx context.Context, merchantID, id, before int64) (memberRecords[memberNote], error) {
	out := memberRecords[memberNote]{List: []memberNote{}}
	if _, err := s.Find(ctx, merchantID, id); err != nil {
		return out, err
	}
	if before == 0 {
		before = math.MaxInt64
	}
	rows, err := s.o.Store.Q().MemberNotes(ctx, id, before, notesPage+1)
	if len(rows) > notesPage {
		rows = rows[:notesPage]
		out.Next = strconv.FormatInt(rows[notesPage-1].ID, 10)
	}
	for _, r := range rows {
		out.List = append(out.List, memberNote{strconv.FormatInt(r.ID, 10), r.Kind, r.Operator, r.Body, r.CreatedAt})
	}
	return out, err
}

type memberActionReply struct {
	Password string `json:"password,omitempty" doc:"Of reset-password: shown once. The member must change it at the next login."`
}

type memberActionBody struct {
	Version int64  `json:"version" minimum:"1"`
	Reason  string `json:"reason,omitempty" maxLength:"500"`
	Tag     string `json:"tag,omitempty" maxLength:"32" doc:"Of tag and untag."`
}

type memberNoteBody struct {
	Text string `json:"text" minLength:"1" maxLength:"2000"`
}

type memberBulkBody struct {
	IDs    []string `json:"ids" minItems:"1" maxItems:"500"`
	Reason string   `json:"reason,omitempty" maxLength:"500"`
	Tag    string   `json:"tag,omitempty" maxLength:"32" doc:"Of tag and untag."`
}

type memberBulkReply struct {
	Changed int `json:"changed"`
}

func actionRoutes(a *rest.API, s *Service, faults []*fault.Fault) {
	edit := rest.Op{Method: http.MethodPost, Tag: tag, Access: rest.Operators, Permission: permission.MemberEdit}
	act := edit
	act.Path, act.ID, act.Summary = "/ops/v1/members/{id}/{action}", "opsChangeMember", "Change a member's account"
	act.Description = "approve and refuse decide on a held account; refuse disables it. The resets of passwords need a confirmed code."
	act.Faults = append([]*fault.Fault{member.ErrUnknown, rest.ErrStale, rest.ErrConfirm, ErrTag}, faults...)
	type actInput struct {
		ID     int64  `path:"id"`
		Action Action `path:"action" enum:"disable,enable,logout,reset-password,reset-payment-password,approve,refuse,tag,untag"`
		Body   memberActionBody
	}
	rest.Typed(a, act, func(ctx context.Context, in *actInput) (memberActionReply, error) {
		operator, _ := rest.OperatorOf(ctx)
		if (in.Action == Reset || in.Action == ResetPayment) && !operator.Confirmed {
			return memberActionReply{}, rest.ErrConfirm
		}
		password, err := s.Do(ctx, rest.MerchantOf(ctx).ID, in.ID, Change{in.Action, in.Body.Version, in.Body.Tag, in.Body.Reason})
		return memberActionReply{password}, err
	})
	note := edit
	note.Path, note.ID, note.Summary, note.Faults = "/ops/v1/members/{id}/notes", "opsAddMemberNote", "Write a note about a member", []*fault.Fault{member.ErrUnknown, idempotency.ErrConflict}
	type noteInput struct {
		idempotency.Header

		ID   int64 `path:"id"`
		Body memberNoteBody
	}
	rest.Typed(a, note, func(ctx context.Context, in *noteInput) (struct{}, error) {
		operator, _ := rest.OperatorOf(ctx)
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: note.ID, Key: in.IdempotencyKey, Content: []any{in.ID, in.Body}}
		return struct{}{}, s.AddNote(ctx, request, rest.MerchantOf(ctx).ID, in.ID, in.Body.Text)
	})
	bulk := edit
	bulk.Path, bulk.ID, bulk.Summary = "/ops/v1/members/{action}", "opsChangeMembers", "Change several accounts: all or none"
	bulk.Faults = []*fault.Fault{member.ErrUnknown, ErrTag, rest.ErrParam}
	type bulkInput struct {
		Action Action `path:"action" enum:"disable,logout,tag,untag"`
		Body   memberBulkBody
	}
	rest.Typed(a, bulk, func(ctx context.Context, in *bulkInput) (memberBulkReply, error) {
		ids := make([]int64, len(in.Body.IDs))
		for i, text := range in.Body.IDs {
			id, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return memberBulkReply{}, rest.ErrParam.On("ids")
			}
			ids[i] = id
		}
		err := s.DoAll(ctx, rest.MerchantOf(ctx).ID, ids, Change{Action: in.Action, Tag: in.Body.Tag, Reason: in.Body.Reason})
		return memberBulkReply{len(ids)}, err
	})
}
