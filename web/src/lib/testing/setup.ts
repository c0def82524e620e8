// Sets up jsdom for component tests. Vitest loads it before each test file.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

import { clearPage, keepPage } from './clear.ts';

// Files share a page and what is installed, but not the state of our own modules.
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
      matches: false,
      media: query,
      onchange: null,
      addListener: () => {},
      removeListener: () => {},
    });
  Element.prototype.scrollIntoView = () => {};
  Element.prototype.scrollTo = () => {};
  Object.assign(window, {
    CSS: { escape: (text: string) => text.replaceAll(/[^\w-]/g, String.raw`\$&`) },
  });
}

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 60_000 });

afterEach(cleanup);

// A file may ask to have none.
if (typeof window !== 'undefined') {
  keepPage();
  afterAll(clearPage);
}
