package demo_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestDemoContent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		p := parts(t, site)
		if err := demo.Fill(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		site.Serve(t, merchanttest.Tokens{"player": {MemberID: 7, MerchantID: site.ID}}, func(a *rest.API) {
			merchant.Routes(a, site.Merchants)
			content.Routes(a, p.Content)
		})
		before, err := p.Content.Export(t.Context(), site.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := demo.Fill(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		after, err := p.Content.Export(t.Context(), site.ID)
		if diff := cmp.Diff(before, after); diff != "" || err != nil {
			t.Errorf("content after a second start: %v (-first +second)\n%s", err, diff)
		}
		for _, language := range []string{"VI", "EN", "UR", "PT"} {
			t.Run(language, func(t *testing.T) { checkContent(t, site, language) })
		}
	})
}

// simpleHTML matches the HTML that the demo's texts may use.
var simpleHTML = regexp.MustCompile(`^(?:</?(?:p|h3|ul|li|b)>|[^<>])+$`)

func checkContent(t *testing.T, site *merchanttest.Site, language string) {
	get := func(path string) merchanttest.Reply { return site.Call(t, "GET", path, nil, "Language", language) }
	type item struct{ Title, Content, Image, Execution, GroupName, URL string }
	const list = "/wps/relay/MCSFE_getListAnnouncements?platform=M&types="
	t.Run("RG-10 the server's part: the registration page has banners", func(t *testing.T) {
		banners := merchanttest.Value[[]item](t, get(list+"B&groupName=m_reg"))
		if len(banners) < 2 {
			t.Errorf("%d banners, want at least 2", len(banners))
		}
		for _, b := range banners {
			if b.GroupName != "m_reg" || b.Image == "" || (language == "UR") != strings.HasSuffix(b.Image, "-rtl.webp") {
				t.Errorf("banner = %+v, want the group m_reg and a picture for %s", b, language)
			}
		}
	})
	t.Run("ST-04 the server's part: popups for visitors, members and newcomers", func(t *testing.T) {
		var executions []string
		for _, popup := range merchanttest.Value[[]item](t, get(list+"PU&groupName=m_home")) {
			executions = append(executions, popup.Execution)
			if popup.Title == "" || !simpleHTML.MatchString(popup.Content) {
				t.Errorf("popup = %+v, want a title and simple HTML", popup)
			}
		}
		if slices.Sort(executions); !slices.Equal(executions, []string{"A", "B", "F"}) {
			t.Errorf("executions = %v, want A, B, F", executions)
		}
	})
	type page struct{ Name, Title, Content string }
	pages := merchanttest.Value[[]page](t, get("/wps/system/pages"))
	want := []string{"userAgreement", "privacy", "responsible", "bonus", "jackpot", "licence", "about", "contact"}
	var names []string
	for _, p := range pages {
		names = append(names, p.Name)
		full := merchanttest.Value[page](t, get("/wps/system/page/"+p.Name))
		if full.Title != p.Title || len(full.Content) < 150 || !simpleHTML.MatchString(full.Content) {
			t.Errorf("page %s in %s = %s, want the title %q and at least 150 bytes of simple HTML", p.Name, language, full.Content, p.Title)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("pages = %v, want %v", names, want)
	}
	if models := merchanttest.Value[[]struct{ Status string }](t, get("/wps/relay/LIVE_getModelList")); len(models) != 5 ||
		slices.ContainsFunc(models, func(m struct{ Status string }) bool { return m.Status == "streaming" }) {
		t.Errorf("models = %+v, want 5 that do not stream", models)
	}
	if news := merchanttest.Value[[]item](t, get("/wps/relay/GLS2_lobbyNews")); len(news) < 6 {
		t.Errorf("%d news, want at least 6", len(news))
	}
	type service struct{ CsType, Path, URL string }
	services := merchanttest.Value[[]service](t, get("/wps/system/customerService"))
	if len(services) != 2 || services[0].CsType != "CS" || services[0].Path == "" || services[1].CsType != "AFFILIATELINK" || services[1].URL == "" {
		t.Errorf("customer service = %+v, want CS with a path and AFFILIATELINK with a URL", services)
	}
}

// The pages state that the demo has no licence, no support and no real jackpot.
func TestDemoPagesStateWhatIsNotReal(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	p := parts(t, site)
	if err := demo.Fill(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for name, words := range map[string]map[string]string{
		"licence": {"vi": "không có giấy phép", "en": "holds no gambling licence", "ur": "کوئی لائسنس نہیں", "pt": "não tem licença"},
		"jackpot": {"vi": "minh họa", "en": "is an illustration", "ur": "خاکہ", "pt": "é uma ilustração"},
		"contact": {"vi": "không có bộ phận hỗ trợ", "en": "no support desk", "ur": "کوئی معاون ٹیم نہیں", "pt": "não tem atendimento"},
	} {
		for language, phrase := range words {
			page, err := p.Content.PageByName(t.Context(), site.ID, language, name)
			if err != nil || !strings.Contains(page.Content, phrase) {
				t.Errorf("page %s in %s lacks %q: %v", name, language, phrase, err)
			}
		}
	}
	t.Run("PP-13 the server's part: the jackpot page states rules, funding and initial amount in every language", func(t *testing.T) {
		t.Parallel()
		for language, phrases := range map[string][]string{
			"vi": {"Vốn ban đầu:", "Nguồn:", "mức tối đa của một lần cược", "quỹ tạm nghỉ"}, "en": {"Seed:", "Funding:", "most of one stake", "the pool rests"},
			"ur": {"ابتدائی رقم:", "فنڈ:", "شائع شدہ حد", "پول رک جاتا ہے"}, "pt": {"Semente:", "Formação:", "máximo publicado de uma aposta", "o fundo descansa"},
		} {
			page, err := p.Content.PageByName(t.Context(), site.ID, language, "jackpot")
			if err != nil {
				t.Fatal(err)
			}
			for _, phrase := range phrases {
				if !strings.Contains(page.Content, phrase) {
					t.Errorf("jackpot page in %s lacks %q", language, phrase)
				}
			}
		}
	})
}
