package spec

// Kinds of content, as the specification letters them.
const (
	ContentAgent     = "A"
	ContentPlayer    = "PL"
	ContentBanner    = "B"
	ContentPopup     = "PU"
	ContentPromotion = "PR"
)

// Groups are the places where banners stand.
const (
	GroupHome     = "m_home"
	GroupLive     = "m_live"
	GroupRegister = "m_reg"
)
