import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import { chooseLanguage } from '../../i18n/runtime.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import GalleryScreen from './GalleryScreen.tsx';

// jsdom has no canvas.
vi.mock('../../ui/display/chart/ChartView.tsx', () => ({ default: () => null }));

const root = document.documentElement;

afterEach(() => {
  root.removeAttribute('data-theme');
  root.removeAttribute('dir');
});

beforeAll(async () => {
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => {};
  await chooseLanguage('en');
});

test('switches theme and direction, and restores them', async () => {
  root.dataset.theme = 'light';
  const { unmount } = renderScreen(<GalleryScreen />);
  await userEvent.click(screen.getByRole('radio', { name: 'dark' }));
  await userEvent.click(screen.getByRole('radio', { name: 'rtl' }));
  expect([root.dataset.theme, root.dir]).toEqual(['dark', 'rtl']);
  unmount();
  expect([root.dataset.theme, root.dir]).toEqual(['light', 'ltr']);
});

const pieces = [
  'AmountField',
  'TextArea',
  'SelectField',
  'DateRange',
  'RadioCards',
  'Chips',
  'FileUpload',
  'CopyButton',
  'QrCode',
  'QueryView',
  'PagedList',
  'MessageList',
  'Accordion',
  'BarChart',
  'LineChart',
];

test('each piece has its name, and shows its states', async () => {
  renderScreen(<GalleryScreen />);
  for (const name of pieces) expect(screen.getByRole('heading', { level: 3, name })).toBeVisible();
  expect(await screen.findByRole('list', { name: 'Rows, loaded' })).toBeVisible();
  expect(await screen.findByText('No rows')).toBeVisible();
  expect(screen.getByText('No names')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Reason' })).toBeInvalid();
  expect(screen.getByRole('img', { name: 'slip.svg' })).toBeVisible();
  expect(screen.getByText('The slip cannot be read')).toBeVisible();
  const older = screen.getAllByRole('button', { name: 'Earlier messages' });
  expect(older.map((button) => button.getAttribute('aria-busy'))).toEqual([null, 'true']);
  expect(screen.getByText('Five minutes.')).toBeVisible();
  expect(screen.getByRole('table', { name: 'Its code was not loaded' })).not.toHaveClass(
    'visuallyHidden',
  );
});
