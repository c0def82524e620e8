package ledger

import (
	"strconv"

	"fairground/internal/money"
)

// announcement is the outbox's payload for a batch: one balance message per member cash account that
// changed, with the balance as an exact JSON number. Empty when there is nothing to tell.
func (b *book) announcement() string {
	out := []byte{}
	for _, a := range b.changed {
		if a.Kind != Cash {
			continue
		}
		c, err := money.Find(a.Currency)
		if err != nil {
			continue // no account opens in an unknown currency; one left by an older release is not announced
		}
		if len(out) == 0 {
			out = append(out, '[')
		} else {
			out = append(out, ',')
		}
		out = append(out, `{"member":"`...)
		out = strconv.AppendInt(out, a.MemberID.Int64, 10)
		out = append(out, `","event":"balance","data":{"kind":"cash","currency":"`...)
		out = append(out, a.Currency...)
		out = append(out, `","balance":`...)
		out = append(out, c.Format(money.Minor(a.Balance))...)
		out = append(out, `,"version":`...)
		out = strconv.AppendInt(out, a.Seq, 10)
		out = append(out, `}}`...)
	}
	if len(out) == 0 {
		return ""
	}
	return string(append(out, ']'))
}
