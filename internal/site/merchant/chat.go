package merchant

import (
	"context"
	"errors"
	"net/url"
	"regexp"
)

// ChatOpening are the opening hours of the live chat. Equal times mean always.
type ChatOpening struct {
	Opens  string `json:"opens"`
	Closes string `json:"closes"`
}

var clockTime = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

func checkChatHours(h ChatOpening) error {
	if !clockTime.MatchString(h.Opens) || !clockTime.MatchString(h.Closes) {
		return errors.New("opens and closes must be times such as 08:00")
	}
	return nil
}

func checkChatService(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || len(address) > 512 {
		return errors.New("must be an https address of at most 512 characters, or empty")
	}
	return nil
}

// Chat returns the opening hours of the live chat and the address of an external one.
func (s *Service) Chat(ctx context.Context, merchantID int64) (hours ChatOpening, service string, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return ChatOpening{}, "", err
	}
	return m.settings.ChatHours, m.settings.ChatService, nil
}
