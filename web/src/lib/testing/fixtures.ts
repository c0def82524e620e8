// Responses of a demo server, reduced to what the tests need.

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
  downloadPopup: false,
  demo: true,
  homeGameCategory: 'HOT',
  gamePageAvtiveCategory: 'HOT',
  signIn: { google: false, facebook: false, sms: false, firebase: null },
};

export const status = {
  ip: '127.0.0.1',
  systemStatus: 0,
  statusReading: 'a',
  homeGameCategory: 'HOT',
  gamePageAvtiveCategory: 'HOT',
  country: 'VN',
  maintenance: null,
};

export const switches = {
  flags: { MANPLAYREB3: true },
  modules: {
    INBOX3: true,
    PROFPIC3: true,
    PERSPNL3: true,
    CHNGPASSVERIF3: true,
    FUNDTRANS3: true,
    MEMTRANS3: true,
    AGEINFO3: true,
  },
  promotions: { REFERRAL: true },
};

const member = {
  id: '7',
  nickname: 'Minh Anh',
  account: 'demo88',
  type: 0,
  clubLabel: { labelName: 'VIP 3' },
  avatar: '',
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

export function vendor(code: string, name: string, gameTypes: string[], sorting: number) {
  return { vendorCode: code, displayName: name, gameTypes, vendorSorting: sorting };
}

export function gamePage(games: readonly unknown[], page = 1, pages = 1, total = games.length) {
  return { games, pageNum: page, totalPages: pages, total };
}

export function announcement(number: number, more: Record<string, unknown> = {}) {
  return {
    id: String(number),
    type: 'PL',
    title: `News ${number}`,
    content: `<p>Text ${number}</p>`,
    tag: '',
    cta: '',
    groupName: '',
    url: '',
    image: '',
    execution: '',
    promotionType: '',
    read: false,
    startTime: 1_700_000_000_000,
    ...more,
  };
}

export const jackpot = {
  source: 'simulated',
  amount: 4_000_000_000,
  start: 3_900_000_000,
  perTick: 7,
  tickMs: 200,
  rules: '/m/jackpot',
  currency: '',
  games: [] as { category: string; vendors: string[] | null }[],
};

export const realJackpot = {
  ...jackpot,
  source: 'pool',
  perTick: 0,
  currency: 'VND',
  games: [
    { category: 'JL', vendors: ['AV', 'JL'] },
    { category: 'RNG', vendors: ['JL'] },
  ],
};

export const pool = {
  currency: 'VND',
  amount: 4_000_000_000,
  seed: 3_700_000_000,
  cap: 37_000_000_000,
  sharePerMille: 10,
  most: 500_000,
  perDay: 3,
  beginsAt: 0,
  games: [
    { category: 'JL', vendors: ['JL'] },
    { category: 'RNG', vendors: ['JL'] },
  ],
  unit: 100,
  parts: 2_000_000_000,
  series: 2,
  draws: 1234,
  clientSeed: 'jackpot-VND-1001-2',
  commitment: '1920eaa36520fd076ad05447b131ab8fc05772f2a369e9a82b9b1c01c7a48c13',
  nextCommitment: '949dee75e914385777a817f1b2ff65acabdc5d85b095c3fa49ae6ecac24fe5f9',
  publishedAt: 1_773_480_413_000,
  wins: [
    {
      series: 1,
      account: 'mi***2',
      amount: 5_700_000_543,
      stake: 200_000_000_000,
      wonAt: 1_773_480_413_000,
      clientSeed: 'jackpot-VND-1001-1',
      seed: '6ae6783f4fbde91b6eb88b73a48ed247dbe5882e2579683432c1bfc525454add',
      commitment: '136dfbe07a57f16ac3bb9aedb16886413dc31a80444a200b5758763ccf758915',
      publishedAt: 1_773_480_413_000,
      nonce: 2,
      number: 1_700_871_700,
      below: 2_000_000_000,
    },
  ],
};

export function winner(number: number, more: Record<string, unknown> = {}) {
  return {
    simulated: true,
    vo: {
      customerName: `p***${number}`,
      vendor: 'JL',
      gameName: `Game ${number}`,
      iconUrl: `/m/art/tiles/rng-${number}.webp`,
      winAmount: 1000 * number,
      gameId: `rng-${number}`,
      nodeId: String(1000 + number),
      gameCategory: 'RNG',
      currencySymbol: '₫',
      position: 'B',
      ...more,
    },
  };
}

/** The responses that home needs. */
export const homeAnswers = {
  'GET /wps/system/settings/consolidated': settings,
  'GET /wps/system/status': status,
  'GET /wps/system/whitelabel': switches,
  'GET /wps/system/customerService': [],
  'GET /wps/member/info': member,
  'GET /wps/v2/wallets/balance': wallet,
  'GET /wps/relay/GCSGAME_newGameVendor': [],
  'GET /wps/relay/MCSFE_getListAnnouncements': [],
  'GET /wps/relay/MCSFE_getUnreadAnnouncementCount': { count: 0 },
  'GET /wps/relay/EMFE_getInboxUnreadCount': { inboxUnreadCount: 0 },
  'GET /wps/relay/GCSGAME_hotGamesV2': { list: [game(1)] },
};
