import { msg } from '@lingui/core/macro';
import { useLingui as useCatalogue } from '@lingui/react';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { downloadOf } from '../../api/downloads.ts';
import { telegram, whatsApp } from '../../api/link-codes.gen.ts';
import { serviceLinksQuery, type ServiceLink } from '../../api/service.ts';
import { chatFlag } from '../../api/switches.gen.ts';
import { settingsQuery, switchesQuery } from '../../api/system.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SmartLink } from '../../ui/SmartLink.tsx';

import styles from './ServiceScreen.module.css';

/** Contact types with a known name. Others show the merchant's code. */
const kinds: Record<string, { art: string; name?: ReturnType<typeof msg>; brand?: string }> = {
  CS: { art: 'headset', name: msg`Customer service` },
  [whatsApp]: { art: 'chat', brand: 'WhatsApp' },
  [telegram]: { art: 'mail', brand: 'Telegram' },
  ZALO: { art: 'chat', brand: 'Zalo' },
  AFFILIATELINK: { art: 'handshake', name: msg`For affiliates` },
};

export default function ServiceScreen() {
  const query = useQuery(serviceLinksQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.loaded}
        skeleton={
          <>
            {[0, 1, 2].map((i) => (
              <Skeleton key={i} shape="box" height={72} className={styles.skeleton} />
            ))}
          </>
        }
      >
        {(links) => <Contacts links={links} />}
      </QueryView>
    </div>
  );
}

function Contacts({ links }: { links: readonly ServiceLink[] }) {
  const { t } = useLingui();
  const { i18n } = useCatalogue();
  const { data: switches } = useQuery(switchesQuery);
  const { data: settings } = useQuery(settingsQuery);
  const hasChat = switches?.flag(chatFlag) === true;
  const contacts = withTelegram(links, downloadOf(settings, telegram));
  if (contacts.length === 0 && !hasChat) {
    return (
      <Empty
        art={artUrl('spots/empty.webp')}
        icon="headset"
        title={t`Nobody is on duty`}
        text={t`The help centre answers most questions.`}
        actions={
          <Link to="/m/help" className={buttonClass({ size: 'md' })}>
            {t`Help center`}
          </Link>
        }
      />
    );
  }
  return (
    <>
      <p className={styles.lead}>{t`Choose how you want to talk to us.`}</p>
      <ul className={styles.list}>
        {hasChat && <ContactRow to="/m/chat" art="chat" name={t`Live chat`} />}
        {contacts.map(({ type, href }) => {
          const kind = kinds[type];
          const name = kind?.name ? i18n._(kind.name) : (kind?.brand ?? type);
          return <ContactRow key={type + href} to={href} art={kind?.art ?? 'chat'} name={name} />;
        })}
        <ContactRow to="/m/help" art="search" name={t`Help center`} />
      </ul>
    </>
  );
}

/** Adds the Telegram link of the downloads, unless the contacts already have one. */
function withTelegram(links: readonly ServiceLink[], href: string | null): readonly ServiceLink[] {
  if (!href || links.some(({ type }) => type === telegram)) return links;
  return [...links, { type: telegram, href }];
}

function ContactRow({ to, art, name }: { to: string; art: string; name: string }) {
  return (
    <li>
      <SmartLink to={to} className={styles.contact}>
        <Picture src={artUrl(`icons/${art}.webp`)} size={34} />
        <span className={styles.name}>{name}</span>
        <Icon name="caret-right" size={16} />
      </SmartLink>
    </li>
  );
}
