import { expect, type Frame, type Page } from '@playwright/test';

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

/** Changes language and theme without a reload, as if another tab had changed them. */
export async function changeLook(page: Page, language: Language, theme: Theme): Promise<void> {
  await page.evaluate(
    (items) => {
      for (const [key, newValue] of Object.entries(items)) {
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
    const painted = () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Other fonts have other widths. The browser requests them only when it lays out the new text. Before that, it reports all fonts as ready.
    await painted();
    await document.fonts.ready;
    await painted();
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // Paused or invisible animations never end.
    const timeout = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([
      Promise.allSettled(finiteAnimations.map(({ finished }) => finished)),
      timeout,
    ]);
  });
}

/** Lists elements that are outside the screen, and text that is cut off without an ellipsis, also in frames. */
export async function layoutFaults(page: Page): Promise<string[]> {
  const faults = await Promise.all(page.frames().map(layoutFaultsIn));
  return faults.flat();
}

function layoutFaultsIn(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const faults: string[] = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth - clientWidth} too wide`);
    const describe = (element: Element) =>
      `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;
    const clips = (style: CSSStyleDeclaration) => style.overflowX !== 'visible';
    const isInsideClip = (element: Element) => {
      for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
        if (ancestor !== document.body && clips(getComputedStyle(ancestor))) return true;
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
        faults.push(`cut: ${describe(element)}`);
      if ((box.left < -1 || box.right > clientWidth + 1) && !isInsideClip(element))
        faults.push(`outside: ${describe(element)}`);
    }
    return faults;
  });
}
