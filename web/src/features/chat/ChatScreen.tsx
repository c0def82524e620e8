import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { chatQuery, chatSide, launchQuery } from '../../api/chat.ts';
import { useSession } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { usePath } from '../../lib/router.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Conversation } from './Conversation.tsx';

import styles from './ChatScreen.module.css';

/** The live chat, or the way to the merchant's external one. */
export default function ChatScreen() {
  const { t } = useLingui();
  const language = useLanguage();
  const path = usePath();
  const launch = useQuery(
    launchQuery({
      language,
      backUrl: path,
      headerColor: getComputedStyle(document.documentElement).getPropertyValue('--bar').trim(),
      title: t`Live chat`,
    }),
  );
  const external = launch.data !== undefined && !launch.data.startsWith('/m/chat');
  useEffect(() => {
    if (external && launch.data) location.assign(launch.data);
  }, [external, launch.data]);
  return (
    <div className={styles.screen}>
      <Presence />
      <QueryView query={launch} skeleton={<LoadingMessages />} className={styles.body}>
        {(address) =>
          external ? (
            <p className={styles.outside}>
              <a href={address} rel="noopener">
                {t`Open the live chat`} <Icon name="arrow-square-out" size={16} />
              </a>
            </p>
          ) : (
            <OwnChat />
          )
        }
      </QueryView>
    </div>
  );
}

function OwnChat() {
  const side = chatSide(useSession());
  const query = useQuery(chatQuery(side));
  return (
    <QueryView query={query} skeleton={<LoadingMessages />} className={styles.body}>
      {(chat) => <Conversation key={side} side={side} chat={chat} />}
    </QueryView>
  );
}

function LoadingMessages() {
  return (
    <div className={styles.list}>
      <Skeleton shape="box" height={64} className={styles.theirs} />
      <Skeleton shape="box" height={48} className={styles.own} />
      <Skeleton shape="box" height={64} className={styles.theirs} />
    </div>
  );
}

/** Who answers, and whether customer service is open. */
function Presence() {
  const { t } = useLingui();
  const side = chatSide(useSession());
  const { data: chat } = useQuery({ ...chatQuery(side), enabled: false });
  const operator = chat?.status === 'open' ? chat.operator : undefined;
  return (
    <div className={styles.header}>
      <span className={styles.face} data-online={chat?.online || undefined}>
        {operator ? operator.slice(0, 2).toUpperCase() : <Icon name="headset-fill" size={20} />}
      </span>
      <div className={styles.who}>
        <h2 className={styles.name} dir="auto">
          {operator ?? t`Customer service`}
        </h2>
        <p className={styles.about}>{chat && (chat.online ? t`Online now` : t`Closed now`)}</p>
      </div>
    </div>
  );
}
