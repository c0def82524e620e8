import { Dialog as Base } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';

import { cx } from '../lib/cx.ts';
import type { DialogProps } from './Dialog.tsx';
import { Icon } from './Icon.tsx';
import { Picture } from './Picture.tsx';
import { useCloseOnBack } from './useCloseOnBack.ts';

import styles from './DialogView.module.css';

export default function DialogView(props: DialogProps) {
  const { open, onClose, title, text, children, art, band, foot, actions, alert, focusAfter } =
    props;
  const { t } = useLingui();
  useCloseOnBack(open, onClose);
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
            className={cx(
              styles.dialog,
              art && styles.withArt,
              band !== undefined && styles.withBand,
            )}
          >
            {art && <Picture src={art} size={96} className={styles.art} />}
            {band && <div className={styles.band}>{band}</div>}
            {!alert && (
              <Base.Close
                aria-label={t`Close`}
                className={cx(styles.close, band !== undefined && styles.closeOverBand)}
              >
                <Icon name="x" />
              </Base.Close>
            )}
            <div className={cx(band !== undefined && styles.body)}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {text && <Base.Description className={styles.text}>{text}</Base.Description>}
              {children}
              {actions && <div className={styles.actions}>{actions}</div>}
            </div>
            {foot && <div className={styles.foot}>{foot}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
