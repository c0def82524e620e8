import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import type { Device } from '../../lib/device.ts';
import type { IconName } from '../../ui/icons.ts';

export type Phone = Exclude<Device, 'other'>;

export type Step = { icon: IconName | 'logo'; text: MessageDescriptor };

/** Steps that add the web app to the home screen. */
export const steps: Record<Phone, readonly Step[]> = {
  ios: [
    { icon: 'export', text: msg`Tap the Share button` },
    { icon: 'plus-square', text: msg`Choose Add to Home Screen` },
    { icon: 'logo', text: msg`Open it by its new icon` },
  ],
  android: [
    { icon: 'dots-three-vertical', text: msg`Open the browser’s menu` },
    { icon: 'plus-square', text: msg`Choose Install app or Add to Home screen` },
    { icon: 'logo', text: msg`Open it by its new icon` },
  ],
};

/** Browsers on iOS other than Safari. Only Safari can add a page to the home screen. */
const otherBrowsers =
  /CriOS|FxiOS|EdgiOS|OPiOS|OPT\/|DuckDuckGo|GSA\/|FBAN|FBAV|Instagram|Line\/|Zalo/;

export function isSafari(userAgent: string = navigator.userAgent): boolean {
  return /Safari\//.test(userAgent) && !otherBrowsers.test(userAgent);
}

/** The oldest iOS version that runs the home-screen app. */
const minVersion = [12, 4] as const;

/** Reports whether the iOS version is too old. An unknown version counts as new enough. */
export function isTooOld(userAgent: string = navigator.userAgent): boolean {
  const match = /OS (\d+)_(\d+)/.exec(userAgent);
  if (!match) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]);
}
