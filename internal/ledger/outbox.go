package ledger

import (
	"strconv"

	"fairground/internal/money"
)

// announcement returns the outbox payload of a batch, or "". It has one message per changed cash account. The
// balance is an exact JSON number.
func (b *book) announcement() string {
	out := []byte{}
	for _, a := range b.changed {
		if a.Kind != Cash {
			continue
		}
		c, err := money.Find(a.Currency)
		if err != nil {
			continue // an older release had this currency
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
