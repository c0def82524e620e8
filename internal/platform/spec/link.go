package spec

// Contact links of a merchant that the app treats specially.
const (
	LinkTelegram = "TELEGRAM"
	LinkWhatsApp = "WHATSAPP"
)
