// Package humancheck describes the calls that need a captcha or a proof of work, because programs could repeat them often.
package humancheck

// Purposes of a proof of work. A proof for one purpose is not valid for another.
const (
	ForLogin    = "login"
	ForRegister = "register"
	ForCode     = "code"
)

// An Attempt is a call that guesses or creates something: a login, a registration, or the request for a code.
type Attempt struct {
	MerchantID int64
	Purpose    string // one of the For constants
	Network    string
	Device     string // cookie of the device; may be empty
	Account    string // key of the account that is guessed; may be empty
	Proof      string // the client's proof of work, in ALTCHA's format; may be empty
}
