package money

import "math"

// Bound is where a sum stands that 64 bits could not tell: it is more than any amount, with room left to add to it and to compare.
const Bound = Minor(1) << 62

// Halves is a sum whose amounts were added up in halves of 32 bits, so that no history is too long for it: it is High × 2^32 + Low.
type Halves struct{ High, Low int64 }

// Plus adds two sums.
func (h Halves) Plus(other Halves) Halves { return Halves{h.High + other.High, h.Low + other.Low} }

// Less takes one sum from another.
func (h Halves) Less(other Halves) Halves { return Halves{h.High - other.High, h.Low - other.Low} }

// Whole is the sum, or the bound on its side.
func (h Halves) Whole() Minor {
	high := h.High + h.Low>>32 // both are far from 64 bits: a half has 32 of them
	switch {
	case high >= int64(Bound>>32):
		return Bound
	case high < -int64(Bound>>32):
		return -Bound
	}
	return Minor(high<<32 + h.Low&math.MaxUint32)
}
