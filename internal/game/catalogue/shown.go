package catalogue

import "context"

// A ShownGame is a visible game, as lists show it.
type ShownGame struct {
	Code, Node, Name, Vendor, VendorName, Category string
	Icon, LaunchCode, Group, LottoMode             string
	SupportPlay, FreePlay, Maintenance, NotOpen    bool
}

// ShownGames returns the visible games with the codes, in the order of the codes.
func (s *Service) ShownGames(ctx context.Context, merchantID int64, codes []string, language string) ([]ShownGame, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	out := make([]ShownGame, 0, len(codes))
	for _, code := range codes {
		g := d.byCode[code]
		if g == nil {
			continue
		}
		out = append(out, ShownGame{
			Code: g.code, Node: nodeID(g), Name: g.names[languageIndex(language)], Vendor: g.vendor.code, VendorName: g.vendor.name, Category: g.category,
			Icon: g.icon, LaunchCode: g.launchCode, Group: g.groupID, LottoMode: g.lottoMode,
			SupportPlay: g.supportPlay, FreePlay: g.freePlay, Maintenance: g.maintenance, NotOpen: g.notOpen,
		})
	}
	return out, nil
}
