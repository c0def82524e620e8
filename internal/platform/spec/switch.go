package spec

// Codes of a merchant's switches. Each kind has its own type, so that the compiler rejects a code of the wrong kind.
type (
	// A Module is a part of the product. The client sends one in its ModuleId header, and the server rejects a disabled module.
	Module string
	// A Flag is an optional feature of a merchant's front end. The specification calls it a whitelabel flag.
	Flag string
	// A Promotion is an offer by the merchant to its members.
	Promotion string
)

// Modules.
const (
	ModuleFreePlay          Module = "FREEPLAY3"
	ModuleRegisterFree      Module = "REGISTER_REE3"
	ModuleMobileRegister    Module = "MOBILENUMREG3"
	ModuleChangePassword    Module = "CHNGPASSVERIF3"
	ModuleRegisterMobile    Module = "REGMOBVERF3"
	ModuleValidCaptcha      Module = "VALID_CAPTCHA3"
	ModuleAffiliate         Module = "AFFMAN3"
	ModuleAvatar            Module = "PROFPIC3"
	ModuleInbox             Module = "INBOX3"
	ModuleCommission        Module = "COMM3"
	ModuleTransfer          Module = "FUNDTRANS3"
	ModuleAgentNotice       Module = "AGEANNOUNCE3"
	ModuleMemberTransaction Module = "MEMTRANS3"
	ModulePersonal          Module = "PERSPNL3"
	ModuleAgent             Module = "AGEINFO3"
	ModuleDownline          Module = "AGEDOWNMAN3"
	ModuleRegister          Module = "REG3"
	ModuleCaptcha           Module = "CAPTCHA3"
	ModuleChat              Module = "CBS3"
)

// Flags. The chat flag has the same code as the chat module.
const (
	FlagFacebookLogin Flag = "FACEBOOKLOGIN3"
	FlagGoogleLogin   Flag = "GOOGLELOGIN3"
	FlagSMSLogin      Flag = "MOBILEVERCODELOGIN3"
	FlagChat               = Flag(ModuleChat)
	FlagCashBack      Flag = "MANPLAYREB3"
)

// PromotionReferral lets members invite friends.
const PromotionReferral Promotion = "REFERRAL"

// A SwitchDefinition describes one switch.
type SwitchDefinition[C ~string] struct {
	Code C
	Name string // name in the app
	On   bool   // default
	Text string // description for operators
}

// Modules lists all modules. They are on by default.
var Modules = []SwitchDefinition[Module]{
	{ModuleRegister, "register", true, "registration by any method"},
	{ModuleRegisterFree, "registerFree", true, "registration without an invitation, for clients that send this module"},
	{ModuleMobileRegister, "mobileRegister", true, "registration by mobile number"},
	{ModuleRegisterMobile, "registerMobile", true, "verification of a mobile number by code during registration"},
	{ModuleAffiliate, "affiliate", true, "invitation codes of agents"},
	{ModuleFreePlay, "freePlay", true, "trial play without an account"},
	{ModuleCaptcha, "captcha", true, "the picture captcha in forms"},
	{ModuleValidCaptcha, "validCaptcha", true, "the picture captcha before a code to reset the password is sent"},
	{ModuleChangePassword, "changePassword", true, "changing the password"},
	{ModulePersonal, "personal", true, "the member's profile"},
	{ModuleAvatar, "avatar", true, "the member's picture"},
	{ModuleInbox, "inbox", true, "the link to the member's messages"},
	{ModuleTransfer, "transfer", true, "the link to transfers between wallets"},
	{ModuleMemberTransaction, "memberTransaction", true, "the link to the member's transactions"},
	{ModuleAgent, "agent", true, "the link to the agent's pages"},
	{ModuleDownline, "downline", true, "the agent's downline"},
	{ModuleCommission, "commission", true, "the agent's commission"},
	{ModuleAgentNotice, "agentNotice", true, "announcements to agents"},
	{ModuleChat, "chat", true, "the chat with customer service"},
}

// Flags lists all flags. They are off by default because their features need configuration.
var Flags = []SwitchDefinition[Flag]{
	{FlagFacebookLogin, "facebookLogin", false, "login with a Facebook account"},
	{FlagGoogleLogin, "googleLogin", false, "login with a Google account"},
	{FlagSMSLogin, "smsLogin", false, "login with a code sent to a mobile number"},
	{FlagChat, "chat", false, "the chat among the ways to reach customer service"},
	{FlagCashBack, "cashBack", false, "the links to cash back"},
}

// Promotions lists all promotions. They are off by default.
var Promotions = []SwitchDefinition[Promotion]{
	{PromotionReferral, "referral", false, "the links with which members invite friends"},
}
