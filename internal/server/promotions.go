package server

import (
	"context"
	"slices"
	"strings"

	"fairground/internal/finance/promo"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/spec"
	"fairground/internal/site/message"
)

// promotions connects promotions to the other services.
type promotions struct{ s *Server }

// Same implements promo.Persons. It returns members with the same phone number, e-mail address, device, card or document.
// The same network is not enough.
func (p promotions) Same(ctx context.Context, merchantID, memberID int64) (ids []int64, err error) {
	shared, err := p.s.MemberDesk.SharedWith(ctx, merchantID, memberID)
	if err != nil {
		return nil, err
	}
	for _, a := range shared {
		if a.Kind != "network" {
			ids = append(ids, a.ID)
		}
	}
	documents, err := p.s.Identity.SamePerson(ctx, memberID)
	if err != nil {
		return nil, err
	}
	for _, a := range documents {
		ids = append(ids, a.MemberID)
	}
	cards, err := p.s.Store.Q().MembersWithSameCard(ctx, memberID)
	if err != nil {
		return nil, err
	}
	mailboxes, err := p.sameMailbox(ctx, merchantID, memberID)
	ids = slices.Concat(ids, cards, mailboxes)
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// sameMailbox returns members whose e-mail addresses differ only in a tag, such as name+tag@example.com.
func (p promotions) sameMailbox(ctx context.Context, merchantID, memberID int64) ([]int64, error) {
	member, err := p.s.Store.Q().MemberByID(ctx, memberID)
	if err != nil {
		return nil, err
	}
	name, host, ok := strings.Cut(strings.ToLower(member.Email.String), "@")
	if !ok {
		return nil, nil
	}
	name, _, _ = strings.Cut(name, "+")
	if strings.ContainsAny(name+host, `%_\`) { // these characters are special in a LIKE pattern
		return nil, nil
	}
	return p.s.Store.Q().MembersWithMailbox(ctx, query.MembersWithMailboxParams{
		MerchantID: merchantID, MemberID: memberID, Address: name + "@" + host, Tagged: name + "+%@" + host,
	})
}

// BirthDate implements promo.Births. Only verified members have a birth date.
func (p promotions) BirthDate(ctx context.Context, memberID int64) (string, error) {
	status, err := p.s.Identity.Find(ctx, memberID)
	if err != nil || status.State != "VERIFIED" {
		return "", err
	}
	return status.BirthDate, nil
}

var rewardKinds = map[promo.Notice]message.Kind{
	promo.Granted: message.RewardGranted, promo.Expiring: message.RewardExpiring, promo.Paid: message.RewardPaid, promo.Ended: message.RewardEnded,
}

// TellIn implements promo.Notices.
func (p promotions) TellIn(ctx context.Context, tx *db.Tx, memberID int64, notice promo.Notice, titles map[string]string, amount string) error {
	number, currency, _ := strings.Cut(amount, " ")
	args := map[string]string{"amount": number, "currency": currency}
	for language, title := range titles {
		args["title."+language] = title
	}
	return p.s.Inbox.SystemIn(ctx, tx, memberID, string(rewardKinds[notice]), args)
}

// loyalMembers connects the loyalty rules to members.
type loyalMembers struct{ s *Server }

// LabelIn implements loyalty.Members.
func (m loyalMembers) LabelIn(ctx context.Context, tx *db.Tx, memberID int64, label string) error {
	return tx.Q.SetVIPLabel(ctx, memberID, label)
}

// InvitationCode implements loyalty.Members.
func (m loyalMembers) InvitationCode(ctx context.Context, memberID int64) (string, error) {
	return m.s.Members.InvitationCode(ctx, memberID)
}

type loyaltySwitches struct{ s *Server }

// CashBack implements loyalty.Switches.
func (w loyaltySwitches) CashBack(ctx context.Context, merchantID int64) (bool, error) {
	return w.s.Merchants.FlagEnabled(ctx, merchantID, spec.FlagCashBack)
}

// Referral implements loyalty.Switches.
func (w loyaltySwitches) Referral(ctx context.Context, merchantID int64) (bool, error) {
	return w.s.Merchants.PromotionEnabled(ctx, merchantID, spec.PromotionReferral)
}

// merchantCurrency returns a function that returns a merchant's currency. s is nil if only the OpenAPI document is
// generated.
func merchantCurrency(s *Server) func(context.Context, int64) (money.Currency, error) {
	return func(ctx context.Context, id int64) (money.Currency, error) { return s.Merchants.Currency(ctx, id) }
}
