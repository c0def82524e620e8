package spec

// Categories that a game or a vendor belongs to.
const (
	Lottery     = "LOTT"
	FastLottery = "ELOTT"
	Live        = "LIVE"
	Slots       = "RNG"
	Fishing     = "FISH"
	Sports      = "SPORTS"
	Esports     = "ESPORTS"
	Cards       = "PVP"
	JadeLantern = "JL"
)

// Views are categories of the app that no game belongs to: they choose among the games of all others, or hold what other
// calls give.
const (
	ViewAll        = "ALL"
	ViewHot        = "HOT"
	ViewHome       = "HOME" // what home shows first: the hot ones
	ViewFavourites = "FAV"
	ViewLivestream = "LIVESTREAM"
	ViewPromotions = "PROMO"
)

// Vendors whose codes the specification gives a meaning: JL has a view of its own, the lottery's open the lottery instead of a
// game, and esports are split by theirs. Three are called as their categories are.
const (
	VendorJL      = JadeLantern
	VendorLottoVN = "TCG_LOTTO_VN"
	VendorSEA     = "TCG_SEA"
	VendorLott    = Lottery
	VendorELott   = FastLottery
	VendorIMES    = "IMES"
	VendorSV3     = "SV3"
	VendorAV      = "AV"
)

// Vendors that lead among the providers, beside JL.
const (
	VendorEG3 = "EG3"
	VendorPG  = "PG"
	VendorFC  = "FC"
)

// The lottery: prize modes of its frame, its ways of playing, the client it takes a browser for.
const (
	PrizeLott       = "Lott"
	PrizeZY         = "ZY"
	PrizeELott      = "Elott"
	PlayTradition   = "Tradition"
	PlayEntertained = "Entertainment"
	ClientLottery   = "2"
)
