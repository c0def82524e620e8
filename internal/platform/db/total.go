package db

import "fmt"

// Total returns SQL for a sum that never fails. Both engines reject sums beyond 64 bits, so one member's history could
// fail a query for all. The high and low 32 bits are summed separately. Beyond about ±4.3 × 10^18 the result is
// ±2^62, which is more than any amount and leaves room for additions and comparisons.
func Total(amount string) string {
	high := fmt.Sprintf("CAST(SUM((%s) >> 32) AS BIGINT)", amount)
	low := fmt.Sprintf("CAST(SUM((%s) & 4294967295) AS BIGINT)", amount)
	return fmt.Sprintf("COALESCE(CASE WHEN %[1]s > 1000000000 THEN 4611686018427387904 WHEN %[1]s < -1000000000 THEN -4611686018427387904 ELSE %[1]s * 4294967296 + %[2]s END, 0)",
		high, low)
}
