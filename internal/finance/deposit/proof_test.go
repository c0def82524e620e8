package deposit_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// proof uploads a picture of the payment.
func (d *fixture) proof(t *testing.T, who, id string, data []byte) merchanttest.Reply {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="image"; filename="a.png"`}, "Content-Type": {"image/png"}})
	if err == nil {
		_, err = part.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return d.Call(t, "POST", "/wps/transaction/deposit/"+id+"/proof", b.String(), "Authorization", who, "Content-Type", w.FormDataContentType())
}

func newPicture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A member uploads a picture of the payment, an operator looks at it and confirms the deposit.
func TestOS12SE07PartProofOfADeposit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		lan := d.Operator(t, "lan", "finance")
		created := d.transfer(t, "60000")
		openTasks := func() string {
			return fmt.Sprint(d.Number(t, "SELECT COUNT(*) FROM task WHERE kind = 'deposit.claimed' AND state = 'open'"))
		}
		picture := newPicture(t)
		for what, c := range map[string]struct {
			reply merchanttest.Reply
			code  string
		}{
			"a program":              {d.proof(t, "payer", created.ID, []byte("MZ\x90\x00")), "deposit.picture"},
			"half a picture":         {d.proof(t, "payer", created.ID, picture[:len(picture)/2]), "deposit.picture"},
			"another member":         {d.proof(t, "stranger", created.ID, picture), "deposit.unknown"},
			"a deposit of a gateway": {d.proof(t, "payer", d.pay(t, "100000").ID, picture), "deposit.state"},
		} {
			if c.reply.Status/100 != 4 || !strings.Contains(string(c.reply.Body), `"`+c.code+`"`) {
				t.Errorf("%s: got %d %s, want %s", what, c.reply.Status, c.reply.Body, c.code)
			}
		}
		want(t, "status before the proof", d.status(t, created.ID), "WAITING")
		want(t, "tasks before the proof", openTasks(), "0")
		for range 2 { // the second picture replaces the first one
			want(t, "proof", fmt.Sprint(d.proof(t, "payer", created.ID, picture).Status), "200")
		}
		want(t, "status after the proof", d.status(t, created.ID), "CLAIMED")
		want(t, "tasks after the proof", openTasks(), "1")
		want(t, "cancel after the proof", fmt.Sprint(d.Call(t, "DELETE", "/wps/transaction/deposit/"+created.ID, nil, "Authorization", "payer").Status), "409")
		d.Exec(t, "UPDATE deposit SET expires_at = 1")
		if err := d.Server.Deposits.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, "status after the end", d.status(t, created.ID), "CLAIMED") // an operator decides
		one := "/ops/v1/deposits/" + created.ID
		type row struct{ Version int }
		version := merchanttest.Value[row](t, lan(http.MethodGet, one, nil)).Version
		want(t, "confirm", fmt.Sprint(lan(http.MethodPost, one+"/confirm", map[string]any{"version": version}).Status), "200")
		want(t, "status after the confirmation", d.status(t, created.ID), "CREDITED")
		want(t, "tasks after the confirmation", openTasks(), "0")
		want(t, "a proof of a credited deposit", fmt.Sprint(d.proof(t, "payer", created.ID, picture).Status), "409")
		want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), "59400")
		d.VerifyLedger(t)
	})
}
