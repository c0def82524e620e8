package message_test

import (
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMessageWithoutAReadersLanguageFallsBack(t *testing.T) {
	t.Parallel()
	h := newInboxSite(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	send := func(languages ...string) {
		t.Helper()
		written := map[string]any{}
		for _, language := range languages {
			written[language] = map[string]string{"title": "Title " + language, "body": "<p>Text " + language + "</p>"}
		}
		merchanttest.Value[sentMessage](t, h.operator("POST", "/ops/v1/messages", map[string]any{"audience": "all", "texts": written}))
	}
	send("vi", "en")
	send("en", "pt")
	for language, want := range map[string][2]string{"VI": {"en", "vi"}, "EN": {"en", "en"}, "UR": {"en", "vi"}, "PT": {"pt", "vi"}} {
		list := h.list(t, "player", "Language", language).List
		for i, text := range want { // the newest is first
			wantEqual(t, "title in "+language, list[i].Title, "Title "+text)
			wantEqual(t, "preview in "+language, list[i].Preview, "Text "+text)
		}
	}
}

func TestMessageWithBrokenHTMLIsReadable(t *testing.T) {
	t.Parallel()
	h := newInboxSite(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	m := h.send(t, map[string]any{"audience": "all"}, "Sale", `</div><p>Sale <b>50%<p>now</table><a href="/m/activity">go<script>alert(1)</p`)
	wantEqual(t, "preview", h.list(t, "player").List[0].Preview, "Sale 50% now go")
	opened := merchanttest.Value[item](t, h.Call(t, "GET", messagePath+m.ID, nil, "Authorization", "player"))
	wantEqual(t, "opened title", opened.Title, "Sale")
}
