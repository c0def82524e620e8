package spec

// The codes of a merchant's switches, a type for each kind: a code of one kind is not taken where another is asked for.
type (
	// Module is a part of the product. The client names one in its ModuleId header, and the server refuses a module that is off.
	Module string
	// Flag is what a merchant's front end offers; the specification calls it a whitelabel flag.
	Flag string
	// Promotion is an offer of the merchant to its members.
	Promotion string
)

// The modules.
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

// The flags. The chat's has the code of its module.
const (
	FlagFacebookLogin Flag = "FACEBOOKLOGIN3"
	FlagGoogleLogin   Flag = "GOOGLELOGIN3"
	FlagSMSLogin      Flag = "MOBILEVERCODELOGIN3"
	FlagChat               = Flag(ModuleChat)
	FlagCashBack      Flag = "MANPLAYREB3"
)

// PromotionReferral lets members invite friends.
const PromotionReferral Promotion = "REFERRAL"

// SwitchDefinition describes one switch of the product.
type SwitchDefinition[C ~string] struct {
	Code C
	Name string // what the app calls it
	On   bool   // until the operator says otherwise
	Text string // what it switches, for the operator
}

// Modules are parts of the product, and start on.
var Modules = []SwitchDefinition[Module]{
	{ModuleRegister, "register", true, "registering, by whatever method"},
	{ModuleRegisterFree, "registerFree", true, "registering without an invitation, for clients that name it"},
	{ModuleMobileRegister, "mobileRegister", true, "registering by a mobile number"},
	{ModuleRegisterMobile, "registerMobile", true, "proving a mobile number by a code while registering"},
	{ModuleAffiliate, "affiliate", true, "invitation codes of agents"},
	{ModuleFreePlay, "freePlay", true, "trial play without an account"},
	{ModuleCaptcha, "captcha", true, "the picture that forms ask for"},
	{ModuleValidCaptcha, "validCaptcha", true, "the pass for reading the picture, for those who cannot slide"},
	{ModuleChangePassword, "changePassword", true, "changing the password"},
	{ModulePersonal, "personal", true, "the member's profile"},
	{ModuleAvatar, "avatar", true, "the member's picture"},
	{ModuleInbox, "inbox", true, "the link to messages to the member"},
	{ModuleTransfer, "transfer", true, "the link to transfers between wallets"},
	{ModuleMemberTransaction, "memberTransaction", true, "the link to the member's transactions"},
	{ModuleAgent, "agent", true, "the link to the agent's pages"},
	{ModuleDownline, "downline", true, "the agent's downline"},
	{ModuleCommission, "commission", true, "the agent's commission"},
	{ModuleAgentNotice, "agentNotice", true, "announcements to agents"},
	{ModuleChat, "chat", true, "the chat with customer service"},
}

// Flags show what needs setting up first, and start off.
var Flags = []SwitchDefinition[Flag]{
	{FlagFacebookLogin, "facebookLogin", false, "logging in with a Facebook account"},
	{FlagGoogleLogin, "googleLogin", false, "logging in with a Google account"},
	{FlagSMSLogin, "smsLogin", false, "logging in with a code sent to a mobile number"},
	{FlagChat, "chat", false, "the chat among the ways to reach customer service"},
	{FlagCashBack, "cashBack", false, "the links to cash back"},
}

// Promotions start off.
var Promotions = []SwitchDefinition[Promotion]{
	{PromotionReferral, "referral", false, "the links by which members invite friends"},
}
