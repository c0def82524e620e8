package money

import "math"

// MaxSum is where a sum stands that 64 bits could not tell: it is more than any amount, with room left to add to it and to compare.
const MaxSum = Minor(1) << 62

// SplitSum is a sum whose amounts were added up in halves of 32 bits, so that no history is too long for it: it is High × 2^32 + Low.
type SplitSum struct{ High, Low int64 }

// Plus adds two sums.
func (h SplitSum) Add(other SplitSum) SplitSum {
	return SplitSum{h.High + other.High, h.Low + other.Low}
}

// Less takes one sum from another.
func (h SplitSum) Sub(other SplitSum) SplitSum {
	return SplitSum{h.High - other.High, h.Low - other.Low}
}

// Whole is the sum, or the bound on its side.
func (h SplitSum) Minor() Minor {
	high := h.High + h.Low>>32 // both are far from 64 bits: a half has 32 of them
	switch {
	case high >= int64(MaxSum>>32):
		return MaxSum
	case high < -int64(MaxSum>>32):
		return -MaxSum
	}
	return Minor(high<<32 + h.Low&math.MaxUint32)
}
