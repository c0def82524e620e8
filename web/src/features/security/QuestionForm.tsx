import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { RegisterSetting } from '../../api/registration.ts';
import { questionQuery, setQuestion } from '../../api/security.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import type { RuleSet } from '../../lib/validation/rules.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { GuardedForm } from './GuardedForm.tsx';
import { questionTexts } from './questions.ts';
import { WithSetting } from './WithSetting.tsx';

import styles from './SecurityScreen.module.css';

export function QuestionForm({ onDone }: { onDone: () => void }) {
  return <WithSetting>{(setting) => <LoadedForm setting={setting} onDone={onDone} />}</WithSetting>;
}

function LoadedForm({ setting, onDone }: { setting: RegisterSetting; onDone: () => void }) {
  const { t, i18n } = useLingui();
  const { data, error, refetch } = useQuery(questionQuery);
  const [chosen, setChosen] = useState('');
  const hasCurrent = Boolean(data?.current);
  const rules = useMemo<RuleSet>(
    () => ({
      answer: setting.rules['securityAnswer'] ?? [],
      ...(hasCurrent ? { oldAnswer: setting.rules['securityAnswer'] ?? [] } : {}),
    }),
    [setting, hasCurrent],
  );

  if (!data && error) {
    return (
      <ErrorRetry detail={describeError(error)} answered={wasAnswered(error)} onRetry={refetch} />
    );
  }
  if (!data) {
    return (
      <div className={styles.form} aria-busy="true">
        <Skeleton shape="box" height={56} />
      </div>
    );
  }
  const known = data.questions.filter((id) => questionTexts[id]);
  const question = chosen || data.current || known[0] || '';
  const questionText = (id: string) => {
    const words = questionTexts[id];
    return words ? i18n._(words) : id;
  };

  return (
    <GuardedForm
      part="question"
      setting={setting}
      rules={rules}
      affectsRecovery={!data.current}
      onDone={onDone}
      send={(form, proof) =>
        setQuestion({
          ...proof,
          question,
          answer: form.typed('answer'),
          ...(data.current ? { oldAnswer: form.typed('oldAnswer') } : {}),
        })
      }
    >
      {(form) => (
        <>
          {data.current && (
            <Field
              {...form.input('oldAnswer')}
              label={t`Your answer so far`}
              icon="pencil-simple"
              autoComplete="off"
              hint={questionText(data.current)}
            />
          )}
          <label className={styles.choice}>
            <Icon name="question" />
            <span className={styles.choiceWords}>
              <span className={styles.choiceLabel}>{t`Security question`}</span>
              <span aria-hidden="true">{questionText(question)}</span>
            </span>
            <Icon name="caret-down" size={16} className={styles.caret} />
            <select
              className={styles.select}
              aria-label={t`Security question`}
              name="question"
              value={question}
              onChange={(event) => setChosen(event.target.value)}
            >
              {known.map((id) => (
                <option key={id} value={id}>
                  {questionText(id)}
                </option>
              ))}
            </select>
          </label>
          <Field
            {...form.input('answer')}
            label={t`Your answer`}
            icon="pencil-simple"
            autoComplete="off"
            hint={t`Capitals and spaces do not matter`}
          />
        </>
      )}
    </GuardedForm>
  );
}
