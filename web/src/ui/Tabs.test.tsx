import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { Tabs } from './Tabs.tsx';

afterEach(() => {
  document.documentElement.dir = 'ltr';
});

function Categories() {
  const [value, setValue] = useState<'all' | 'slots' | 'fish'>('all');
  return (
    <Tabs
      label="Categories"
      value={value}
      onChange={setValue}
      tabs={[
        { value: 'all', label: 'All', content: 'All games' },
        { value: 'slots', label: 'Slots', badge: 120, content: 'Slot games' },
        { value: 'fish', label: 'Fishing', content: 'Fishing games' },
      ]}
    />
  );
}

test('shows the panel of the chosen tab', async () => {
  renderUi(<Categories />);
  expect(screen.getByRole('tablist', { name: 'Categories' })).toBeVisible();
  expect(screen.getByRole('tabpanel').textContent).toBe('All games');
  await userEvent.click(screen.getByRole('tab', { name: /Slots/ }));
  expect(screen.getByRole('tabpanel').textContent).toBe('Slot games');
});

test.each([
  ['ltr', '{ArrowRight}'],
  ['rtl', '{ArrowLeft}'],
])('arrow keys follow the reading direction: %s', async (dir, key) => {
  document.documentElement.dir = dir;
  renderUi(<Categories />);
  await userEvent.click(screen.getByRole('tab', { name: 'All' }));
  await userEvent.keyboard(key);
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Slots99+');
});
