package content_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
)

func topic(code, parent string, sorting int64) content.HelpTopic {
	return content.HelpTopic{
		Code: code, Parent: parent, Sorting: sorting, Enabled: true,
		Texts: map[string]content.PageText{"vi": {Title: "Mục " + code, Content: "<p>Nội dung</p>"}, "en": {Title: "Topic " + code, Content: "<p>Text</p>"}},
	}
}

func TestHelpCentre(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		const path = "/wps/system/helpCenter"
		merchanttest.Want(t, site.Call(t, "GET", path, nil), 200, emptyList)
		hidden, draft, evil := topic("hidden", "", 3), topic("draft", "money", 13), topic("evil", "money", 12)
		hidden.Enabled, draft.Enabled = false, false
		evil.Texts["en"] = content.PageText{Title: "Topic evil", Content: `<p onclick="steal()">Text</p><script>steal()</script>`}
		money := topic("money", "", 1)
		money.Texts["en"] = content.PageText{Title: "Topic money"}
		bundle := content.Bundle{Help: []content.HelpTopic{topic("below-hidden", "hidden", 14), evil, draft, topic("pay", "money", 11), topic("alone", "", 2), hidden, money}}
		if err := s.Put(t.Context(), site.ID, bundle); err != nil {
			t.Fatal(err)
		}
		const english = `{"success":true,"value":[
			{"code":"money","title":"Topic money","content":"","children":[
				{"code":"pay","title":"Topic pay","content":"<p>Text</p>","children":[]},
				{"code":"evil","title":"Topic evil","content":"<p>Text</p>","children":[]}]},
			{"code":"alone","title":"Topic alone","content":"<p>Text</p>","children":[]}
		]}`
		t.Run("CA-06 EN-16 topics and articles have the same fields, and hidden ones are omitted", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", path, nil, "Language", "EN"), 200, english)
			merchanttest.Want(t, site.Call(t, "GET", path+"?lang=en&device=MOBILE", nil, "Language", "VI"), 200, english)
		})
		t.Run("a missing language falls back to Vietnamese", func(t *testing.T) {
			list := merchanttest.Value[[]struct{ Title string }](t, site.Call(t, "GET", path, nil, "Language", "PT"))
			if len(list) != 2 || list[0].Title != "Mục money" {
				t.Errorf("got %+v, want the Vietnamese titles of two topics", list)
			}
		})
		t.Run("pages do not list help topics", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", "/wps/system/pages", nil), 200, emptyList)
		})
		t.Run("each member and each visitor has one vote per article", func(t *testing.T) {
			const votePath = "/wps/system/helpCenter/vote"
			body := func(code, helpful, visitor string) string {
				return `{"code":"` + code + `","helpful":` + helpful + `,"visitor":"` + visitor + `"}`
			}
			firstVisitor, secondVisitor := strings.Repeat("a", 32), strings.Repeat("b", 32)
			for _, b := range []string{body("pay", "true", firstVisitor), body("pay", "true", firstVisitor), body("pay", "false", secondVisitor)} {
				merchanttest.Want(t, site.Call(t, "POST", votePath, b), 200, `{"success":true,"value":{}}`)
			}
			for _, b := range []string{body("pay", "false", firstVisitor), body("pay", "true", secondVisitor)} { // the same member in two browsers
				merchanttest.Want(t, site.Call(t, "POST", votePath, b, "Authorization", "player"), 200, `{"success":true,"value":{}}`)
			}
			merchanttest.Want(t, site.Call(t, "POST", votePath, body("draft", "true", firstVisitor)), 404, unknownContent)
			merchanttest.Want(t, site.Call(t, "POST", votePath, `{"code":"pay","helpful":true}`), 400, `{"errorCode":"request_param_err","field":"visitor","message":"the request is not valid","success":false}`)
			entries, err := s.Entries(t.Context(), site.ID, content.Help)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if wantYes, wantNo := map[string]int64{"pay": 2}[e.Code], map[string]int64{"pay": 1}[e.Code]; e.Helpful != wantYes || e.Unhelpful != wantNo {
					t.Errorf("%s: votes %d and %d, want %d and %d", e.Code, e.Helpful, e.Unhelpful, wantYes, wantNo)
				}
			}
		})
		t.Run("an export can be imported", func(t *testing.T) {
			before, err := s.Export(t.Context(), site.ID)
			if err != nil || len(before.Help) != 7 {
				t.Fatalf("export: %d help topics, %v; want 7", len(before.Help), err)
			}
			if err := s.Put(t.Context(), site.ID, before); err != nil {
				t.Errorf("import of the export: %v, want no error", err)
			}
		})
		t.Run("scheduled topics appear at their start", func(t *testing.T) {
			entries, err := s.Entries(t.Context(), site.ID, content.Help)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if e.Code == "alone" {
					e.Starts = site.Clock.Now().Add(time.Hour)
					if _, err := s.ChangeEntry(t.Context(), site.ID, e); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, want := range []int{1, 2} {
				list := merchanttest.Value[[]struct{ Title string }](t, site.Call(t, "GET", path, nil))
				if len(list) != want {
					t.Errorf("got %d topics, want %d", len(list), want)
				}
				site.Clock.Add(time.Hour)
			}
		})
	})
}

func TestMalformedHelp(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	if err := s.Put(t.Context(), site.ID, content.Bundle{Pages: []content.Page{textPage("rules", 1)}, Help: []content.HelpTopic{topic("money", "", 1), topic("pay", "money", 2)}}); err != nil {
		t.Fatal(err)
	}
	bundleWith := func(fn func(*content.HelpTopic)) content.Bundle {
		h := topic("x", "money", 1)
		fn(&h)
		return content.Bundle{Help: []content.HelpTopic{h}}
	}
	for name, c := range map[string]struct {
		field string
		bad   content.Bundle
	}{
		"an invalid code":               {"code", bundleWith(func(h *content.HelpTopic) { h.Code = "a b" })},
		"an unknown topic":              {"parent", bundleWith(func(h *content.HelpTopic) { h.Parent = "nobody" })},
		"an article as topic":           {"parent", bundleWith(func(h *content.HelpTopic) { h.Parent = "pay" })},
		"itself as topic":               {"parent", bundleWith(func(h *content.HelpTopic) { h.Parent = "x" })},
		"the name of a page":            {"duplicate", bundleWith(func(h *content.HelpTopic) { h.Code = "rules" })},
		"no Vietnamese or English text": {"texts", bundleWith(func(h *content.HelpTopic) { h.Texts = map[string]content.PageText{"pt": {Title: "a", Content: "a"}} })},
		"an article without text":       {"content.en", bundleWith(func(h *content.HelpTopic) { h.Texts["en"] = content.PageText{Title: "a"} })},
		"only script": {"content.en", bundleWith(func(h *content.HelpTopic) {
			h.Texts["en"] = content.PageText{Title: "a", Content: "<script>a</script>"}
		})},
		"1 MB of text": {"content.en", bundleWith(func(h *content.HelpTopic) {
			h.Texts["en"] = content.PageText{Title: "a", Content: strings.Repeat("a", 1<<20)}
		})},
	} {
		var f *fault.Fault
		err := s.Put(t.Context(), site.ID, c.bad)
		if !errors.As(err, &f) || !errors.Is(f, content.ErrMalformed) || f.Field != c.field {
			t.Errorf("%s: %v, want ErrMalformed on %s", name, err, c.field)
		}
	}
	err := s.Put(t.Context(), site.ID, bundleWith(func(h *content.HelpTopic) { h.Code, h.Parent = "money", "pay" }))
	if err == nil {
		t.Error("a topic with articles became an article, want a refusal")
	}
}
