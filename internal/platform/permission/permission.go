// Package permission lists the operators' permissions and the built-in roles.
package permission

import "slices"

// A Name is the name of a permission, which allows an operator to make a group of calls.
type Name string

// Permissions.
const (
	MemberRead        Name = "member.read"
	MemberEdit        Name = "member.edit"
	ReportRead        Name = "report.read"
	DepositConfirm    Name = "deposit.confirm"
	WithdrawalReview  Name = "withdrawal.review"
	WithdrawalApprove Name = "withdrawal.approve"
	LedgerAdjust      Name = "ledger.adjust"
	KYCReview         Name = "kyc.review"
	PromotionEdit     Name = "promotion.edit"
	ContentEdit       Name = "content.edit"
	MessageSend       Name = "message.send"
	ChatAnswer        Name = "chat.answer"
	CatalogueEdit     Name = "catalogue.edit"
	VendorEdit        Name = "vendor.edit"
	HouseRepair       Name = "house.repair"
	LotteryResult     Name = "lottery.result"
	SettingEdit       Name = "setting.edit"
	OperatorEdit      Name = "operator.edit"
	AuditRead         Name = "audit.read"

	// OwnSession is for calls that every operator may make: those of their own session, and those that approve a change.
	// For the latter, the approval itself names the required permission. No role lists OwnSession.
	OwnSession Name = "session"
)

// All lists the permissions that roles can have.
var All = []Name{
	MemberRead, MemberEdit, ReportRead, DepositConfirm, WithdrawalReview, WithdrawalApprove, LedgerAdjust, KYCReview, PromotionEdit,
	ContentEdit, MessageSend, ChatAnswer, CatalogueEdit, VendorEdit, HouseRepair, LotteryResult, SettingEdit, OperatorEdit, AuditRead,
}

// Owner is the role with all permissions, including those that are added later.
const Owner = "owner"

// Roles lists the built-in roles with their permissions.
var Roles = map[string][]Name{
	Owner:     All,
	"finance": {MemberRead, ReportRead, DepositConfirm, WithdrawalReview, WithdrawalApprove, LedgerAdjust, PromotionEdit},
	"risk":    {MemberRead, ReportRead, MemberEdit, KYCReview},
	"support": {MemberRead, ReportRead, MemberEdit, ContentEdit, MessageSend, ChatAnswer},
	"content": {PromotionEdit, ContentEdit, MessageSend},
	"games":   {CatalogueEdit, VendorEdit, HouseRepair, LotteryResult},
	"auditor": {MemberRead, ReportRead, AuditRead},
}

// Valid reports whether roles can have a permission.
func Valid(p Name) bool { return slices.Contains(All, p) }
