import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import {
  chooseNotifications,
  notificationsKey,
  notificationsQuery,
  type Choice,
  type NotificationTopic,
  type NotificationWay,
  type Preferences,
} from '../../api/notifications.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PushCard } from './PushCard.tsx';

import styles from './NotificationsScreen.module.css';

const topics: readonly NotificationTopic[] = [
  'money',
  'security',
  'account',
  'reward',
  'promotion',
];

/** What may notify the member, and by which way. */
export default function NotificationsScreen() {
  const query = useQuery(notificationsQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={topics.map((topic) => (
          <Skeleton key={topic} shape="box" height={140} />
        ))}
      >
        {(preferences) => <Content preferences={preferences} />}
      </QueryView>
    </div>
  );
}

function Content({ preferences }: { preferences: Preferences }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { submit, error } = useSubmit({
    send: ({ topic, way, allowed }: Choice) => chooseNotifications([{ topic, way, allowed }]),
    onDone: (saved) => cache.setQueryData(notificationsKey, saved),
  });
  const names: Record<NotificationTopic, [title: string, text: string]> = {
    money: [t`Deposits and withdrawals`, t`When money arrives or leaves`],
    security: [t`Security`, t`Logins from new places`],
    account: [t`Account`, t`Identity check, limits and messages of our team`],
    reward: [t`Rewards`, t`Rewards that you have got or that expire`],
    promotion: [t`Promotions`, t`Offers, only if you agree. Never during a break.`],
  };
  return (
    <>
      <FormError text={error} />
      <PushCard pushKey={preferences.pushKey} />
      {topics.map((topic) => (
        <section key={topic} className={styles.card}>
          <h2 className={styles.title}>{names[topic][0]}</h2>
          <p className={styles.text}>{names[topic][1]}</p>
          {preferences.choices
            .filter((choice) => choice.topic === topic)
            .map((choice) => (
              <ChoiceLine
                key={choice.way}
                choice={choice}
                hasEmail={preferences.hasEmail}
                onChange={(allowed) => void submit({ ...choice, allowed })}
              />
            ))}
        </section>
      ))}
    </>
  );
}

type ChoiceLineProps = {
  choice: Choice;
  hasEmail: boolean;
  onChange: (allowed: boolean) => void;
};

function ChoiceLine({ choice, hasEmail, onChange }: ChoiceLineProps) {
  const { t } = useLingui();
  const names: Record<NotificationWay, string> = {
    inbox: t`Inbox`,
    push: t`On this device`,
    email: t`E-mail`,
  };
  const name = names[choice.way];
  if (choice.fixed) {
    return (
      <p className={styles.fixed}>
        {name} <span>{t`Always`}</span>
      </p>
    );
  }
  if (choice.way === 'email' && !hasEmail) {
    return (
      <p className={styles.fixed}>
        {name} <span>{t`Add an e-mail address first`}</span>
      </p>
    );
  }
  return (
    <Switch checked={choice.allowed} onChange={onChange}>
      {name}
    </Switch>
  );
}
