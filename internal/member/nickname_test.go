package member

import (
	"errors"
	"strings"
	"testing"
)

func TestNicknames(t *testing.T) {
	t.Parallel()
	for _, right := range []string{"", "M", "Minh Anh", "Thanh Tùng", "محمد", strings.Repeat("đ", 20)} {
		if err := checkNickname(right); err != nil {
			t.Errorf("%q: %v", right, err)
		}
	}
	for _, wrong := range []string{
		strings.Repeat("x", 21), strings.Repeat("x", 9000), "a\x00b", "a\x1b[31m", "a\nb", "a\u202eb", "\u2066a", "\u200b", " a", "a ",
	} {
		if err := checkNickname(wrong); !errors.Is(err, ErrNicknameFormat) {
			t.Errorf("%.30q: %v", wrong, err)
		}
	}
}
