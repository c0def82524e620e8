import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { Field } from './Field.tsx';

test('the label names the input', async () => {
  renderUi(<Field label="Username" />);
  await userEvent.type(screen.getByLabelText('Username'), 'demo88');
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'demo88');
});

test('errors are joined by commas and describe the field', () => {
  renderUi(<Field label="Username" hint="6 to 16" errors={['Too short', 'Letters first']} />);
  const input = screen.getByLabelText('Username');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  const note = document.getElementById(input.getAttribute('aria-describedby') ?? '');
  expect(note?.textContent).toBe('Too short, Letters first');
});

test('a kept hint is shown and spoken after the error', () => {
  renderUi(<Field label="Username" hint="6 to 16" errors={['Too short']} keepHint />);
  const ids = screen.getByLabelText('Username').getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(ids.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Too short',
    '6 to 16',
  ]);
});

test('a hint describes a field without errors', () => {
  renderUi(<Field label="Username" hint="6 to 16" />);
  const input = screen.getByLabelText('Username');
  expect(input.hasAttribute('aria-invalid')).toBe(false);
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    '6 to 16',
  );
});

test('a password can be shown and hidden, and keeps its value', async () => {
  renderUi(<Field label="Password" type="password" />);
  const input = screen.getByLabelText('Password');
  await userEvent.type(input, 'Demo1234');
  expect(input.getAttribute('type')).toBe('password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input.getAttribute('type')).toBe('text');
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(input.getAttribute('type')).toBe('password');
  expect(input).toHaveProperty('value', 'Demo1234');
});

test('shows the clear button only for a value', async () => {
  const onClear = vi.fn();
  const change = () => {};
  const { rerender } = renderUi(
    <Field label="Search" value="" onChange={change} onClear={onClear} />,
  );
  expect(screen.queryByRole('button')).toBeNull();
  rerender(<Field label="Search" value="dragon" onChange={change} onClear={onClear} />);
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(onClear).toHaveBeenCalledTimes(1);
});
