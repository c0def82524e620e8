// What home asks the server for, and how. The page's first script asks for the same before the app's code is there, so that this
// file stands alone: it is read when the page is built.
import { wireLanguage, type Language } from '../i18n/languages.ts';
import { banner, homeGroup, playerNotice, popup } from './content-types.gen.ts';

export const settingsPath = '/wps/system/settings/consolidated';
export const statusPath = '/wps/system/status';
export const switchesPath = '/wps/system/whitelabel';
export const servicesPath = '/wps/system/customerService';
export const hotGamesPath = '/wps/relay/GCSGAME_hotGamesV2';
export const announcementsPath = '/wps/relay/MCSFE_getListAnnouncements';

/** No call of this app may keep a member waiting for longer. */
export const patience = 15_000;

/** What the Device header says of how the app runs. */
export const devices = { browser: 'MOBILE', installed: 'OTHERS' } as const;

/** Gateways of this family have their hot list in three languages only; every other call knows all four. */
export const hotLanguage = (language: Language): Language => (language === 'ur' ? 'en' : language);

export const hotGamesParams = (merchantCode: string, language: Language) => ({
  merchantCode,
  isPlatform: '2',
  language: wireLanguage(hotLanguage(language)),
  platform: 'html5',
});

/** Of announcements on phones: some types and perhaps one group. */
export const announcementsParams = (
  merchantCode: string,
  wanted: { types: string; groupName?: string },
) => ({ ...wanted, platform: 'M', merchantCode });

export const homeAnnouncements = {
  types: `${banner},${playerNotice},${popup}`,
  groupName: homeGroup,
};
