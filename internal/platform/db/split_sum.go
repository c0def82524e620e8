package db

import "fmt"

// SplitSumColumns returns SQL for the two columns of a money.SplitSum: the sums of the amount's high and low 32 bits. Use it
// where a sum can exceed 64 bits. A plain SUM that overflows is an error in both databases, so one member with a very large
// sum would make the whole query fail.
func SplitSumColumns(amount string) string {
	return fmt.Sprintf("COALESCE(CAST(SUM((%[1]s) >> 32) AS BIGINT), 0), COALESCE(CAST(SUM((%[1]s) & 4294967295) AS BIGINT), 0)", amount)
}
