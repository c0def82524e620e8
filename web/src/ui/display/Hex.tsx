import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { copyText } from '../../lib/clipboard.ts';
import { IconButton } from '../IconButton.tsx';
import { toast } from '../toastStore.ts';

import styles from './Hex.module.css';

export type HexProps = {
  label: string;
  value: string;
  /** Disables grouping. */
  plain?: boolean;
};

const groupDigits = (hex: string): string => hex.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** A hex value in groups of four, with a copy button. */
export function Hex({ label, value, plain }: HexProps) {
  const { t } = useLingui();
  const [copied, setCopied] = useState(false);

  async function copy(): Promise<void> {
    if (!(await copyText(value))) {
      toast.error(t`This browser does not let us copy`);
      return;
    }
    setCopied(true);
    setTimeout(setCopied, 2000, false);
  }

  return (
    <div className={styles.value}>
      <code aria-label={label} className={styles.code} dir="ltr">
        {plain ? value : groupDigits(value)}
      </code>
      <IconButton
        icon={copied ? 'check' : 'copy'}
        variant="surface"
        label={t`Copy: ${label}`}
        onPress={() => void copy()}
      />
    </div>
  );
}
