package notify

// Purpose is what a code is good for, and nothing else. It is stored.
type Purpose string

// The purposes.
const (
	ForLogin    Purpose = "login"
	ForRegister Purpose = "register"
	ForReset    Purpose = "reset"
	ForBind     Purpose = "bind"
	ForPayment  Purpose = "payment" // to replace a payment password that was forgotten
	ForProof    Purpose = "proof"   // to change what guards an account that has no password
)

// Subject is what a code is about: whose it is, and what for.
type Subject struct {
	MerchantID int64
	Channel    Channel
	Target     string // a number in E.164, or an e-mail address
	Purpose    Purpose
	Username   string // that was named, if any: a code that was asked for another name is another code
}

// Sending answers whoever asked for a code.
type Sending struct {
	ExpiredMinutes int   `json:"expiredMinutes"`
	ExpirationTime int64 `json:"expirationTime" doc:"Unix milliseconds."`
}
