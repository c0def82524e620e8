package spec

// Links by which a merchant is reached, beside those that only an operator names.
const (
	LinkTelegram = "TELEGRAM"
	LinkWhatsApp = "WHATSAPP"
)
