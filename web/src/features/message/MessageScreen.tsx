import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { downloadOf } from '../../api/downloads.ts';
import { markAllInboxRead } from '../../api/inbox.ts';
import { telegram } from '../../api/link-codes.gen.ts';
import { markRead, noticesQuery } from '../../api/notices.ts';
import { linkOf, serviceLinksQuery } from '../../api/service.ts';
import { useSession } from '../../api/session.ts';
import { chatFlag, inboxModule } from '../../api/switches.gen.ts';
import { customerService, settingsQuery, switchesQuery } from '../../api/system.ts';
import { useUnread } from '../../api/unread.ts';
import { describeError } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { goBack, Link } from '../../lib/router.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { SmartLink } from '../../ui/SmartLink.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './MessageScreen.module.css';

/** The message centre: every way in which the house speaks to a member. */
export default function MessageScreen() {
  const { t } = useLingui();
  const { data: switches } = useQuery(switchesQuery);
  const { data: settings } = useQuery(settingsQuery);
  const { data: links } = useQuery(serviceLinksQuery);
  const unread = useUnread();
  const hasChat = switches?.flag(chatFlag) === true;
  const telegramLink = linkOf(links, telegram) ?? downloadOf(settings, telegram);
  const affiliate = linkOf(links, 'AFFILIATELINK');
  const service = linkOf(links, customerService);
  return (
    <>
      <header className={styles.bar}>
        <IconButton icon="arrow-left" label={t`Back`} onPress={goBack} />
        <h1 className={styles.heading} tabIndex={-1}>
          {t`Messages`}
        </h1>
        <ReadAll total={unread.total - unread.chat} />
      </header>
      <div className={styles.screen}>
        {hasChat && (
          <section className={styles.help}>
            <div className={styles.words}>
              <h2 className={styles.helpTitle}>{t`Need help now?`}</h2>
              <p>{t`Our team answers in the live chat.`}</p>
              <Link to="/m/chat" className={buttonClass({ variant: 'secondary', size: 'md' })}>
                <Icon name="chat-teardrop-dots-fill" size={20} />
                {t`Chat now`}
              </Link>
            </div>
            <Picture src={artUrl('icons/headset.webp')} size={96} />
          </section>
        )}
        <ul className={styles.list}>
          <Row
            to="/m/notice"
            art="megaphone"
            name={t`Announcements`}
            text={t`News of the house`}
            count={unread.announcements}
          />
          {switches?.module(inboxModule) !== false && (
            <Row
              to="/m/webEmail"
              art="mail"
              name={t`Inbox`}
              text={t`Messages about your account and your money`}
              count={unread.inbox}
            />
          )}
          {hasChat && (
            <Row
              to="/m/chat"
              art="chat"
              name={t`Live chat`}
              text={t`Talk to customer service`}
              count={unread.chat}
            />
          )}
          {telegramLink && (
            <Row
              to={telegramLink}
              art="envelope"
              name="Telegram"
              text={t`News and codes on our official channel`}
              outside
            />
          )}
          {affiliate && (
            <Row
              to={affiliate}
              art="handshake"
              name={t`For affiliates`}
              text={t`Advice on invitations and commission`}
              outside
            />
          )}
          <Row
            to={service ?? '/m/service'}
            art="headset"
            name={t`Customer service`}
            text={t`All ways to reach us`}
            outside={service?.startsWith('http') === true}
          />
          <Row
            to="/m/member/feedback"
            art="scroll"
            name={t`Feedback`}
            text={t`Tell us what to improve`}
          />
        </ul>
      </div>
    </>
  );
}

type RowProps = {
  to: string;
  art: string;
  name: string;
  text: string;
  count?: number;
  /** Leads to another site. */
  outside?: boolean;
};

function Row({ to, art, name, text, count = 0, outside = false }: RowProps) {
  const { t } = useLingui();
  return (
    <li>
      <SmartLink to={to} className={styles.row}>
        <span className={styles.face}>
          <Picture src={artUrl(`icons/${art}.webp`)} size={30} lazy />
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className={styles.text}>{text}</span>
        </span>
        {count > 0 && (
          <span className={styles.count}>
            <Badge count={count} />
            <span className={styles.visuallyHidden}>{t`Unread`}</span>
          </span>
        )}
        <Icon name={outside ? 'arrow-square-out' : 'caret-right'} size={outside ? 20 : 16} />
      </SmartLink>
    </li>
  );
}

/** Marks the announcements and the inbox as read. */
function ReadAll({ total }: { total: number }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const session = useSession();
  const unread = useUnread();
  const [isBusy, setIsBusy] = useState(false);
  if (total <= 0) return null;

  async function markAll(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    try {
      if (unread.inbox > 0) await markAllInboxRead(cache);
      const notices = await cache.ensureQueryData(noticesQuery(language, session));
      await markRead(
        cache,
        notices.filter(({ read }) => !read).map(({ id }) => id),
      );
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setIsBusy(false);
    }
  }

  return <IconButton icon="checks" label={t`Read all`} onPress={() => void markAll()} />;
}
