import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';

import { copyText } from '../../lib/clipboard.ts';
import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';
import { toast } from '../toastStore.ts';

import styles from './CopyButton.module.css';

const copiedMs = 2000;

export type CopyButtonProps = {
  text: string;
  label: string;
  /** Shows no word beside the icon. */
  iconOnly?: boolean | undefined;
  className?: string | undefined;
};

export function CopyButton({ text, label, iconOnly, className }: CopyButtonProps) {
  const { t } = useLingui();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(): Promise<void> {
    if (await copyText(text)) setCopied(true);
    else toast.error(t`Copying is not possible here. Select the text instead.`);
  }

  return (
    <button
      type="button"
      aria-label={t`Copy ${label}`}
      onClick={() => void copy()}
      className={cx(styles.copy, iconOnly && styles.iconOnly, copied && styles.copied, className)}
    >
      <Icon name={copied ? 'check' : 'copy'} size={18} />
      <span role="status" className={styles.word}>
        {copied ? t`Copied` : t`Copy`}
      </span>
    </button>
  );
}
