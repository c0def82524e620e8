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

// geetestProof is the result of Geetest's script in the browser.
type geetestProof struct {
	CaptchaID     string `json:"captcha_id"`
	LotNumber     string `json:"lot_number"`
	CaptchaOutput string `json:"captcha_output"`
	PassToken     string `json:"pass_token"`
	GenTime       string `json:"gen_time"`
}

// checkGeetest validates a challenge with Geetest. It fails closed: when Geetest is unreachable, the challenge is rejected.
func (s *Service) checkGeetest(ctx context.Context, challenge string) error {
	var proof geetestProof
	decoder := json.NewDecoder(strings.NewReader(challenge))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&proof); err != nil || decoder.More() || proof.LotNumber == "" ||
		proof.CaptchaID != "" && proof.CaptchaID != s.o.GeetestID {
		return ErrChallengeInvalid.On("challenge")
	}
	// Spend before the request, so that one of two concurrent replays is rejected.
	first, err := s.spend(ctx, geetestPurpose, secret.TokenInfo{ID: digest(proof.LotNumber), Expires: s.o.Now().Add(passLifetime)})
	if err != nil {
		return err
	}
	if !first {
		return ErrChallengeInvalid.On("challenge")
	}
	valid, err := s.requestGeetest(ctx, proof)
	if err != nil {
		return rest.ErrUnavailable.Because(fmt.Errorf("validate with Geetest: %w", err))
	}
	if !valid {
		return ErrChallengeInvalid.On("challenge")
	}
	return nil
}

// digest bounds the length of a stored lot number, which the client chooses.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s *Service) requestGeetest(ctx context.Context, proof geetestProof) (bool, error) {
	mac := hmac.New(sha256.New, []byte(s.o.GeetestKey))
	mac.Write([]byte(proof.LotNumber))
	form := url.Values{
		"lot_number":     {proof.LotNumber},
		"captcha_output": {proof.CaptchaOutput},
		"pass_token":     {proof.PassToken},
		"gen_time":       {proof.GenTime},
		"sign_token":     {hex.EncodeToString(mac.Sum(nil))},
	}
	address := s.o.GeetestURL + "?captcha_id=" + url.QueryEscape(s.o.GeetestID)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewBufferString(form.Encode()))
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	reply, err := s.o.Client.Do(request)
	if err != nil {
		return false, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return false, fmt.Errorf("status %d", reply.StatusCode)
	}
	var answer struct {
		Status string `json:"status"`
		Result string `json:"result"`
		Code   string `json:"code"`
	}
	if err := json.NewDecoder(reply.Body).Decode(&answer); err != nil {
		return false, err
	}
	if answer.Status != "success" {
		return false, fmt.Errorf("status %q, code %q", answer.Status, answer.Code)
	}
	return answer.Result == "success", nil
}
