package money

import "math"

// MaxSum is the maximum result of SplitSum.Minor. It exceeds any amount, and adding an amount to it does not overflow.
const MaxSum = Minor(1) << 62

// A SplitSum is a sum of amounts, High × 2^32 + Low. High and Low are the sums of the amounts' high and low 32 bits, so
// that they do not overflow.
type SplitSum struct{ High, Low int64 }

// Add returns s + other.
func (s SplitSum) Add(other SplitSum) SplitSum {
	return SplitSum{s.High + other.High, s.Low + other.Low}
}

// Sub returns s - other.
func (s SplitSum) Sub(other SplitSum) SplitSum {
	return SplitSum{s.High - other.High, s.Low - other.Low}
}

// Minor returns the sum, limited to ±MaxSum.
func (s SplitSum) Minor() Minor {
	high := s.High + s.Low>>32 // cannot overflow, because each amount contributes 32 bits
	switch {
	case high >= int64(MaxSum>>32):
		return MaxSum
	case high < -int64(MaxSum>>32):
		return -MaxSum
	}
	return Minor(high<<32 + s.Low&math.MaxUint32)
}
