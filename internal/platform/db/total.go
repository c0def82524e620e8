package db

import "fmt"

// Total is SQL for a sum of amounts that never fails. Both engines refuse a sum beyond 64 bits, and one member's absurd history
// would be everybody's error; so the halves of the amounts are summed apart, and beyond about ±4.3 × 10^18 the total stands at ±2^62:
// more than any amount, with room left to add to it and to compare.
func Total(amount string) string {
	high := fmt.Sprintf("CAST(SUM((%s) >> 32) AS BIGINT)", amount)
	low := fmt.Sprintf("CAST(SUM((%s) & 4294967295) AS BIGINT)", amount)
	return fmt.Sprintf("COALESCE(CASE WHEN %[1]s > 1000000000 THEN 4611686018427387904 WHEN %[1]s < -1000000000 THEN -4611686018427387904 ELSE %[1]s * 4294967296 + %[2]s END, 0)",
		high, low)
}
