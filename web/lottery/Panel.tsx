import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react';

import { IconButton } from '../src/ui/IconButton.tsx';
import { addPanel } from './bridge.ts';

import styles from './Panel.module.css';

export type PanelProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  footer?: ReactNode;
};

/** A panel over the page. Its close button, the backdrop, Escape and the app's back button close it. */
export function Panel({ open, ...props }: PanelProps) {
  return open ? <OpenPanel {...props} /> : null;
}

function OpenPanel({ onClose, title, children, footer }: Omit<PanelProps, 'open'>) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const remove = addPanel(() => close());
    return () => {
      remove();
      element?.close();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes it too
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      className={styles.panel}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.frame}>
        <header className={styles.head}>
          <h2 id={heading} className={styles.title}>
            {title}
          </h2>
          <IconButton icon="x" label={t`Close`} onPress={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {footer && <footer className={styles.foot}>{footer}</footer>}
      </div>
    </dialog>
  );
}
