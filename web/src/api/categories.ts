// Codes of categories on the wire: of games, and what else a gateway of this family lists among them. Each stands
// here and nowhere else.

export const all = 'ALL';
export const hot = 'HOT';
export const favourites = 'FAV';
export const jl = 'JL';
export const slots = 'RNG';
export const fishing = 'FISH';
export const live = 'LIVE';
export const cards = 'PVP';
export const sports = 'SPORTS';
export const esports = 'ESPORTS';
export const lottery = 'LOTT';
export const fastLottery = 'ELOTT';
export const liveStreams = 'LIVESTREAM';
export const home = 'HOME';
export const promotions = 'PROMO';
