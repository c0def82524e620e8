package message

import (
	"slices"

	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A Segment selects members. Empty fields select all.
type Segment struct {
	Type       *int        `json:"type,omitempty"`
	VIP        string      `json:"vip,omitempty"`
	Language   string      `json:"language,omitempty"`
	SeenSince  int64       `json:"seenSince,omitempty"`  // logged in at or after this time, Unix ms
	SeenBefore int64       `json:"seenBefore,omitempty"` // not logged in since this time, Unix ms
	DepositMin money.Minor `json:"depositMin,omitempty"`
	DepositMax money.Minor `json:"depositMax,omitempty"` // 0: no limit
}

func (g Segment) check() error {
	switch {
	case g.Type != nil && !rest.MemberType(*g.Type).Real():
		return ErrSegment.On("type")
	case g.Language != "" && !slices.Contains(rest.Languages(), g.Language):
		return ErrSegment.On("language")
	case g.SeenSince < 0 || g.SeenBefore < 0 || g.SeenSince > 0 && g.SeenBefore > 0 && g.SeenBefore <= g.SeenSince:
		return ErrSegment.On("seenBefore")
	case g.DepositMin < 0 || g.DepositMax < 0 || g.DepositMax > 0 && g.DepositMax < g.DepositMin:
		return ErrSegment.On("depositMax")
	}
	return nil
}

// params returns the segment as query parameters.
func (g Segment) params(merchantID, now int64, promotional bool) query.CountSegmentParams {
	memberType := int64(-1)
	if g.Type != nil {
		memberType = int64(*g.Type)
	}
	return query.CountSegmentParams{
		MerchantID: merchantID, Type: memberType, Language: g.Language, Vip: g.VIP, SeenSince: g.SeenSince, SeenBefore: g.SeenBefore,
		DepositMin: int64(g.DepositMin), DepositMax: int64(g.DepositMax), Promotional: promotional, Now: now,
	}
}
