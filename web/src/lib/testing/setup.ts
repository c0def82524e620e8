// What jsdom lacks and every component test needs. Loaded by vitest before each test file.
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

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
  Object.assign(window, {
    CSS: { escape: (text: string) => text.replaceAll(/[^\w-]/g, String.raw`\$&`) },
  });
}

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);
