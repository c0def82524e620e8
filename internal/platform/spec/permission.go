package spec

import "slices"

// A Permission allows an operator a group of calls.
type Permission string

// Permissions.
const (
	MemberRead        Permission = "member.read"
	MemberEdit        Permission = "member.edit"
	ReportRead        Permission = "report.read"
	DepositConfirm    Permission = "deposit.confirm"
	WithdrawalReview  Permission = "withdrawal.review"
	WithdrawalApprove Permission = "withdrawal.approve"
	LedgerAdjust      Permission = "ledger.adjust"
	KYCReview         Permission = "kyc.review"
	PromotionEdit     Permission = "promotion.edit"
	ContentEdit       Permission = "content.edit"
	MessageSend       Permission = "message.send"
	ChatAnswer        Permission = "chat.answer"
	CatalogueEdit     Permission = "catalogue.edit"
	VendorEdit        Permission = "vendor.edit"
	HouseRepair       Permission = "house.repair"
	LotteryResult     Permission = "lottery.result"
	SettingEdit       Permission = "setting.edit"
	OperatorEdit      Permission = "operator.edit"
	AuditRead         Permission = "audit.read"

	// OwnSession allows what every operator may do: their own session, and deciding on approvals, where the approval names
	// the permission that counts. No role lists it.
	OwnSession Permission = "session"
)

// Permissions lists all permissions that roles can have.
var Permissions = []Permission{
	MemberRead, MemberEdit, ReportRead, DepositConfirm, WithdrawalReview, WithdrawalApprove, LedgerAdjust, KYCReview, PromotionEdit,
	ContentEdit, MessageSend, ChatAnswer, CatalogueEdit, VendorEdit, HouseRepair, LotteryResult, SettingEdit, OperatorEdit, AuditRead,
}

// Owner is the role with all permissions, also those that are added later.
const Owner = "owner"

// Roles lists the built-in roles with their permissions.
var Roles = map[string][]Permission{
	Owner:     Permissions,
	"finance": {MemberRead, ReportRead, DepositConfirm, WithdrawalReview, WithdrawalApprove, LedgerAdjust, PromotionEdit},
	"risk":    {MemberRead, ReportRead, MemberEdit, KYCReview},
	"support": {MemberRead, ReportRead, MemberEdit, ContentEdit, MessageSend, ChatAnswer},
	"content": {PromotionEdit, ContentEdit, MessageSend},
	"games":   {CatalogueEdit, VendorEdit, HouseRepair, LotteryResult},
	"auditor": {MemberRead, ReportRead, AuditRead},
}

// ValidPermission reports whether roles can have a permission.
func ValidPermission(p Permission) bool { return slices.Contains(Permissions, p) }
