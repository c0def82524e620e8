import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

import { changeClientSeed, nextSeedQuery } from '../../api/fairness.ts';
import { describeError } from '../../i18n/api-error.ts';
import { isClientSeed } from '../../lib/fairness.ts';
import { Button } from '../../ui/Button.tsx';
import { Hex } from '../../ui/display/Hex.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Field } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './FairnessScreen.module.css';

export function NextSeed() {
  const { t } = useLingui();
  const query = useQuery(nextSeedQuery);
  return (
    <section className={styles.next}>
      <h2 className={styles.heading}>{t`Your next round`}</h2>
      <QueryView
        query={query}
        className={styles.loaded}
        skeleton={<Skeleton shape="box" height={120} />}
      >
        {({ commitment, nonce, fixed, clientSeed }) => (
          <>
            <p className={styles.note}>
              {commitment === ''
                ? t`The server fixes its seed when you open your first game. You can choose yours now.`
                : t`The server has fixed its seed already. This is its fingerprint; the seed itself is shown after the round.`}
            </p>
            {commitment !== '' && <Hex value={commitment} label={t`Commitment`} />}
            <p className={styles.note}>
              {t`Number (nonce)`}: <bdi dir="ltr">{nonce}</bdi>
            </p>
            <ClientSeed key={`${fixed} ${clientSeed}`} seed={fixed ? clientSeed : ''} />
          </>
        )}
      </QueryView>
    </section>
  );
}

function ClientSeed({ seed }: { seed: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [typed, setTyped] = useState(seed);
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (typed !== '' && !isClientSeed(typed)) {
      setError(t`1–64 letters, digits, - and _`);
      return;
    }
    setBusy(true);
    try {
      await changeClientSeed(typed);
      await cache.invalidateQueries({ queryKey: nextSeedQuery.queryKey });
      toast.success(t`Changes saved`);
    } catch (thrown) {
      setError(describeError(thrown));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void save(event)} noValidate>
      <Field
        label={t`Your seed`}
        name="ownSeed"
        dir="ltr"
        value={typed}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value);
          setError('');
        }}
        errors={error ? [error] : []}
        hint={t`Empty: your browser draws a new seed for every round, after the server has fixed its own. Or fix one here for all rounds.`}
      />
      <Button type="submit" variant="secondary" size="md" busy={busy} disabled={typed === seed}>
        {t`Change my seed`}
      </Button>
    </form>
  );
}
