import { expect, type Page } from '@playwright/test';

import type { Screen } from '../screens/screen.ts';
import { newGuest } from './member.ts';
import type { Look, Session, Theme } from './test.ts';
import type { Language } from './text.ts';

export const widths = [360, 390, 768];

type Fixtures = {
  page: Page;
  open: (path: string, look?: Look & { session?: Session }) => Promise<void>;
  login: () => Promise<Session>;
};

/** Opens a screen in its state, in Vietnamese and the dark theme. */
export async function openScreen(screen: Screen, { page, open, login }: Fixtures): Promise<void> {
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
  await screen.expectReady(page, 'vi');
}

/** Changes language and theme in place, as another tab does. */
export async function changeLook(page: Page, language: Language, theme: Theme): Promise<void> {
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
  // Colours take a frame or two to change.
  await page.evaluate(async () => {
    const drawn = () =>
      new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    // Other fonts have other widths. The browser requests them when it lays out the new text, so earlier they count as ready.
    await drawn();
    await document.fonts.ready;
    await drawn();
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // Paused or invisible animations never end.
    const timeout = new Promise((over) => setTimeout(over, 2_000));
    await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), timeout]);
  });
}

/** Lists what is wider than the screen, and text that is cut off without an ellipsis. */
export function layoutFaults(page: Page): Promise<string[]> {
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
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === 3 && node.nodeValue?.trim(),
      );
      const box = element.getBoundingClientRect();
      // Text for screen readers only is one pixel wide.
      if (!hasText || box.width <= 1 || box.height <= 1) continue;
      const style = getComputedStyle(element);
      const hasEllipsis = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      if (
        clips(style) &&
        !hasEllipsis &&
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
