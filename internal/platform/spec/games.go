package spec

// Categories of games and vendors.
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

// Views are category codes that the app uses but no game has. They select games of all categories, or show other data.
const (
	ViewAll        = "ALL"
	ViewHot        = "HOT"
	ViewHome       = "HOME" // the hot games
	ViewFavourites = "FAV"
	ViewLivestream = "LIVESTREAM"
	ViewPromotions = "PROMO"
)

// Vendors with special behaviour: JL has its own view, lottery vendors open the lottery instead of a game, and esports
// are grouped by vendor.
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

// Vendors that are listed first, after JL.
const (
	VendorEG3 = "EG3"
	VendorPG  = "PG"
	VendorFC  = "FC"
)

// Lottery codes: prize modes, play modes, and the client type of a browser.
const (
	PrizeLott       = "Lott"
	PrizeZY         = "ZY"
	PrizeELott      = "Elott"
	PlayTradition   = "Tradition"
	PlayEntertained = "Entertainment"
	ClientLottery   = "2"
)
