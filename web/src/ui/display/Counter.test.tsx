import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../../lib/testing/render.tsx';
import { CaptionedStats } from './CaptionedStats.tsx';
import { Counter } from './Counter.tsx';

const dong = { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0' } as const;

function Growing() {
  return (
    <CaptionedStats title="Jackpot" simulated>
      <Counter valueAt={grown} tickMs={200} currency={dong} />
    </CaptionedStats>
  );
}

let value = 1000;
const grown = () => String(value);

/** Reports every element as visible. */
class VisibleObserver {
  readonly #tell: (entries: { isIntersecting: boolean }[]) => void;
  constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
    this.#tell = tell;
  }
  observe() {
    this.#tell([{ isIntersecting: true }]);
  }
  disconnect() {}
}

test('KO-02 in part: a visible counter grows every 200 ms', () => {
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', VisibleObserver);
  value = 1000;
  const { unmount } = renderUi(<Growing />);
  expect(screen.getByText('1,000 ₫')).toBeVisible();
  value = 1007;
  act(() => void vi.advanceTimersByTime(199));
  expect(screen.getByText('1,000 ₫')).toBeVisible();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.getByText('1,007 ₫')).toBeVisible();
  unmount();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('does not grow with reduced motion', () => {
  const query = Object.assign(new EventTarget(), { matches: true }) as MediaQueryList;
  vi.spyOn(window, 'matchMedia').mockReturnValue(query);
  value = 5;
  const { unmount } = renderUi(<Growing />);
  expect(screen.getByText('5 ₫')).toBeVisible();
  expect(unmount).not.toThrow();
});

test('a figure outside a captioned block throws', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const alone = <Counter valueAt={grown} tickMs={200} currency={dong} />;
  expect(() => renderUi(alone)).toThrow('must be inside CaptionedStats');
});
