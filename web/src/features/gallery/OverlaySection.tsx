import { useState } from 'react';

import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { useToast } from '../../ui/toastStore.ts';
import { Row, Section } from './Section.tsx';

import styles from './Gallery.module.css';

type Overlay = 'dialog' | 'alert' | 'sheet' | 'menu';

export function OverlaySection() {
  const [open, setOpen] = useState<Overlay | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title="Overlays">
      <Toasts />
      <Row label="Dialog, alert, sheet, menu">
        {(['dialog', 'alert', 'sheet', 'menu'] as const).map((one) => (
          <Button key={one} size="md" variant="secondary" onPress={() => setOpen(one)}>
            {one}
          </Button>
        ))}
      </Row>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="Wallet maintenance"
        text="From 02:00 to 02:30 deposits and withdrawals pause."
        actions={<Button onPress={close}>I see</Button>}
      />
      <Dialog
        open={open === 'alert'}
        onClose={close}
        alert
        art={`${import.meta.env.BASE_URL}art/icons/ticket.webp`}
        title="You play for fun"
        text="Register to open this part, to deposit and to keep your favourites."
        actions={
          <>
            <Button onPress={close}>Register now</Button>
            <Button variant="text" size="md" onPress={close}>
              Later
            </Button>
          </>
        }
      />
      <FilterSheet open={open === 'sheet'} onClose={close} />
      <Sheet open={open === 'menu'} onClose={close} side="start" title="Menu">
        <p className={styles.card}>The menu’s content</p>
      </Sheet>
    </Section>
  );
}

function FilterSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [least, setLeast] = useState('any');
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title="Filter"
      footer={
        <Button full onPress={onClose}>
          Show 48 games
        </Button>
      }
    >
      <Segmented
        label="Smallest bet"
        value={least}
        onChange={setLeast}
        options={['any', '1K', '5K', '20K'].map((value) => ({ value, label: value }))}
      />
    </Sheet>
  );
}

function Toasts() {
  const toast = useToast();
  const shows: [string, () => void][] = [
    ['success', () => toast.success('Changes saved')],
    ['plain', () => toast.show('Copied')],
    ['long', () => toast.show('A longer message that stays for eight seconds', { long: true })],
    [
      'error',
      () => toast.error('Network unstable', { action: { label: 'Try again', onPress() {} } }),
    ],
    ['refuse', () => toast.refuse('Please log in with a real account')],
    ['loading', () => toast.loading({ text: 'Logging in', seconds: 10 })],
    ['hide', () => toast.hide()],
  ];
  return (
    <Row label="Toasts">
      {shows.map(([name, show]) => (
        <Button key={name} size="sm" variant="secondary" onPress={show}>
          {name}
        </Button>
      ))}
    </Row>
  );
}
