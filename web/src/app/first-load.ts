// What the page's first script knows, taken from the app's own tables when the page is built.
import { banner } from '../api/content-types.gen.ts';
import {
  announcementsParams,
  announcementsPath,
  devices,
  homeAnnouncements,
  hotGamesParams,
  hotGamesPath,
  patience,
  servicesPath,
  settingsPath,
  statusPath,
  switchesPath,
} from '../api/home-calls.ts';
import { directionOf, languages, wireLanguage } from '../i18n/languages.ts';
import { bannerChoice, bannerFolder, bannerSizes } from '../lib/banner-art.ts';
import { homePaths } from './home-paths.ts';

/** Stands for the merchant's code, which the first answer brings. It needs no escaping. */
const merchant = '*';

const address = (path: string, params: Record<string, string>): string =>
  `${path}?${Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

const firstLoad = {
  // The app takes an address with a slash at its end for the one without.
  home: homePaths.flatMap((path) => (path === '/' ? [path] : [path, `${path}/`])),
  languages: Object.fromEntries(
    languages.map((language) => [
      language,
      {
        dir: directionOf(language),
        wire: wireLanguage(language),
        hot: address(hotGamesPath, hotGamesParams(merchant, language)),
      },
    ]),
  ),
  devices,
  patience,
  settings: settingsPath,
  announcements: address(announcementsPath, announcementsParams(merchant, homeAnnouncements)),
  banner,
  art: { folder: bannerFolder, sizes: bannerSizes, choice: bannerChoice },
  others: [statusPath, switchesPath, servicesPath],
};

const mark = '/* first load */ {}';

/** Writes into the page what its first script knows. */
export function writeFirstLoad(page: string): string {
  if (!page.includes(mark)) throw new Error('first-load: index.html has lost its mark');
  return page.replace(mark, JSON.stringify(firstLoad));
}
