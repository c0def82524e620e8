import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { NoticeBar } from './NoticeBar.tsx';

const items = [
  { id: '1', text: 'Wallet maintenance' },
  { id: '2', text: 'New games' },
];

// Before every other test, because it needs a page without input.
test('waits for the first input', () => {
  const { container } = renderUi(<NoticeBar items={items} href="/m/notice" emptyText="" />);
  const isWaiting = () => container.querySelector('.bar')?.hasAttribute('data-waiting');
  expect(isWaiting()).toBe(true);
  fireEvent.keyDown(document.body);
  expect(isWaiting()).toBe(false);
});

test('is one link that reads every notice once', () => {
  renderUi(<NoticeBar items={items} href="/m/notice" emptyText="No notices" />);
  const link = screen.getByRole('link', { name: /^Wallet maintenance *New games$/ });
  expect(link.getAttribute('href')).toBe('/m/notice');
});

test('renders the text twice and moves at a constant speed', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  vi.spyOn(window, 'ResizeObserver').mockImplementation(function (report: ResizeObserverCallback) {
    const observer = { observe: () => report([], observer), unobserve() {}, disconnect() {} };
    return observer;
  });
  const { container } = renderUi(
    <NoticeBar items={items} href="/m/notice" emptyText="No notices" />,
  );
  const [first, second] = container.querySelectorAll('.copy');
  expect(second?.innerHTML).toBe(first?.innerHTML);
  expect(second?.getAttribute('aria-hidden')).toBe('true');
  const track = container.querySelector<HTMLElement>('.track');
  expect(track?.style.getPropertyValue('--run')).toBe('20s');
});

test('shows the empty text without moving', () => {
  const { container } = renderUi(<NoticeBar items={[]} href="/m/notice" emptyText="No notices" />);
  expect(screen.getByRole('link', { name: 'No notices' })).toBeVisible();
  expect(container.querySelector('.track')).toBeNull();
});

test('can be stopped and started again', async () => {
  const { container } = renderUi(<NoticeBar items={items} href="/m/notice" emptyText="" />);
  const paused = () => container.querySelector('.bar')?.hasAttribute('data-paused');
  await userEvent.click(screen.getByRole('button', { name: 'Stop the notices' }));
  expect(paused()).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Start the notices' }));
  expect(paused()).toBe(false);
});

test.each([
  ['no notices', [], false],
  ['reduced motion', items, true],
])('has no stop button with %s', (_, shown, still) => {
  const motion = Object.assign(window.matchMedia(''), { matches: still });
  vi.spyOn(window, 'matchMedia').mockReturnValue(motion);
  renderUi(<NoticeBar items={shown} href="/m/notice" emptyText="No notices" />);
  expect(screen.queryByRole('button')).toBeNull();
});

test('stops while it is off screen', () => {
  let setVisible: (visible: boolean) => void = () => {};
  vi.spyOn(window, 'IntersectionObserver').mockImplementation(function (
    report: IntersectionObserverCallback,
  ) {
    const observer = {
      observe() {},
      unobserve() {},
      disconnect() {},
    } as unknown as IntersectionObserver;
    setVisible = (isIntersecting) =>
      report([{ isIntersecting } as IntersectionObserverEntry], observer);
    return observer;
  });
  const { container } = renderUi(<NoticeBar items={items} href="/m/notice" emptyText="" />);
  const offscreen = () => container.querySelector('.bar')?.hasAttribute('data-offscreen');
  expect(offscreen()).toBe(false);
  setVisible(false);
  expect(offscreen()).toBe(true);
  setVisible(true);
  expect(offscreen()).toBe(false);
});
