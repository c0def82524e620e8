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
  const [check, setCheck] = useState<'slide' | 'code'>('slide');
  const codeButton = (
    <Button variant="text" size="sm" onPress={() => setCheck('code')}>
      {t`Use a code instead`}
    </Button>
  );
  return (
    <SheetView open={open} onClose={onClose} title={t`Quick check`}>
      {check === 'slide' && challenge.widget && (
        <WidgetFrame widget={challenge.widget} onPass={onPass} alternative={codeButton} />
      )}
      {check === 'slide' && !challenge.widget && (
        <SliderPuzzle challenge={challenge} onPass={onPass} alternative={codeButton} />
      )}
      {check === 'code' && (
        <CodeCheck
          challenge={challenge}
          onPass={onPass}
          alternative={
            <Button variant="text" size="sm" onPress={() => setCheck('slide')}>
              {t`Slide a piece instead`}
            </Button>
          }
        />
      )}
    </SheetView>
  );
}

type CodeCheckProps = {
  challenge: Challenge;
  onPass: (pass: string) => void;
  alternative: ReactNode;
};

function CodeCheck({ challenge, onPass, alternative }: CodeCheckProps) {
  const { t } = useLingui();
  const [answer, setAnswer] = useState('');
  const [failure, setFailure] = useState('');
  const [attempt, setAttempt] = useState(0);
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
      setAttempt(attempt + 1);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.check} onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles.lead}>{t`Type the number in the picture, or the result of its sum.`}</p>
      <CaptchaField
        load={challenge.picture}
        round={attempt}
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
      <div className={styles.foot}>{alternative}</div>
    </form>
  );
}
