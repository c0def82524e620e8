import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { lazyPopup } from './lazyPopup.tsx';
import { toast, useToastStore } from './toastStore.ts';

afterEach(() => toast.hide());

const View = ({ open }: { open: boolean; onClose: () => void }) => (
  <p>{open ? 'open' : 'closed'}</p>
);

test('is fetched when it first opens, and stays to close with its motion', async () => {
  const load = vi.fn(() => Promise.resolve({ default: View }));
  const Popup = lazyPopup(load);
  const { rerender } = renderUi(<Popup open={false} onClose={() => {}} />);
  expect(load).not.toHaveBeenCalled();
  rerender(<Popup open onClose={() => {}} />);
  expect(await screen.findByText('open')).toBeTruthy();
  rerender(<Popup open={false} onClose={() => {}} />);
  expect(screen.getByText('closed')).toBeTruthy();
});

test('closes and says so when its code cannot be had, and is fetched again the next time', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = vi
    .fn(() => Promise.resolve({ default: View }))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const Popup = lazyPopup(load);
  const onClose = vi.fn();
  const { rerender } = renderUi(<Popup open onClose={onClose} />);
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(useToastStore.getState().current?.kind).toBe('error');
  rerender(<Popup open={false} onClose={onClose} />);
  rerender(<Popup open onClose={onClose} />);
  expect(await screen.findByText('open')).toBeTruthy();
});
