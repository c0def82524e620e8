package demo

// An Operator of the demo can log in to the console. Its password and its second factor are public.
type Operator struct {
	Name, Password string
	TOTP           string // secret in base32
}

// Operators are the demo's owners. There are two, because some changes need two people.
var Operators = []Operator{
	{"owner1", Password, "MZQWS4THOJXXK3TEGEZDGNBVGY3TQOJQ"},
	{"owner2", Password, "N53W4ZLSGIZTGNJVGY3TQOJQGEZDGNBV"},
}
