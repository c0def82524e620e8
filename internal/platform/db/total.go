package db

import "fmt"

// Total returns SQL for the two columns of a money.SplitSum: the sums of the amount's high and low 32 bits. Use it where a
// sum can exceed 64 bits. Both engines reject such a sum, and one member's history would make the whole query fail.
func Total(amount string) string {
	return fmt.Sprintf("COALESCE(CAST(SUM((%[1]s) >> 32) AS BIGINT), 0), COALESCE(CAST(SUM((%[1]s) & 4294967295) AS BIGINT), 0)", amount)
}
