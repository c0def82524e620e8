// The requests that home sends. The inline script of index.html sends the same ones before the app loads. The build also runs this
// file, so it must not need a browser.
import { wireLanguage, type Language } from '../i18n/languages.ts';
import { banner, homeGroup, playerNotice, popup } from './content-types.gen.ts';

export const settingsPath = '/wps/system/settings/consolidated';
export const statusPath = '/wps/system/status';
export const switchesPath = '/wps/system/whitelabel';
export const servicesPath = '/wps/system/customerService';
export const hotGamesPath = '/wps/relay/GCSGAME_hotGamesV2';
export const announcementsPath = '/wps/relay/MCSFE_getListAnnouncements';

export const requestTimeoutMs = 15_000;

/** The values of the Device header. */
export const devices = { browser: 'MOBILE', installed: 'OTHERS' } as const;

/** The API serves the hot list in three languages. Other requests support all four. */
export const hotLanguage = (language: Language): Language => (language === 'ur' ? 'en' : language);

export const hotGamesParams = (merchantCode: string, language: Language) => ({
  merchantCode,
  isPlatform: '2',
  language: wireLanguage(hotLanguage(language)),
  platform: 'html5',
});

export const announcementsParams = (
  merchantCode: string,
  filter: { types: string; groupName?: string },
) => ({ ...filter, platform: 'M', merchantCode });

export const homeAnnouncements = {
  types: `${banner},${playerNotice},${popup}`,
  groupName: homeGroup,
};
