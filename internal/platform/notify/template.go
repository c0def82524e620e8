package notify

import (
	"strconv"
	"strings"
)

// A Kind selects the text of a message. It is stored in the database.
type Kind string

// Message kinds.
const (
	LoginCode       Kind = "login_code"
	RegisterCode    Kind = "register_code"
	ResetCode       Kind = "reset_code"
	BindCode        Kind = "bind_code"
	Welcome         Kind = "welcome"
	PasswordChanged Kind = "password_changed"
	ContactReplaced Kind = "contact_replaced"
	QuestionSet     Kind = "question_set"
	PaymentReset    Kind = "payment_reset"
)

// Values contains the values for the placeholders of a text.
type Values struct {
	Site     string // the merchant's name
	Code     string
	Username string
	Minutes  int // lifetime of the code
}

// A template is a message in one language, with the placeholders {site}, {code}, {account} and {minutes}.
type template struct{ subject, text string }

// Compose returns a message in the recipient's language. Unknown languages fall back to Vietnamese.
func Compose(c Channel, to, language string, kind Kind, v Values) Message {
	texts, known := templates[language]
	if !known {
		language = "vi"
		texts = templates[language]
	}
	placeholders := strings.NewReplacer("{site}", v.Site, "{code}", v.Code, "{account}", v.Username, "{minutes}", strconv.Itoa(v.Minutes))
	m := Message{Channel: c, To: to, Language: language, Kind: kind, Text: placeholders.Replace(texts[kind].text)}
	if c == Email {
		m.Subject = placeholders.Replace(texts[kind].subject)
	}
	return m
}

// templates contains the templates by language and kind. Codes are at the start, so that a phone's preview shows them.
var templates = map[string]map[Kind]template{
	"vi": {
		LoginCode:       {"Mã đăng nhập {site}", "{code} là mã đăng nhập {site} của bạn, có hiệu lực trong {minutes} phút. Không chia sẻ mã này với bất kỳ ai."},
		RegisterCode:    {"Mã đăng ký {site}", "{code} là mã đăng ký {site} của bạn, có hiệu lực trong {minutes} phút. Không chia sẻ mã này với bất kỳ ai."},
		ResetCode:       {"Đặt lại mật khẩu {site}", "{code} là mã đặt lại mật khẩu {site} của bạn, có hiệu lực trong {minutes} phút. Nếu bạn không yêu cầu, hãy bỏ qua tin này."},
		BindCode:        {"Mã xác minh {site}", "{code} là mã xác minh {site} của bạn, có hiệu lực trong {minutes} phút. Không chia sẻ mã này với bất kỳ ai."},
		Welcome:         {"Chào mừng đến với {site}", "Chào mừng {account} đến với {site}. Tài khoản của bạn đã sẵn sàng. Hãy đặt giới hạn và chơi có trách nhiệm."},
		PasswordChanged: {"Mật khẩu {site} đã được thay đổi", "Mật khẩu tài khoản {account} tại {site} vừa được thay đổi. Nếu không phải bạn, hãy liên hệ chăm sóc khách hàng ngay."},
		ContactReplaced: {"Thông tin liên hệ {site} đã được thay đổi", "Số điện thoại hoặc email của tài khoản {account} tại {site} vừa được thay bằng thông tin khác. Nếu không phải bạn, hãy liên hệ chăm sóc khách hàng ngay."},
		QuestionSet:     {"Câu hỏi bảo mật {site} đã được đặt", "Câu hỏi bảo mật của tài khoản {account} tại {site} vừa được đặt. Nếu không phải bạn, hãy liên hệ chăm sóc khách hàng ngay."},
		PaymentReset:    {"Mật khẩu rút tiền {site} đã được đặt lại", "Chăm sóc khách hàng vừa đặt lại mật khẩu rút tiền của tài khoản {account} tại {site}. Nếu bạn không yêu cầu, hãy liên hệ chăm sóc khách hàng ngay."},
	},
	"en": {
		LoginCode:       {"Your {site} login code", "{code} is your {site} login code, good for {minutes} minutes. Do not share it with anyone."},
		RegisterCode:    {"Your {site} registration code", "{code} is your {site} registration code, good for {minutes} minutes. Do not share it with anyone."},
		ResetCode:       {"Reset your {site} password", "{code} is your code to reset your {site} password, good for {minutes} minutes. If you did not ask for it, ignore this message."},
		BindCode:        {"Your {site} verification code", "{code} is your {site} verification code, good for {minutes} minutes. Do not share it with anyone."},
		Welcome:         {"Welcome to {site}", "Welcome to {site}, {account}. Your account is ready. Set your limits and play responsibly."},
		PasswordChanged: {"Your {site} password was changed", "The password of {account} at {site} was just changed. If this was not you, contact customer service at once."},
		ContactReplaced: {"Your {site} contact was replaced", "The mobile number or e-mail address of {account} at {site} was just replaced by another. If this was not you, contact customer service at once."},
		QuestionSet:     {"Your {site} security question was set", "The security question of {account} at {site} was just set. If this was not you, contact customer service at once."},
		PaymentReset:    {"Your {site} payment password was reset", "Customer service just reset the payment password of {account} at {site}. If you did not ask for this, contact customer service at once."},
	},
	"ur": {
		LoginCode:       {"آپ کا {site} لاگ اِن کوڈ", "{code} آپ کا {site} لاگ اِن کوڈ ہے، {minutes} منٹ کے لیے کارآمد۔ اسے کسی کو نہ بتائیں۔"},
		RegisterCode:    {"آپ کا {site} رجسٹریشن کوڈ", "{code} آپ کا {site} رجسٹریشن کوڈ ہے، {minutes} منٹ کے لیے کارآمد۔ اسے کسی کو نہ بتائیں۔"},
		ResetCode:       {"{site} کا پاس ورڈ دوبارہ بنائیں", "{code} آپ کا {site} پاس ورڈ دوبارہ بنانے کا کوڈ ہے، {minutes} منٹ کے لیے کارآمد۔ اگر آپ نے نہیں مانگا تو اسے نظر انداز کریں۔"},
		BindCode:        {"آپ کا {site} تصدیقی کوڈ", "{code} آپ کا {site} تصدیقی کوڈ ہے، {minutes} منٹ کے لیے کارآمد۔ اسے کسی کو نہ بتائیں۔"},
		Welcome:         {"{site} میں خوش آمدید", "{account}، {site} میں خوش آمدید۔ آپ کا اکاؤنٹ تیار ہے۔ اپنی حدیں مقرر کریں اور ذمہ داری سے کھیلیں۔"},
		PasswordChanged: {"آپ کا {site} پاس ورڈ بدل گیا", "{site} پر {account} کا پاس ورڈ ابھی بدلا گیا ہے۔ اگر یہ آپ نے نہیں کیا تو فوراً کسٹمر سروس سے رابطہ کریں۔"},
		ContactReplaced: {"آپ کا {site} رابطہ بدل گیا", "{site} پر {account} کا موبائل نمبر یا ای میل پتہ ابھی بدلا گیا ہے۔ اگر یہ آپ نے نہیں کیا تو فوراً کسٹمر سروس سے رابطہ کریں۔"},
		QuestionSet:     {"آپ کا {site} حفاظتی سوال مقرر ہوا", "{site} پر {account} کا حفاظتی سوال ابھی مقرر کیا گیا ہے۔ اگر یہ آپ نے نہیں کیا تو فوراً کسٹمر سروس سے رابطہ کریں۔"},
		PaymentReset:    {"آپ کا {site} ادائیگی کا پاس ورڈ ہٹا دیا گیا", "کسٹمر سروس نے {site} پر {account} کا ادائیگی کا پاس ورڈ ابھی ہٹایا ہے۔ اگر آپ نے نہیں کہا تو فوراً کسٹمر سروس سے رابطہ کریں۔"},
	},
	"pt": {
		LoginCode:       {"Seu código de acesso {site}", "{code} é o seu código de acesso {site}, válido por {minutes} minutos. Não o compartilhe com ninguém."},
		RegisterCode:    {"Seu código de cadastro {site}", "{code} é o seu código de cadastro {site}, válido por {minutes} minutos. Não o compartilhe com ninguém."},
		ResetCode:       {"Redefinir a senha {site}", "{code} é o código para redefinir a sua senha {site}, válido por {minutes} minutos. Se não foi você que pediu, ignore esta mensagem."},
		BindCode:        {"Seu código de verificação {site}", "{code} é o seu código de verificação {site}, válido por {minutes} minutos. Não o compartilhe com ninguém."},
		Welcome:         {"Boas-vindas a {site}", "Boas-vindas a {site}, {account}. Sua conta está pronta. Defina seus limites e jogue com responsabilidade."},
		PasswordChanged: {"Sua senha {site} foi alterada", "A senha de {account} em {site} acaba de ser alterada. Se não foi você, fale com o atendimento imediatamente."},
		ContactReplaced: {"Seu contato {site} foi substituído", "O celular ou o e-mail de {account} em {site} acaba de ser substituído por outro. Se não foi você, fale com o atendimento imediatamente."},
		QuestionSet:     {"Sua pergunta de segurança {site} foi definida", "A pergunta de segurança de {account} em {site} acaba de ser definida. Se não foi você, fale com o atendimento imediatamente."},
		PaymentReset:    {"Sua senha de pagamento {site} foi redefinida", "O atendimento acaba de redefinir a senha de pagamento de {account} em {site}. Se você não pediu, fale com o atendimento imediatamente."},
	},
}
