import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent, type ReactNode } from 'react';

import { Button } from '../Button.tsx';
import SheetView from '../SheetView.tsx';
import { CaptchaField } from './CaptchaField.tsx';
import { SliderPuzzle } from './SliderPuzzle.tsx';
import type { Challenge, SliderSheetProps } from './SliderSheet.tsx';
import { WidgetFrame } from './WidgetFrame.tsx';

import styles from './SliderSheet.module.css';

export default function SliderSheetView(props: SliderSheetProps) {
  const { open, onClose, onPass, challenge } = props;
  const { t } = useLingui();
  const [way, setWay] = useState<'slide' | 'code'>('slide');
  const toCode = (
    <Button variant="text" size="sm" onPress={() => setWay('code')}>
      {t`Use a code instead`}
    </Button>
  );
  return (
    <SheetView open={open} onClose={onClose} title={t`Quick check`}>
      {way === 'slide' && challenge.widget && (
        <WidgetFrame widget={challenge.widget} onPass={onPass} otherWay={toCode} />
      )}
      {way === 'slide' && !challenge.widget && (
        <SliderPuzzle challenge={challenge} onPass={onPass} otherWay={toCode} />
      )}
      {way === 'code' && (
        <CodeWay
          challenge={challenge}
          onPass={onPass}
          otherWay={
            <Button variant="text" size="sm" onPress={() => setWay('slide')}>
              {t`Slide a piece instead`}
            </Button>
          }
        />
      )}
    </SheetView>
  );
}

type WayProps = {
  challenge: Challenge;
  onPass: (pass: string) => void;
  otherWay: ReactNode;
};

function CodeWay({ challenge, onPass, otherWay }: WayProps) {
  const { t } = useLingui();
  const [answer, setAnswer] = useState('');
  const [failure, setFailure] = useState('');
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The sheet may be inside another form.
    event.stopPropagation();
    if (busy) return;
    setBusy(true);
    try {
      onPass(await challenge.code(answer.trim()));
    } catch (thrown) {
      setFailure(challenge.explain(thrown));
      setAnswer('');
      setRound(round + 1);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.way} onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles.lead}>{t`Type the number in the picture, or the result of its sum.`}</p>
      <CaptchaField
        load={challenge.picture}
        round={round}
        maxLength={6}
        value={answer}
        errors={failure ? [failure] : []}
        onChange={(event) => {
          setAnswer(event.target.value);
          setFailure('');
        }}
        onRenew={() => setAnswer('')}
      />
      <Button type="submit" full busy={busy} disabled={answer.trim() === ''}>
        {t`Confirm`}
      </Button>
      <div className={styles.foot}>{otherWay}</div>
    </form>
  );
}
