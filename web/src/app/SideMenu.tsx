import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useLanguages } from '../api/languages.ts';
import { whatsApp as whatsAppLink } from '../api/link-codes.gen.ts';
import { linkOf, serviceLinksQuery } from '../api/service.ts';
import { useSession } from '../api/session.ts';
import { cashBackFlag, chatFlag, referralPromotion } from '../api/switches.gen.ts';
import { settingsQuery, switchesQuery } from '../api/system.ts';
import { useUnread } from '../api/unread.ts';
import { describeError } from '../i18n/api-error.ts';
import { askLogout } from '../lib/overlays.ts';
import { Link } from '../lib/router.tsx';
import { isStandalone } from '../lib/standalone.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { Logo } from '../ui/Logo.tsx';
import { LookSettings } from '../ui/LookSettings.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { SmartLink } from '../ui/SmartLink.tsx';
import { toast } from '../ui/toastStore.ts';
import { MenuLogin, MenuProfile } from './MenuProfile.tsx';

import styles from './SideMenu.module.css';

/** The menu that slides in from the start edge. */
export default function SideMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const session = useSession();
  const { data: settings } = useQuery(settingsQuery);

  return (
    <Sheet
      side="start"
      open={open}
      onClose={onClose}
      title={t`Menu`}
      header={
        <div className={styles.top}>
          <Logo size={34} />
          {settings?.merchantName ?? 'Fairground'}
        </div>
      }
      footer={
        session && (
          <Button variant="danger" size="md" icon="sign-out" full onPress={askLogout}>
            {t`Log out`}
          </Button>
        )
      }
    >
      <div className={styles.body}>
        {session ? <MenuProfile userName={session.userName} /> : <MenuLogin />}
        <Shortcuts />
        <MenuLinks />
        <Look />
      </div>
    </Sheet>
  );
}

function Shortcuts() {
  const { t } = useLingui();
  const { data: links } = useQuery(serviceLinksQuery);
  const { data: switches } = useQuery(switchesQuery);
  const whatsApp = linkOf(links, whatsAppLink);
  const unread = useUnread();
  const shortcuts: { to: string; icon: IconName; label: string; count?: number }[] = [
    { to: '/m/voucherCenter', icon: 'wallet-fill', label: t`Deposit` },
    { to: '/m/withdraw', icon: 'hand-withdraw', label: t`Withdraw` },
    { to: '/m/gameRecord', icon: 'receipt', label: t`Betting record` },
    whatsApp
      ? { to: whatsApp, icon: 'chat-teardrop-dots-fill', label: 'WhatsApp' }
      : {
          to: '/m/message',
          icon: 'chat-teardrop-dots-fill',
          label: t`Messages`,
          count: unread.total,
        },
  ];
  if (switches?.flag(chatFlag)) {
    shortcuts.push({
      to: '/m/chat',
      icon: 'headset-fill',
      label: t`Live chat`,
      count: unread.chat,
    });
  }
  if (!isStandalone()) {
    shortcuts.push({ to: '/m/app', icon: 'download-simple-bold', label: t`Download app` });
  }
  return (
    <ul className={styles.shortcuts}>
      {shortcuts.map(({ to, icon, label, count = 0 }, index) => (
        <li key={to}>
          <SmartLink to={to} className={styles.shortcut} data-first={index === 0 || undefined}>
            <Icon name={icon} size={24} className={styles.shortcutIcon} />
            {label}
            <Badge count={count} />
          </SmartLink>
        </li>
      ))}
    </ul>
  );
}

function MenuLinks() {
  const { t } = useLingui();
  const { data: switches } = useQuery(switchesQuery);
  const { data: service } = useQuery(serviceLinksQuery);
  const unread = useUnread();
  const links: {
    to: string;
    icon: IconName;
    label: string;
    shown?: boolean | undefined;
    count?: number;
  }[] = [
    {
      to: '/m/message',
      icon: 'envelope-simple',
      label: t`Messages`,
      count: unread.total,
      // Else it is a shortcut.
      shown: linkOf(service, whatsAppLink) !== null,
    },
    { to: '/m/rewardCenter', icon: 'gift', label: t`Reward centre` },
    {
      to: '/m/member/manualRebate',
      icon: 'percent',
      label: t`Cash back`,
      shown: switches?.flag(cashBackFlag),
    },
    {
      to: '/m/inviteFriends',
      icon: 'users-three',
      label: t`Invite friends`,
      shown: switches?.promotion(referralPromotion),
    },
    { to: '/m/member/limits', icon: 'shield-check', label: t`Limits and breaks` },
    { to: '/m/help', icon: 'question', label: t`Help center` },
  ];
  return (
    <ul>
      {links
        .filter(({ shown = true }) => shown)
        .map(({ to, icon, label, count = 0 }) => (
          <li key={to}>
            <Link to={to} className={styles.row}>
              <Icon name={icon} size={22} className={styles.rowIcon} />
              {label}
              <Badge count={count} />
              <Icon name="caret-right" size={16} className={styles.rowEnd} />
            </Link>
          </li>
        ))}
    </ul>
  );
}

function Look() {
  const { all } = useLanguages();
  return (
    <div className={styles.settings}>
      <LookSettings languages={all} onFailure={(failure) => toast.error(describeError(failure))} />
    </div>
  );
}
