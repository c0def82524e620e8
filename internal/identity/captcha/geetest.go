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

// geetestURL is where version 4 of the service checks what its script gave the browser.
const geetestURL = "https://gcaptcha4.geetest.com/validate"

// geetestPurpose names the provider's own numbers among used ones.
const geetestPurpose = "captcha.geetest"

// geetestProof is what the service's script gives the browser.
type geetestProof struct {
	CaptchaID     string `json:"captcha_id"`
	LotNumber     string `json:"lot_number"`
	CaptchaOutput string `json:"captcha_output"`
	PassToken     string `json:"pass_token"`
	GenTime       string `json:"gen_time"`
}

// checkGeetest asks the service. It answers only for what is signed with our key; when it cannot be reached nobody is
// let through unproved.
func (s *Service) checkGeetest(ctx context.Context, challenge string) error {
	var proof geetestProof
	decoder := json.NewDecoder(strings.NewReader(challenge))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&proof); err != nil || decoder.More() || proof.LotNumber == "" ||
		proof.CaptchaID != "" && proof.CaptchaID != s.o.GeetestID {
		return ErrChallengeInvalid.On("challenge")
	}
	// Before asking, so that of two that come together one is refused.
	first, err := s.spend(ctx, geetestPurpose, secret.Mark{ID: digest(proof.LotNumber), Expires: s.o.Now().Add(passFor)})
	if err != nil {
		return err
	}
	if !first {
		return ErrChallengeInvalid.On("challenge")
	}
	good, err := s.askGeetest(ctx, proof)
	if err != nil {
		return rest.ErrUnavailable.Because(fmt.Errorf("ask geetest: %w", err))
	}
	if !good {
		return ErrChallengeInvalid.On("challenge")
	}
	return nil
}

// digest bounds what is stored of a number that the client sent.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s *Service) askGeetest(ctx context.Context, proof geetestProof) (bool, error) {
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
		return false, fmt.Errorf("answered %d", reply.StatusCode)
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
		return false, fmt.Errorf("answered %q, code %q", answer.Status, answer.Code)
	}
	return answer.Result == "success", nil
}
