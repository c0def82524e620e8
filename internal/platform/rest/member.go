package rest

// MemberType says what kind of account a caller has. It stands here, and nowhere else, because the border
// decides by it who may make a call; which types there are beyond these the members' package knows.
type MemberType int

// The types that the border and more than one domain tell apart.
const (
	Player    MemberType = 0
	Agent     MemberType = 1
	HeadAgent MemberType = 2
	Trial     MemberType = 4
)

// MemberActive is the stored status of a member who may log in.
const MemberActive = "active"

// Real tells accounts of people who play with their own money from trial, test, service and bot accounts.
func (t MemberType) Real() bool { return t == Player || t.Agent() }

// Agent tells those who have members of their own below them.
func (t MemberType) Agent() bool { return t == Agent || t == HeadAgent }
