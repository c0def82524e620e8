package member

import (
	"fmt"
	"sync"

	"fairground/internal/fault"
	"fairground/internal/validation"
)

// ErrNicknameFormat refuses a nickname that is too long, or that holds what cannot be seen or turns the reading
// direction: others read it.
var ErrNicknameFormat = fault.New(fault.Invalid, "member.nickname_format")

var nicknames = sync.OnceValues(func() (*validation.Rules, error) {
	return validation.New(validation.Standard(validation.StandardLimits()))
})

// checkNickname holds a nickname against the rule that the app is given too. None is no mistake.
func checkNickname(nickname string) error {
	if nickname == "" {
		return nil
	}
	rules, err := nicknames()
	if err != nil {
		return fmt.Errorf("read the rules of nicknames: %w", err)
	}
	if rules.Refuse("nickname", nickname, nil) != nil {
		return ErrNicknameFormat.On("nickname")
	}
	return nil
}
