// Sets up jsdom for component tests. Vitest loads it before each test file.
import * as matchers from '@testing-library/jest-dom/matchers';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, expect, vi } from 'vitest';

import { clearPage, recordPage } from './clear.ts';

expect.extend(matchers);

// Files share a page, but not the state of the app's modules.
vi.resetModules();

class QuietObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

if (typeof window !== 'undefined') {
  Object.assign(window, { IntersectionObserver: QuietObserver, ResizeObserver: QuietObserver });
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      // Only the empty query matches, as in browsers.
      matches: query === '',
      media: query,
      onchange: null,
      addListener: () => {},
      removeListener: () => {},
    });
  Element.prototype.scrollIntoView = () => {};
  Element.prototype.scrollTo = () => {};
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
    },
  });
  Object.assign(window, {
    CSS: { escape: (text: string) => text.replaceAll(/[^\w-]/g, String.raw`\$&`) },
  });
}

// Long enough for a slow machine.
configure({ asyncUtilTimeout: 60_000 });

afterEach(cleanup);

// Some test files run without a window.
if (typeof window !== 'undefined') {
  recordPage();
  afterAll(async () => {
    clearPage();
    // React schedules its work as immediates, one after another. The page must not disappear before the last one.
    for (let tries = 0; tries < 200; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- each turn runs the immediates of the turn before
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      if (!process.getActiveResourcesInfo().includes('Immediate')) break;
    }
  });
}
