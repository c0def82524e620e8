// The data for the inline script in index.html. The build inserts it.
import { banner } from '../api/content-types.gen.ts';
import {
  announcementsParams,
  announcementsPath,
  devices,
  homeAnnouncements,
  hotGamesParams,
  hotGamesPath,
  requestTimeoutMs,
  servicesPath,
  settingsPath,
  statusPath,
  switchesPath,
} from '../api/home-calls.ts';
import { directionOf, languages, wireLanguage } from '../i18n/languages.ts';
import { bannerChoice, bannerFolder, bannerSizes } from '../lib/banner-art.ts';
import { homePaths } from './home-paths.ts';

/** A placeholder that the script replaces by the merchant's code. It needs no URL encoding. */
const merchant = '*';

const urlWithParams = (path: string, params: Record<string, string>): string =>
  `${path}?${Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

const firstLoad = {
  // Like the router, the script ignores a slash at the end of a path.
  home: homePaths.flatMap((path) => (path === '/' ? [path] : [path, `${path}/`])),
  languages: Object.fromEntries(
    languages.map((language) => [
      language,
      {
        dir: directionOf(language),
        wire: wireLanguage(language),
        hot: urlWithParams(hotGamesPath, hotGamesParams(merchant, language)),
      },
    ]),
  ),
  devices,
  requestTimeoutMs,
  settings: settingsPath,
  announcements: urlWithParams(announcementsPath, announcementsParams(merchant, homeAnnouncements)),
  banner,
  art: { folder: bannerFolder, sizes: bannerSizes, choice: bannerChoice },
  others: [statusPath, switchesPath, servicesPath],
};

const placeholder = '/* first load */ {}';

export function insertFirstLoad(page: string): string {
  if (!page.includes(placeholder))
    throw new Error(`first-load: index.html does not contain ${placeholder}`);
  return page.replace(placeholder, JSON.stringify(firstLoad));
}
