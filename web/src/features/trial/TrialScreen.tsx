import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { isRealAccount, useSession } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { beginTrial } from '../../api/trial.ts';
import { describeError } from '../../i18n/api-error.ts';
import { homePath, Link, navigate } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import circus from '../../ui/emoji/circus.webp';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { LinkLine } from '../../ui/LinkLine.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './TrialScreen.module.css';

export default function TrialScreen() {
  const { t } = useLingui();
  const session = useSession();
  const facts: { icon: IconName; text: string }[] = [
    {
      icon: 'game-controller',
      text: t`The games are the real ones, the money is play money (FUN).`,
    },
    { icon: 'wallet', text: t`Nothing can be paid in, and what you win cannot be paid out.` },
    {
      icon: 'clock',
      text: t`It ends when you log out, when you are away for a while, or after a day.`,
    },
  ];
  return (
    <div className={styles.screen}>
      <Picture src={circus} size={112} className={styles.art} />
      <h2 className={styles.title}>{t`Try it without an account`}</h2>
      <ul className={styles.facts}>
        {facts.map(({ icon, text }) => (
          <li key={icon} className={styles.fact}>
            <Icon name={icon} size={22} className={styles.icon} />
            {text}
          </li>
        ))}
      </ul>
      {isRealAccount(session) ? <ForMembers /> : <Start playing={session !== null} />}
    </div>
  );
}

/** Members must log out first: a trial would replace their session. */
function ForMembers() {
  const { t } = useLingui();
  return (
    <div className={styles.form}>
      <p
        className={styles.note}
      >{t`You are logged in. Log out first to play without an account.`}</p>
      <Link to={homePath} className={buttonClass({ full: true })}>
        {t`To home`}
      </Link>
    </div>
  );
}

/** `playing` means that a trial is running. */
function Start({ playing }: { playing: boolean }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { data: settings } = useQuery(settingsQuery);
  const age = settings?.ageLimit ?? 18;
  const [ofAge, setOfAge] = useState(false);
  const [isUnavailable, setIsUnavailable] = useState(false);
  const trial = useMutation({
    mutationFn: async () => {
      const loaded = await cache.ensureQueryData(settingsQuery).catch(() => null);
      return beginTrial(loaded?.merchantCode ?? '');
    },
    onMutate: () => {
      setIsUnavailable(false);
      return toast.loading({ text: t`Opening the fairground…` });
    },
    onSuccess: (started) => {
      if (started) navigate(homePath);
      else setIsUnavailable(true);
    },
    onSettled: (_, __, ___, loading) => toast.hide(loading),
  });
  const failure = isUnavailable
    ? t`Free play is switched off at the moment.`
    : trial.error
      ? describeError(trial.error)
      : '';

  function start(): void {
    if (playing) navigate(homePath);
    else if (!trial.isPending) trial.mutate();
  }

  return (
    <div className={styles.form}>
      <FormError text={failure} />
      {!playing && (
        <Checkbox checked={ofAge} onChange={setOfAge}>
          {t`I am ${age} or older.`}
        </Checkbox>
      )}
      <Button
        full
        icon="play-fill"
        busy={trial.isPending}
        disabled={!playing && !ofAge}
        onPress={start}
      >
        {playing ? t`Go on playing` : t`Start playing`}
      </Button>
      <LinkLine text={t`Want to play for real money?`} to="/m/register" label={t`Register`} />
    </div>
  );
}
