package spec

// Kinds of content.
const (
	ContentAgent     = "A"
	ContentPlayer    = "PL"
	ContentBanner    = "B"
	ContentPopup     = "PU"
	ContentPromotion = "PR"
)

// Banner groups.
const (
	GroupHome     = "m_home"
	GroupLive     = "m_live"
	GroupRegister = "m_reg"
)
