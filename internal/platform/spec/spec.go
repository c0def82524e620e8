// Package spec names the codes of the wire that the specification fixes: modules, flags, categories, vendors, kinds of
// content, the lottery's modes, gateways. Each stands here once, and whoever means one says its name (KO-06). It holds names alone:
// which of them are on, offered or allowed is for their domains to say.
package spec

// Module ids: the client names one in its ModuleId header, and the server refuses a module that is off.
const (
	ModuleFreePlay          = "FREEPLAY3"
	ModuleRegisterFree      = "REGISTER_REE3"
	ModuleMobileRegister    = "MOBILENUMREG3"
	ModuleChangePassword    = "CHNGPASSVERIF3"
	ModuleRegisterMobile    = "REGMOBVERF3"
	ModuleValidCaptcha      = "VALID_CAPTCHA3"
	ModuleAffiliate         = "AFFMAN3"
	ModuleAvatar            = "PROFPIC3"
	ModuleInbox             = "INBOX3"
	ModuleCommission        = "COMM3"
	ModuleTransfer          = "FUNDTRANS3"
	ModuleAgentNotice       = "AGEANNOUNCE3"
	ModuleMemberTransaction = "MEMTRANS3"
	ModulePersonal          = "PERSPNL3"
	ModuleAgent             = "AGEINFO3"
	ModuleDownline          = "AGEDOWNMAN3"
	ModuleRegister          = "REG3"
	ModuleCaptcha           = "CAPTCHA3"
	ModuleChat              = "CBS3"
)

// Whitelabel flags: what a merchant's front end offers. The chat's is called as its module is.
const (
	FlagFacebookLogin = "FACEBOOKLOGIN3"
	FlagGoogleLogin   = "GOOGLELOGIN3"
	FlagSMSLogin      = "MOBILEVERCODELOGIN3"
	FlagChat          = ModuleChat
	FlagCashBack      = "MANPLAYREB3"
)

// PromotionReferral lets members invite friends.
const PromotionReferral = "REFERRAL"

// Gateways by which a client comes.
const (
	GatewayWeb    = 1
	GatewayMobile = 3
)
