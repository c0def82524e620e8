import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { NoticeBar } from './NoticeBar.tsx';

const items = [
  { id: '1', text: 'Wallet maintenance' },
  { id: '2', text: 'New games' },
];

test('is one link that reads every notice once', () => {
  render(<NoticeBar items={items} href="/m/notice" emptyText="No notices" />);
  const link = screen.getByRole('link', { name: /^Wallet maintenance *New games$/ });
  expect(link.getAttribute('href')).toBe('/m/notice');
});

test('shows the text twice, so that it wraps without a gap, at a steady speed', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  const { container } = render(<NoticeBar items={items} href="/m/notice" emptyText="No notices" />);
  const [first, second] = container.querySelectorAll('.copy');
  expect(second?.innerHTML).toBe(first?.innerHTML);
  expect(second?.getAttribute('aria-hidden')).toBe('true');
  const track = container.querySelector<HTMLElement>('.track');
  expect(track?.style.getPropertyValue('--run')).toBe('20s');
});

test('says so, and stands still, when there is nothing', () => {
  const { container } = render(<NoticeBar items={[]} href="/m/notice" emptyText="No notices" />);
  expect(screen.getByRole('link', { name: 'No notices' })).toBeTruthy();
  expect(container.querySelector('.track')).toBeNull();
});
