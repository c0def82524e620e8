package merchant

import (
	"context"
	"errors"
	"net/url"
	"regexp"
)

// ChatOpening holds the opening hours of the live chat. Equal times mean always open.
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

func checkChatService(serviceURL string) error {
	if serviceURL == "" {
		return nil
	}
	u, err := url.Parse(serviceURL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || len(serviceURL) > 512 {
		return errors.New("must be an https address of at most 512 characters, or empty")
	}
	return nil
}

// Chat returns the opening hours of the live chat and the URL of an external chat, if any.
func (s *Service) Chat(ctx context.Context, merchantID int64) (hours ChatOpening, service string, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return ChatOpening{}, "", err
	}
	return m.settings.ChatHours, m.settings.ChatService, nil
}
