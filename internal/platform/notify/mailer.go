package notify

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

// mailTimeout is for one whole delivery.
const mailTimeout = 30 * time.Second

// mailer sends e-mail by SMTP: over TLS, begun at once (smtps) or asked for (STARTTLS). Only a server on this
// machine may do without.
type mailer struct {
	host, domain string
	from         string
	options      []mail.Option
}

func newMailer(o Options) (*mailer, error) {
	u, err := url.Parse(o.SMTP)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("the mail server needs an address that begins with smtp:// or smtps://")
	}
	from, err := netmail.ParseAddress(o.MailFrom)
	if err != nil {
		return nil, errors.New("e-mail needs an address to come from")
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	m := &mailer{host: u.Hostname(), domain: domain, from: from.String(), options: []mail.Option{mail.WithTimeout(mailTimeout)}}
	port := 587
	if u.Scheme == "smtps" {
		port = 465
		m.options = append(m.options, mail.WithSSL())
	} else if loopback(u.Hostname()) {
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	} else {
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if text := u.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil {
			return nil, errors.New("the mail server's port is no number")
		}
	}
	m.options = append(m.options, mail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		m.options = append(m.options,
			mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	_, err = m.client()
	return m, err
}

func (m *mailer) client() (*mail.Client, error) {
	c, err := mail.NewClient(m.host, m.options...)
	if err != nil {
		return nil, fmt.Errorf("prepare e-mail: %w", err)
	}
	return c, nil
}

func (m *mailer) send(ctx context.Context, id int64, message Message) error {
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(letter.From(m.from), letter.To(message.To)); err != nil {
		return fmt.Errorf("the e-mail has a malformed address: %w", errFinal)
	}
	letter.Subject(message.Subject)
	letter.SetDate()
	letter.SetMessageIDWithValue(fmt.Sprintf("%d@%s", id, m.domain)) // the same in every attempt
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	letter.SetGenHeader("Content-Language", message.Language)
	letter.SetBodyString(mail.TypeTextPlain, message.Text)
	client, err := m.client()
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, letter)
	if err == nil || letter.IsDelivered() { // taken; what went wrong after that is only the goodbye
		return nil
	}
	return blame(letter, err)
}

// blame tells a refusal for good from trouble that may pass. The server's words often repeat the recipient: only
// its code is kept.
func blame(letter *mail.Msg, err error) error {
	var refused *mail.SendError
	if letter.HasSendError() && errors.As(letter.SendError(), &refused) && refused.ErrorCode() != 0 {
		why := fmt.Errorf("%s: the mail server answers %d %s", refused.Reason, refused.ErrorCode(), refused.EnhancedStatusCode())
		if !refused.IsTemp() {
			return fmt.Errorf("%w: %w", why, errFinal)
		}
		return why
	}
	if letter.HasSendError() {
		return errors.New("the connection to the mail server broke")
	}
	return fmt.Errorf("reach the mail server: %w", err)
}
