import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { Segmented } from './Segmented.tsx';

function Theme() {
  const [theme, setTheme] = useState<'dark' | 'light'>('dark');
  return (
    <Segmented
      label="Theme"
      value={theme}
      onChange={setTheme}
      options={[
        { value: 'dark', label: 'Dark' },
        { value: 'light', label: 'Light' },
      ]}
    />
  );
}

test('an option can be chosen by tap or arrow keys', async () => {
  render(<Theme />);
  const checked = () => screen.getByRole('radio', { checked: true });
  expect(screen.getByRole('radiogroup', { name: 'Theme' })).toBeVisible();
  expect(checked()).toBe(screen.getByLabelText('Dark'));
  await userEvent.click(screen.getByText('Light'));
  expect(checked()).toBe(screen.getByLabelText('Light'));
  await userEvent.keyboard('{ArrowLeft}');
  expect(checked()).toBe(screen.getByLabelText('Dark'));
});

test('has no thumb without a choice', () => {
  const { container } = render(
    <Segmented
      label="Theme"
      value={'' as 'dark'}
      onChange={() => {}}
      options={[{ value: 'dark', label: 'Dark' }]}
    />,
  );
  expect(container.querySelector('.thumb')).toBeNull();
});
