import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useAvatar } from '../../api/avatar.ts';
import { memberQuery } from '../../api/member.ts';
import { avatarModule } from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { PictureChoice } from './PictureChoice.tsx';

import styles from './ProfilePicture.module.css';

export function ProfilePicture() {
  const { t } = useLingui();
  const { data: member } = useQuery(memberQuery);
  const { data: switches } = useQuery(switchesQuery);
  const avatar = useAvatar(member?.avatar);
  const [open, setOpen] = useState(false);
  return (
    <section className={styles.picture}>
      <Avatar src={avatar} size={96} />
      {switches?.module(avatarModule) && (
        <Button variant="text" size="md" icon="camera" onPress={() => setOpen(true)}>
          {t`Change picture`}
        </Button>
      )}
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Your picture`}>
        <PictureChoice onDone={() => setOpen(false)} />
      </Sheet>
    </section>
  );
}
