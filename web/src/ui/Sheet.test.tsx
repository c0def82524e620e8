import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { Button } from './Button.tsx';
import { Sheet } from './Sheet.tsx';

function Filter() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Filter</Button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="Providers"
        footer={<Button onPress={() => setOpen(false)}>Show 48 games</Button>}
      >
        <p>content</p>
      </Sheet>
    </>
  );
}

test('opens as a dialog named by its title, closes by button and restores the focus', async () => {
  renderUi(<Filter />);
  const opener = screen.getByRole('button', { name: 'Filter' });
  await userEvent.click(opener);
  expect(await screen.findByRole('dialog', { name: 'Providers' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test('closes by Escape and by the footer', async () => {
  renderUi(<Filter />);
  const opener = screen.getByRole('button', { name: 'Filter' });
  await userEvent.click(opener);
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(opener);
  await screen.findByRole('dialog');
  await userEvent.click(screen.getByRole('button', { name: 'Show 48 games' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
