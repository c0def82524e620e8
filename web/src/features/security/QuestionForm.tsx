import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { RegisterSetting } from '../../api/registration.ts';
import { questionQuery, setQuestion, type Questions } from '../../api/security.ts';
import type { RuleSet } from '../../lib/validation/rules.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ProofForm } from './ProofForm.tsx';
import { questionTexts } from './questions.ts';
import { WithRegisterSetting } from './WithRegisterSetting.tsx';

import styles from './SecurityScreen.module.css';

export function QuestionForm({ onDone }: { onDone: () => void }) {
  const query = useQuery(questionQuery);
  return (
    <WithRegisterSetting>
      {(setting) => (
        <QueryView query={query} skeleton={<Skeleton shape="box" height={56} />}>
          {(data) => <LoadedForm setting={setting} data={data} onDone={onDone} />}
        </QueryView>
      )}
    </WithRegisterSetting>
  );
}

type LoadedFormProps = { setting: RegisterSetting; data: Questions; onDone: () => void };

function LoadedForm({ setting, data, onDone }: LoadedFormProps) {
  const { t, i18n } = useLingui();
  const [chosen, setChosen] = useState('');
  const hasCurrent = Boolean(data.current);
  const rules = useMemo<RuleSet>(
    () => ({
      answer: setting.rules['securityAnswer'] ?? [],
      ...(hasCurrent ? { oldAnswer: setting.rules['securityAnswer'] ?? [] } : {}),
    }),
    [setting, hasCurrent],
  );
  const known = data.questions.filter((id) => questionTexts[id]);
  const question = chosen || data.current || known[0] || '';
  const questionText = (id: string) => {
    const words = questionTexts[id];
    return words ? i18n._(words) : id;
  };

  return (
    <ProofForm
      part="question"
      setting={setting}
      rules={rules}
      affectsRecovery={!data.current}
      onDone={onDone}
      send={(form, proof) =>
        setQuestion({
          ...proof,
          question,
          answer: form.getValue('answer'),
          ...(data.current ? { oldAnswer: form.getValue('oldAnswer') } : {}),
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
    </ProofForm>
  );
}
