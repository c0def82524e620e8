import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { confirmAge } from '../../api/member.ts';
import { describeError, type ApiError } from '../../i18n/api-error.ts';
import { artUrl } from '../../lib/art.ts';
import { goBack } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormError } from '../../ui/form/FormError.tsx';

import styles from './AgeAsked.module.css';

/** What a launch is refused with until the member has confirmed their age. */
export const ageAsked = 'register.age_required';

type AgeAskedProps = { error: ApiError; onConfirmed: () => void };

/** Asks a member whom nobody has asked yet, before the first game for money. The box is empty: only the member can know. */
export function AgeAsked({ error, onConfirmed }: AgeAskedProps) {
  const { t } = useLingui();
  const age = (error.args['age'] as string | undefined) ?? '18';
  const [ofAge, setOfAge] = useState(false);
  const confirming = useMutation({ mutationFn: confirmAge, onSuccess: onConfirmed });
  return (
    <div className={styles.screen}>
      <Empty art={artUrl('spots/lock.webp')} icon="game-controller" title={describeError(error)} />
      <div className={styles.form}>
        <FormError text={confirming.error ? describeError(confirming.error) : ''} />
        <Checkbox name="ageConfirmed" checked={ofAge} onChange={setOfAge}>
          {t`I am ${age} or older.`}
        </Checkbox>
        <Button
          full
          icon="play-fill"
          busy={confirming.isPending}
          disabled={!ofAge}
          onPress={() => confirming.mutate()}
        >
          {t`Start playing`}
        </Button>
        <Button full variant="secondary" onPress={goBack}>
          {t`Back`}
        </Button>
      </div>
    </div>
  );
}
