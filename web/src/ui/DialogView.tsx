import { Dialog as Base } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';

import { cx } from '../lib/cx.ts';
import type { DialogProps } from './Dialog.tsx';
import { Icon } from './Icon.tsx';
import { Picture } from './Picture.tsx';
import { useBackCloses } from './useBackCloses.ts';

import styles from './DialogView.module.css';

export default function DialogView(props: DialogProps) {
  const { open, onClose, title, text, children, art, actions, alert, focusAfter } = props;
  const { t } = useLingui();
  useBackCloses(open, onClose);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      disablePointerDismissal={alert}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            role={alert ? 'alertdialog' : 'dialog'}
            finalFocus={focusAfter}
            className={cx(styles.dialog, art && styles.withArt)}
          >
            {art && <Picture src={art} size={96} className={styles.art} />}
            {!alert && (
              <Base.Close aria-label={t`Close`} className={styles.close}>
                <Icon name="x" />
              </Base.Close>
            )}
            <Base.Title className={styles.title}>{title}</Base.Title>
            {text && <Base.Description className={styles.text}>{text}</Base.Description>}
            {children}
            {actions && <div className={styles.actions}>{actions}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
