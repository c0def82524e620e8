import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderUi } from '../../lib/testing/render.tsx';
import CreditsScreen from './CreditsScreen.tsx';

test('lists each source with its licence, and links to the notices', () => {
  renderUi(<CreditsScreen />);
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
  for (const [name, licence] of [
    ['Fluent Emoji 3D', 'MIT'],
    ['Phosphor', 'MIT'],
    ['circle-flags', 'MIT'],
    ['Be Vietnam Pro', 'OFL'],
    ['Noto Naskh Arabic', 'OFL'],
    ['Bungee', 'OFL'],
    ['Anton', 'OFL'],
    ['Playfair Display', 'OFL'],
  ] as const) {
    expect(rows.find((row) => row?.startsWith(name))).toContain(licence);
  }
  const link = screen.getByRole('link', { name: 'All notices in full' });
  expect(link.getAttribute('href')).toMatch(/\/notices\.txt$/);
});
