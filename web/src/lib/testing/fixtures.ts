// Answers of the server as the demo gives them, cut down to what tests look at.

export const settings = {
  merchantCode: 'fairground',
  merchantName: 'Fairground',
  languages: ['VI', 'EN', 'UR', 'PT'],
  defaultLanguage: 'VI',
  pickerLanguages: ['VI', 'EN'],
  currency: { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0', decimals: 0 },
  statusReading: 'a',
  ageLimit: 18,
  countryDialingCode: '84',
  cdn: ['/m/'],
  licences: [
    { name: 'DEMO 1', image: '', link: '' },
    { name: 'DEMO 2', image: '', link: '' },
    { name: 'DEMO 3', image: '', link: '' },
  ],
  downloadLinks: [],
  appWindow: false,
  demo: true,
  homeGameCategory: 'HOT',
  gamePageAvtiveCategory: 'HOT',
};

export const status = {
  ip: '127.0.0.1',
  systemStatus: 0,
  statusReading: 'a',
  homeGameCategory: 'HOT',
  gamePageAvtiveCategory: 'HOT',
  country: 'VN',
};

export const switches = {
  flags: { MANPLAYREB3: true },
  modules: {},
  promotions: { REFERRAL: true },
};

const member = {
  id: '7',
  nickname: 'Minh Anh',
  account: 'demo88',
  type: 0,
  clubLabel: { labelName: 'VIP 3' },
};

const wallet = {
  sumBalance: 12480500,
  currency: 'VND',
  currencySymbol: '₫',
  balance: [{ kind: 'cash', currency: 'VND', balance: 12480500, version: 1 }],
};

export function game(number: number, more: Record<string, unknown> = {}) {
  return {
    gameId: `rng-${number}`,
    nodeId: String(1000 + number),
    nodeName: `Game ${number}`,
    displayName: 'Jade Lantern',
    vassalage: 'JL',
    gameCategory: 'RNG',
    iconUrl: `/m/art/tiles/rng-${number}.webp`,
    ...more,
  };
}

/** Everything that home asks for. */
export const homeAnswers = {
  'GET /wps/system/settings/consolidated': settings,
  'GET /wps/system/status': status,
  'GET /wps/system/whitelabel': switches,
  'GET /wps/member/info': member,
  'GET /wps/v2/wallets/balance': wallet,
  'GET /wps/relay/GCSGAME_newGameVendor': [],
  'GET /wps/relay/MCSFE_getListAnnouncements': [],
  'GET /wps/relay/GCSGAME_hotGamesV2': { list: [game(1)] },
};
