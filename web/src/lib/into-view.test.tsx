import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { useIntoView } from './into-view.ts';

function Row({ current, count }: { current: number; count: number }) {
  const row = useIntoView(`${current}/${count}`);
  return (
    <nav ref={row}>
      {Array.from({ length: count }, (_, at) => (
        <a key={at} href={`#${at}`} aria-current={at === current ? 'true' : undefined}>
          {at}
        </a>
      ))}
    </nav>
  );
}

/** Lays out links 100 px wide in a row of 300 px. */
function mockLayout(): void {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    if (this.tagName !== 'A') return new DOMRect(0, 0, 300, 44);
    return new DOMRect(100 * Number(this.textContent) - this.parentElement!.scrollLeft, 0, 100, 44);
  });
}

test('the current link is centred in its row, and again when the row gets longer', () => {
  mockLayout();
  const { container, rerender } = render(<Row current={6} count={8} />);
  const row = container.querySelector('nav')!;
  expect(row.scrollLeft).toBe(500);
  row.scrollLeft = 0;
  // The member's own scrolling stays.
  rerender(<Row current={6} count={8} />);
  expect(row.scrollLeft).toBe(0);
  rerender(<Row current={6} count={9} />);
  expect(row.scrollLeft).toBe(500);
  rerender(<Row current={3} count={9} />);
  expect(row.scrollLeft).toBe(200);
});

test('a row without a current link does not scroll', () => {
  mockLayout();
  const { container } = render(<Row current={9} count={8} />);
  expect(container.querySelector('nav')!.scrollLeft).toBe(0);
});
