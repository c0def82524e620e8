package main

import (
	"fmt"
	"strings"

	"fairground/internal/platform/spec"
)

// codeFile is a file of the app with the codes of one kind that the app speaks.
type codeFile struct {
	name, source, doc string
	groups            []codeGroup
}

// codeGroup is some of them under a comment, which may be empty.
type codeGroup struct {
	doc   string
	codes []appCode
}

// appCode is a code and the name by which the app calls it.
type appCode struct{ name, code string }

// appCodes are the codes of the app. Only those that it names stand here: what it never says needs no name.
var appCodes = []codeFile{
	{
		"categories.gen.ts", "games.go", "Codes of categories on the wire: of games, and what else a gateway of this family lists among them.",
		[]codeGroup{{"", []appCode{
			{"all", spec.ViewAll}, {"hot", spec.ViewHot}, {"favourites", spec.ViewFavourites}, {"jl", spec.JadeLantern}, {"slots", spec.Slots},
			{"fishing", spec.Fishing}, {"live", spec.Live}, {"cards", spec.Cards}, {"sports", spec.Sports}, {"esports", spec.Esports},
			{"lottery", spec.Lottery}, {"fastLottery", spec.FastLottery}, {"liveStreams", spec.ViewLivestream}, {"home", spec.ViewHome},
			{"promotions", spec.ViewPromotions},
		}}},
	},
	{
		"content-types.gen.ts", "content.go", "Types of content on the wire, and the groups of banners.",
		[]codeGroup{
			{"", []appCode{
				{"agentNotice", spec.ContentAgent}, {"playerNotice", spec.ContentPlayer}, {"banner", spec.ContentBanner}, {"popup", spec.ContentPopup},
			}},
			{"", []appCode{{"homeGroup", spec.GroupHome}, {"liveGroup", spec.GroupLive}, {"registerGroup", spec.GroupRegister}}},
		},
	},
	{
		"vendor-codes.gen.ts", "games.go", "Codes of the vendors that rules name.",
		[]codeGroup{
			{"Vendors that lead among the providers. JL is offered as a category as well.", []appCode{
				{"eg3", spec.VendorEG3}, {"pg", spec.VendorPG}, {"fc", spec.VendorFC}, {"jl", spec.VendorJL},
			}},
			{"Vendors whose games do not start by themselves.", []appCode{
				{"lottoVietnam", spec.VendorLottoVN}, {"sea", spec.VendorSEA}, {"lottery", spec.VendorLott}, {"fastLottery", spec.VendorELott},
			}},
			{"Vendors that esports are divided by.", []appCode{{"imes", spec.VendorIMES}, {"sv3", spec.VendorSV3}, {"av", spec.VendorAV}}},
		},
	},
	{
		"link-codes.gen.ts", "link.go", "Ways to reach the merchant, by the names that the wire has for them.",
		[]codeGroup{{"", []appCode{{"telegram", spec.LinkTelegram}, {"whatsApp", spec.LinkWhatsApp}}}},
	},
	{
		"lottery-codes.gen.ts", "games.go", "What the wire calls the lottery's own things.",
		[]codeGroup{{"The client that its games are asked for with: a browser.", []appCode{{"lotteryClient", spec.ClientLottery}}}},
	},
}

// text writes the file as the formatter leaves it.
func (f codeFile) text() string {
	var b strings.Builder
	b.WriteString(notice(f.source))
	fmt.Fprintf(&b, "// %s\n", f.doc)
	for _, group := range f.groups {
		b.WriteString("\n")
		if group.doc != "" {
			fmt.Fprintf(&b, "/** %s */\n", group.doc)
		}
		for _, c := range group.codes {
			fmt.Fprintf(&b, "export const %s = '%s';\n", c.name, c.code)
		}
	}
	return b.String()
}
