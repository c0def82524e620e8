import { expect, type Page } from '@playwright/test';

import type { Screen } from '../screens/screen.ts';
import { newGuest } from './member.ts';
import type { Look, Session, Theme } from './test.ts';
import type { Language } from './text.ts';

/** Widths that screens are measured at. */
export const widths = [360, 390, 768];

type Hands = {
  page: Page;
  open: (path: string, look?: Look & { session?: Session }) => Promise<void>;
  login: () => Promise<Session>;
};

/** Opens a screen and brings it into its state, in Vietnamese and dark. */
export async function bring(screen: Screen, { page, open, login }: Hands): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await screen.prepare?.(page);
  await open(screen.path, {
    language: 'vi',
    theme: 'dark',
    ...(screen.popups && { popups: true }),
    ...(screen.member && { session: await login() }),
    ...(screen.guest && { session: await newGuest(page.request) }),
  });
  await screen.reach?.(page);
  await screen.stands(page, 'vi');
}

/** Language and theme as if another tab had chosen them: nothing is loaded anew, and what was reached stays. */
export async function follow(page: Page, language: Language, theme: Theme): Promise<void> {
  await page.evaluate(
    (chosen) => {
      for (const [key, newValue] of Object.entries(chosen)) {
        localStorage.setItem(key, newValue);
        dispatchEvent(new StorageEvent('storage', { key, newValue }));
      }
    },
    { lang: language, theme },
  );
  const root = page.locator('html');
  await expect(root).toHaveAttribute('lang', language);
  await expect(root).toHaveAttribute('data-theme', theme);
  // Colours change within a frame or two: before that they are those of neither theme.
  await page.evaluate(async () => {
    // Other letters have other widths.
    await document.fonts.ready;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // What is paused, or out of sight and not drawn, never ends: it is not waited for.
    const patience = new Promise((over) => setTimeout(over, 2_000));
    await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), patience]);
  });
}

/** What is wider than the screen, or cut off where no dots say so. */
export function crooked(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} too wide`);
    const named = (element: Element) =>
      `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;
    const clips = (style: CSSStyleDeclaration) => style.overflowX !== 'visible';
    const inClip = (element: Element) => {
      for (let above = element.parentElement; above; above = above.parentElement) {
        if (above !== document.body && clips(getComputedStyle(above))) return true;
      }
      return false;
    };
    for (const element of document.body.querySelectorAll('*')) {
      const speaks = [...element.childNodes].some(
        (node) => node.nodeType === 3 && node.nodeValue?.trim(),
      );
      const box = element.getBoundingClientRect();
      // What only screen readers meet is a pixel wide.
      if (!speaks || box.width <= 1 || box.height <= 1) continue;
      const style = getComputedStyle(element);
      const dotted = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      if (
        clips(style) &&
        !dotted &&
        style.overflowX !== 'auto' &&
        element.scrollWidth > element.clientWidth + 1
      )
        found.push(`cut: ${named(element)}`);
      if ((box.left < -1 || box.right > clientWidth + 1) && !inClip(element))
        found.push(`outside: ${named(element)}`);
    }
    return found;
  });
}
