import { useState } from 'react';

import { Button } from '../../ui/Button.tsx';
import { CaptchaField } from '../../ui/form/CaptchaField.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { SliderSheet, type Challenge } from '../../ui/form/SliderSheet.tsx';
import { toast } from '../../ui/toastStore.ts';
import { Section } from './Section.tsx';

import styles from './Gallery.module.css';

const picture = `${import.meta.env.BASE_URL}art/tiles/rng-1.webp`;
const piece = `${import.meta.env.BASE_URL}art/icons/ticket.webp`;

/** The x position that solves the puzzle. */
const gap = 200;

const challenge: Challenge = {
  puzzle: async () => ({
    id: 'gallery',
    background: picture,
    piece,
    width: 320,
    height: 180,
    pieceWidth: 56,
    pieceHeight: 56,
    pieceY: 60,
    expiresIn: 60,
  }),
  async slide(_, x) {
    if (Math.abs(x - gap) > 5) throw new Error(`Not quite: ${x}, not ${gap}`);
    return 'pass';
  },
  explain: (failure) => (failure instanceof Error ? failure.message : ''),
};

export function FormSection() {
  const [password, setPassword] = useState('Demo1234');
  const [agreed, setAgreed] = useState(true);
  const [open, setOpen] = useState(false);
  return (
    <Section title="Form">
      <div className={styles.stack}>
        <PasswordField
          label="New password"
          strength
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <CaptchaField load={async () => picture} />
        <CaptchaField load={() => Promise.reject(new Error())} errors={['Captcha incorrect']} />
        <CodeField target="gallery" canSend send={async () => ({ expiredMinutes: 1 })} />
        <CodeField target="gallery/none" canSend={false} send={async () => null} />
        <Checkbox checked={agreed} onChange={setAgreed}>
          I agree
        </Checkbox>
        <Checkbox checked={false} onChange={setAgreed} errors={['Please agree']}>
          I agree to much more, in so many words that they need more than the one line
        </Checkbox>
        <Button variant="secondary" onPress={() => setOpen(true)}>
          slider
        </Button>
      </div>
      <SliderSheet
        open={open}
        onClose={() => setOpen(false)}
        challenge={challenge}
        onPass={(pass) => {
          setOpen(false);
          toast.success(pass);
        }}
      />
    </Section>
  );
}
