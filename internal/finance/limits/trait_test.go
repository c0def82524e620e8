package limits

import "testing"

func TestNamesAreFoldedWithoutAccents(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Nguyễn Văn Đỗ", "NGUYEN VAN DO", "nguyen  van-do", "Nguye\u0302\u0303n Va\u0306n Đo\u0302\u0303"} {
		if got := foldName(name); got != "nguyenvando" {
			t.Errorf("foldName(%q) = %q, want nguyenvando", name, got)
		}
	}
}
