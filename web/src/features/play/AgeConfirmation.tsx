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

import styles from './AgeConfirmation.module.css';

/** The error code returned when a member launches a game before confirming their age. */
export const ageRequired = 'register.age_required';

type AgeConfirmationProps = { error: ApiError; onConfirmed: () => void };

/** Asks the member to confirm their age before their first real-money game. The box must start unchecked. */
export function AgeConfirmation({ error, onConfirmed }: AgeConfirmationProps) {
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
