import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import { chooseLanguage } from '../../i18n/runtime.ts';
import { renderUi } from '../../lib/testing/render.tsx';
import GalleryScreen from './GalleryScreen.tsx';

// jsdom has no canvas.
vi.mock('../../ui/display/chart/ChartView.tsx', () => ({ default: () => null }));

const root = document.documentElement;

afterEach(() => {
  root.removeAttribute('data-theme');
  root.removeAttribute('dir');
});

beforeAll(() => chooseLanguage('en'));

test('switches theme and direction, and restores them', async () => {
  root.dataset.theme = 'light';
  const { unmount } = renderUi(<GalleryScreen />);
  await userEvent.click(screen.getByRole('radio', { name: 'dark' }));
  await userEvent.click(screen.getByRole('radio', { name: 'rtl' }));
  expect([root.dataset.theme, root.dir]).toEqual(['dark', 'rtl']);
  unmount();
  expect([root.dataset.theme, root.dir]).toEqual(['light', 'ltr']);
});
