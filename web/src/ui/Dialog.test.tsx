import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

function Logout({ alert, onClosed }: { alert?: boolean; onClosed?: () => void }) {
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onClosed?.();
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>Log out</Button>
      <Dialog
        open={open}
        onClose={close}
        title="Log out?"
        text="You can come back any time."
        alert={alert}
        actions={<Button onPress={close}>Yes</Button>}
      />
    </>
  );
}

test('is named by its title, described by its text, and restores the focus', async () => {
  renderUi(<Logout />);
  const opener = screen.getByRole('button', { name: 'Log out' });
  await userEvent.click(opener);
  const dialog = await screen.findByRole('dialog', { name: 'Log out?' });
  const description = document.getElementById(dialog.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('You can come back any time.');
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test('Escape closes it', async () => {
  const onClosed = vi.fn();
  renderUi(<Logout onClosed={onClosed} />);
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  expect(onClosed).toHaveBeenCalledTimes(1);
});

test('an alert has the alertdialog role and no close button', async () => {
  renderUi(<Logout alert />);
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  await screen.findByRole('alertdialog', { name: 'Log out?' });
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
