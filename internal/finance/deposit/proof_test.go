package deposit_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/picture/picturetest"
	"fairground/internal/site/merchant/merchanttest"
)

// proof uploads a picture of the payment.
func (d *fixture) proof(t *testing.T, who, id string, f picturetest.File) merchanttest.Reply {
	t.Helper()
	d.Refill()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="image"; filename="a.png"`}, "Content-Type": {f.ContentType}})
	if err == nil {
		_, err = part.Write(f.Data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return d.Call(t, "POST", "/wps/transaction/deposit/"+id+"/proof", b.String(), "Authorization", who, "Content-Type", w.FormDataContentType())
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
		valid := picturetest.PNG(t, 4)
		for what, c := range map[string]struct {
			reply merchanttest.Reply
			code  string
		}{
			"another member":         {d.proof(t, "stranger", created.ID, valid), "deposit.unknown"},
			"a deposit of a gateway": {d.proof(t, "payer", d.pay(t, "100000").ID, valid), "deposit.state"},
		} {
			if c.reply.Status/100 != 4 || !strings.Contains(string(c.reply.Body), `"`+c.code+`"`) {
				t.Errorf("%s: got %d %s, want %s", what, c.reply.Status, c.reply.Body, c.code)
			}
		}
		want(t, "status before the proof", d.status(t, created.ID), "WAITING")
		want(t, "tasks before the proof", openTasks(), "0")
		for range 2 { // the second picture replaces the first one
			want(t, "proof", fmt.Sprint(d.proof(t, "payer", created.ID, valid).Status), "200")
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
		want(t, "a proof of a credited deposit", fmt.Sprint(d.proof(t, "payer", created.ID, valid).Status), "409")
		want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), "59400")
		d.VerifyLedger(t)
	})
}

// Files that are no pictures are refused and not stored. They do not claim the deposit.
func TestSE07PartBadProofsOfADeposit(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	created := d.transfer(t, "60000")
	for what, bad := range picturetest.BadFiles(t) {
		refusal := "400 deposit.picture image"
		if len(bad.Data) > picture.MaxBytes { // more than the call accepts
			refusal = "413 request.too_large"
		}
		want(t, what, outcome(t, d.proof(t, "payer", created.ID, bad.File)), refusal)
	}
	justTooLarge := picturetest.PNG(t, 4)
	justTooLarge.Data = append(justTooLarge.Data, make([]byte, picture.MaxBytes+1-len(justTooLarge.Data))...)
	want(t, "a byte too many", outcome(t, d.proof(t, "payer", created.ID, justTooLarge)), "400 deposit.picture image")
	want(t, "status", d.status(t, created.ID), "WAITING")
	want(t, "tasks", fmt.Sprint(d.Count(t, "task")), "0")
	want(t, "stored pictures", fmt.Sprint(d.Count(t, "discarded")), "0")
	want(t, "a good picture after them", outcome(t, d.proof(t, "payer", created.ID, picturetest.PNG(t, 4))), "200")
	want(t, "status after it", d.status(t, created.ID), "CLAIMED")
}

// The stored picture has no location, and only operators who confirm deposits get it, as a download.
func TestSE07PartStoredProofOfADeposit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		lan, games := d.Operator(t, "lan", "finance"), d.Operator(t, "anna", "games")
		created, without := d.transfer(t, "60000"), d.transfer(t, "60000")
		want(t, "upload", outcome(t, d.proof(t, "payer", created.ID, picturetest.WithLocation(t))), "200")
		path := "/ops/v1/deposits/" + created.ID + "/proof"
		r := lan(http.MethodGet, path, nil)
		picturetest.WantWithoutLocation(t, "the operator", r.Body)
		if r.Status != http.StatusOK || r.Header.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(r.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("proof: got %d %v, want 200 and the download of a JPEG", r.Status, r.Header)
		}
		want(t, "a deposit without a proof", outcome(t, lan(http.MethodGet, "/ops/v1/deposits/"+without.ID+"/proof", nil)), "404 deposit.unknown")
		want(t, "without the permission", outcome(t, games(http.MethodGet, path, nil)), "403 ops.forbidden")
		want(t, "the member", fmt.Sprint(d.Call(t, "GET", path, nil, "Authorization", "payer").Status), "401")
	})
}
