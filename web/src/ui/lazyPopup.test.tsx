import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { lazyPopup } from './lazyPopup.tsx';
import { toast, useToastStore } from './toastStore.ts';

afterEach(() => toast.hide());

const View = ({ open }: { open: boolean; onClose: () => void }) => (
  <p>{open ? 'open' : 'closed'}</p>
);

test('loads when it first opens, and stays mounted for its closing animation', async () => {
  const load = vi.fn(() => Promise.resolve({ default: View }));
  const Popup = lazyPopup(load);
  const { rerender } = renderUi(<Popup open={false} onClose={() => {}} />);
  expect(load).not.toHaveBeenCalled();
  rerender(<Popup open onClose={() => {}} />);
  expect(await screen.findByText('open')).toBeVisible();
  rerender(<Popup open={false} onClose={() => {}} />);
  expect(screen.getByText('closed')).toBeVisible();
});

test('closes with an error when loading fails, and loads again the next time', async () => {
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
  expect(await screen.findByText('open')).toBeVisible();
});
