package main

import (
	"fmt"
	"strings"

	"fairground/internal/platform/spec"
)

// A codeFile is a TypeScript file with the codes of one kind.
type codeFile struct {
	name, source, doc string
	groups            []codeGroup
}

// A codeGroup is a group of codes with an optional comment.
type codeGroup struct {
	doc   string
	codes []appCode
}

type appCode struct{ name, code string }

// appCodes contains only the codes that the app uses.
var appCodes = []codeFile{
	{
		"categories.gen.ts", "games.go", "Category codes of the API, of games and of the other lists that have a category.",
		[]codeGroup{{"", []appCode{
			{"all", spec.ViewAll}, {"hot", spec.ViewHot}, {"favourites", spec.ViewFavourites}, {"jl", spec.JadeLantern}, {"slots", spec.Slots},
			{"fishing", spec.Fishing}, {"live", spec.Live}, {"cards", spec.Cards}, {"sports", spec.Sports}, {"esports", spec.Esports},
			{"lottery", spec.Lottery}, {"fastLottery", spec.FastLottery}, {"liveStreams", spec.ViewLivestream}, {"home", spec.ViewHome},
			{"promotions", spec.ViewPromotions},
		}}},
	},
	{
		"content-types.gen.ts", "content.go", "Content types of the API, and banner groups.",
		[]codeGroup{
			{"", []appCode{
				{"agentNotice", spec.ContentAgent}, {"playerNotice", spec.ContentPlayer}, {"banner", spec.ContentBanner}, {"popup", spec.ContentPopup},
			}},
			{"", []appCode{{"homeGroup", spec.GroupHome}, {"liveGroup", spec.GroupLive}, {"registerGroup", spec.GroupRegister}}},
		},
	},
	{
		"vendor-codes.gen.ts", "games.go", "Codes of the vendors that have special rules.",
		[]codeGroup{
			{"Vendors shown first in the provider list. JL is also a category.", []appCode{
				{"eg3", spec.VendorEG3}, {"pg", spec.VendorPG}, {"fc", spec.VendorFC}, {"jl", spec.VendorJL},
			}},
			{"Vendors whose games do not start automatically.", []appCode{
				{"lottoVietnam", spec.VendorLottoVN}, {"sea", spec.VendorSEA}, {"lottery", spec.VendorLott}, {"fastLottery", spec.VendorELott},
			}},
			{"Vendors that group the esports games.", []appCode{{"imes", spec.VendorIMES}, {"sv3", spec.VendorSV3}, {"av", spec.VendorAV}}},
		},
	},
	{
		"link-codes.gen.ts", "link.go", "Names of the merchant's contact links in the API.",
		[]codeGroup{{"", []appCode{{"telegram", spec.LinkTelegram}, {"whatsApp", spec.LinkWhatsApp}}}},
	},
	{
		"lottery-codes.gen.ts", "games.go", "Lottery codes of the API.",
		[]codeGroup{{"The client type of a browser.", []appCode{{"lotteryClient", spec.ClientLottery}}}},
	},
}

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
