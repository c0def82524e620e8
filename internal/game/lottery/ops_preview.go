package lottery

import (
	"context"
	"slices"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/money"
)

// maxPreview is the maximum number of rounds that a preview reads.
const maxPreview = 50_000

// A preview is the effect that a result or voiding would have.
type preview struct {
	result   draw.Result // zero if the numero would be void
	sums     []previewSum
	complete bool // false: the numero has more rounds than maxPreview
}

// A previewSum has the amounts that a change would move in one currency.
type previewSum struct {
	currency        string
	rounds, winners int
	paid            money.Minor // payouts and rebates now
	due             money.Minor // payouts and rebates after the change
	credited        money.Minor // added to members' balances
	takenBack       money.Minor // taken from members, because an earlier result overpaid them
	returned        money.Minor // stakes of a void numero
}

// previewResult computes the effect of changing a result. It stores nothing.
func (s *Service) previewResult(ctx context.Context, merchantID int64, id string, c resultChange) (preview, error) {
	g, n, err := s.findNumero(id)
	if err != nil {
		return preview{}, err
	}
	row, err := s.numeroRow(ctx, s.o.Store.Q(), merchantID, g, n)
	if err != nil {
		return preview{}, err
	}
	if row.Status == statusVoid {
		return preview{}, ErrVoided
	}
	out := preview{complete: true}
	row.Status = statusVoid
	if !c.Void {
		if !g.Form.Regional() {
			return preview{}, ErrOwnDraw
		}
		if out.result, err = draw.Parse(g.Form, c.Result); err != nil {
			return preview{}, err
		}
		row.Status = statusDrawn
	}
	if row.ID == 0 {
		return out, nil
	}
	row.Run, row.Progress = row.Run+1, 0
	for read := 0; ; read += s.o.ChunkSize {
		if read >= maxPreview {
			out.complete = false
			return out, nil
		}
		chunk, last, more, err := s.readChunk(ctx, row, g, out.result)
		if err != nil {
			return out, err
		}
		for _, r := range chunk {
			out.add(r, c.Void)
		}
		if !more {
			return out, nil
		}
		row.Progress = last
	}
}

// add adds the amounts that settling a round would move.
func (p *preview) add(r *settlement, void bool) {
	i := slices.IndexFunc(p.sums, func(s previewSum) bool { return s.currency == r.order.Currency })
	if i < 0 {
		i = len(p.sums)
		p.sums = append(p.sums, previewSum{currency: r.order.Currency})
	}
	sum, due := &p.sums[i], r.payout+r.rebate
	sum.rounds++
	sum.paid += r.paid
	sum.due += due
	if r.won {
		sum.winners++
	}
	if due > r.paid {
		sum.credited += due - r.paid
	}
	if due < r.paid {
		sum.takenBack += r.paid - due
	}
	if void && r.status != stateVoid {
		sum.returned += r.amount
	}
}
