import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useAvatar } from '../../api/avatar.ts';
import { useLanguages } from '../../api/languages.ts';
import { memberQuery } from '../../api/member.ts';
import { useSession } from '../../api/session.ts';
import { personalModule } from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { describeError } from '../../i18n/api-error.ts';
import { copyText } from '../../lib/clipboard.ts';
import { Link } from '../../lib/router.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { LookSettings } from '../../ui/LookSettings.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './MemberHead.module.css';

export function MemberHead() {
  const { t } = useLingui();
  const session = useSession();
  const { data: member } = useQuery(memberQuery);
  const { data: switches } = useQuery(switchesQuery);
  const avatar = useAvatar(member?.avatar);
  const { all } = useLanguages();
  const [settings, setSettings] = useState(false);

  async function copy(id: string): Promise<void> {
    if (await copyText(id)) toast.success(t`Copied`);
    else toast.error(t`It cannot be copied here`);
  }

  return (
    <section className={styles.head}>
      {switches?.module(personalModule) === false ? (
        <Avatar src={avatar} size={56} />
      ) : (
        <Link to="/m/member/profile" aria-label={t`Profile`} className={styles.picture}>
          <Avatar src={avatar} size={56} />
        </Link>
      )}
      <div className={styles.names}>
        <p className={styles.line}>
          <bdi className={styles.name}>{member?.name ?? session?.userName}</bdi>
          {member && member.vip !== '0' && (
            <span className={styles.vip}>
              <Icon name="crown-fill" size={11} />
              <bdi>{member.vip}</bdi>
            </span>
          )}
        </p>
        <p className={styles.account}>
          <bdi className={styles.login}>{member?.account ?? session?.userName}</bdi>
          {member ? (
            <button
              type="button"
              className={styles.id}
              aria-label={t`Copy ID ${member.id}`}
              onClick={() => void copy(member.id)}
            >
              ID <bdi dir="ltr">{member.id}</bdi>
              <Icon name="copy" size={15} />
            </button>
          ) : (
            <Skeleton width={96} />
          )}
        </p>
      </div>
      <Link to="/m/service" aria-label={t`Customer service`} className={styles.action}>
        <Icon name="headset" size={24} />
      </Link>
      <IconButton
        icon="gear-six"
        iconSize={24}
        label={t`Settings`}
        onPress={() => setSettings(true)}
      />
      <Sheet open={settings} onClose={() => setSettings(false)} title={t`Settings`}>
        <LookSettings
          languages={all}
          onFailure={(failure) => toast.error(describeError(failure))}
        />
      </Sheet>
    </section>
  );
}
