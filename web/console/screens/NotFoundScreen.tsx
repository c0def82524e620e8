import { useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from 'wouter';

import { MessageState } from '../states.tsx';

export function NotFoundScreen() {
  const { t } = useLingui();
  return (
    <MessageState icon="search" text={t`There is no such screen, or you may not open it.`}>
      <Button component={Link} href="/">
        {t`To the overview`}
      </Button>
    </MessageState>
  );
}
