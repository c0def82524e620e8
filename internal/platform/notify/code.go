package notify

// A Purpose is the only action that a code allows. It is stored in the database.
type Purpose string

// Purposes of codes.
const (
	ForLogin    Purpose = "login"
	ForRegister Purpose = "register"
	ForReset    Purpose = "reset"
	ForBind     Purpose = "bind"
	ForPayment  Purpose = "payment" // replaces a forgotten payment password
	ForProof    Purpose = "proof"   // confirms security changes of an account without a password
)

// A Subject is the mobile number or e-mail address that a verification code confirms, for one purpose at one merchant.
type Subject struct {
	MerchantID int64
	Channel    Channel
	Target     string // a number in E.164, or an e-mail address
	Purpose    Purpose
	Username   string // username in the request, if any; each username has its own code
}

// A Delivery is the response to a request for a code.
type Delivery struct {
	ExpiredMinutes int   `json:"expiredMinutes" doc:"Minutes to wait before the next request (ruling 36). The code itself is valid for code.minutes."`
	ExpirationTime int64 `json:"expirationTime" doc:"Time of the next possible request, in Unix milliseconds."`
}
