import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { Button } from '../src/ui/Button.tsx';
import { Panel } from './Panel.tsx';
import { parsePasted, type PastedBet } from './paste.ts';
import { isError, type SelectionError } from './selection.ts';
import type { Play } from './wire.ts';

import styles from './PasteButton.module.css';

export type PasteButtonProps = {
  play: Play;
  disabled: boolean;
  /** Adds the bets, or returns why they cannot be added. */
  onPaste: (bets: PastedBet[]) => string | null;
};

/** Adds bets that the player types or pastes as text. */
export function PasteButton({ play, disabled, onPaste }: PasteButtonProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const errorText = useErrorText(play);
  const parsed = parsePasted(play, text);
  const error = text.trim() !== '' && isError(parsed) ? parsed : null;
  const count = isError(parsed) ? 0 : parsed.reduce((sum, { lines }) => sum + lines, 0);

  function add(): void {
    if (isError(parsed)) return;
    const why = onPaste(parsed);
    setRefusal(why);
    if (why !== null) return;
    setText('');
    setOpen(false);
  }

  return (
    <>
      <Button variant="outline" size="sm" disabled={disabled} onPress={() => setOpen(true)}>
        {t`Paste`}
      </Button>
      <Panel
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t`Type or paste numbers`}
        footer={
          <Button full disabled={count === 0} onPress={add}>
            {t`${plural(count, { one: 'Add # line', other: 'Add # lines' })}`}
          </Button>
        }
      >
        <label className={styles.label}>
          {t`One bet per line, with an optional multiple: 05 17 x10`}
          <textarea
            rows={5}
            dir="ltr"
            value={text}
            aria-invalid={error !== null}
            className={styles.area}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        {refusal !== null && (
          <p role="alert" className={styles.error}>
            {refusal}
          </p>
        )}
        {error && (
          <p role="alert" className={styles.error}>
            {errorText(error)}
          </p>
        )}
      </Panel>
    </>
  );
}

function useErrorText(play: Play): (error: SelectionError) => string {
  const { t } = useLingui();
  return ({ entry, reason }) => {
    switch (reason) {
      case 'empty':
        return t`There are no numbers.`;
      case 'entry':
        return t`“${entry}” does not fit this bet.`;
      case 'twice':
        return t`“${entry}” is there twice.`;
      case 'tooMany':
        return t`A bet can have at most ${play.stake.maxLines} lines.`;
      case 'multiple':
        return t`“${entry}” must be x and a number from 1 to 9999, after the numbers.`;
    }
  };
}
