package money

import "math"

// MaxSum replaces sums that are too large. It is more than any amount and leaves room for additions and comparisons.
const MaxSum = Minor(1) << 62

// A SplitSum is the sum High × 2^32 + Low. High and Low are the sums of the amounts' high and low 32 bits, so that they
// do not overflow.
type SplitSum struct{ High, Low int64 }

// Add returns h + other.
func (h SplitSum) Add(other SplitSum) SplitSum {
	return SplitSum{h.High + other.High, h.Low + other.Low}
}

// Sub returns h - other.
func (h SplitSum) Sub(other SplitSum) SplitSum {
	return SplitSum{h.High - other.High, h.Low - other.Low}
}

// Minor returns the sum, limited to ±MaxSum.
func (h SplitSum) Minor() Minor {
	high := h.High + h.Low>>32 // cannot overflow: each addend has 32 bits
	switch {
	case high >= int64(MaxSum>>32):
		return MaxSum
	case high < -int64(MaxSum>>32):
		return -MaxSum
	}
	return Minor(high<<32 + h.Low&math.MaxUint32)
}
