package captcha

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

// geetestURL is the validation endpoint of Geetest version 4.
const geetestURL = "https://gcaptcha4.geetest.com/validate"

const geetestPurpose = "captcha.geetest"

// A geetestResult is the result of Geetest's script in the browser.
type geetestResult struct {
	CaptchaID     string `json:"captcha_id"`
	LotNumber     string `json:"lot_number"`
	CaptchaOutput string `json:"captcha_output"`
	PassToken     string `json:"pass_token"`
	GenTime       string `json:"gen_time"`
}

// checkGeetest validates a challenge with Geetest. It rejects the challenge if Geetest is unreachable.
func (s *Service) checkGeetest(ctx context.Context, challenge string) error {
	var result geetestResult
	decoder := json.NewDecoder(strings.NewReader(challenge))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&result); err != nil || decoder.More() || result.LotNumber == "" ||
		result.CaptchaID != "" && result.CaptchaID != s.o.GeetestID {
		return ErrChallengeInvalid.On("challenge")
	}
	// Mark it as used before the request, so that only one of two concurrent requests succeeds.
	firstUse, err := s.markUsed(ctx, geetestPurpose, secret.TokenInfo{ID: digest(result.LotNumber), Expires: s.o.Now().Add(passLifetime)})
	if err != nil {
		return err
	}
	if !firstUse {
		return ErrChallengeInvalid.On("challenge")
	}
	valid, err := s.requestGeetest(ctx, result)
	if err != nil {
		return rest.ErrUnavailable.Because(fmt.Errorf("validate with Geetest: %w", err))
	}
	if !valid {
		return ErrChallengeInvalid.On("challenge")
	}
	return nil
}

// digest shortens a lot number before it is stored, because the client chooses its length.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s *Service) requestGeetest(ctx context.Context, result geetestResult) (bool, error) {
	mac := hmac.New(sha256.New, []byte(s.o.GeetestKey))
	mac.Write([]byte(result.LotNumber))
	form := url.Values{
		"lot_number":     {result.LotNumber},
		"captcha_output": {result.CaptchaOutput},
		"pass_token":     {result.PassToken},
		"gen_time":       {result.GenTime},
		"sign_token":     {hex.EncodeToString(mac.Sum(nil))},
	}
	endpoint := s.o.GeetestURL + "?captcha_id=" + url.QueryEscape(s.o.GeetestID)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewBufferString(form.Encode()))
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	httpResponse, err := s.o.Client.Do(request)
	if err != nil {
		return false, err
	}
	defer httpResponse.Body.Close()
	if httpResponse.StatusCode != http.StatusOK {
		return false, fmt.Errorf("status %d", httpResponse.StatusCode)
	}
	var response struct {
		Status string `json:"status"`
		Result string `json:"result"`
		Code   string `json:"code"`
	}
	if err := json.NewDecoder(httpResponse.Body).Decode(&response); err != nil {
		return false, err
	}
	if response.Status != "success" {
		return false, fmt.Errorf("status %q, code %q", response.Status, response.Code)
	}
	return response.Result == "success", nil
}
