package rest

// A MemberType is the kind of a member's account. It is defined here because access checks use it. Package member defines
// further types.
type MemberType int

// Member types that several packages use.
const (
	Player    MemberType = 0
	Agent     MemberType = 1
	HeadAgent MemberType = 2
	Trial     MemberType = 4
)

// MemberActive is the stored status of a member who may log in.
const MemberActive = "active"

// Real reports whether members of this type play with their own money. Trial, test, service and bot accounts do not.
func (t MemberType) Real() bool { return t == Player || t.Agent() }

// Agent reports whether members of this type can have a downline.
func (t MemberType) Agent() bool { return t == Agent || t == HeadAgent }
