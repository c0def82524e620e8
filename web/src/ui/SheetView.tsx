import { Drawer } from '@base-ui/react/drawer';
import { useLingui } from '@lingui/react/macro';

import { cx } from '../lib/cx.ts';
import { useDirection } from '../lib/direction.ts';
import { Icon } from './Icon.tsx';
import type { SheetProps } from './Sheet.tsx';
import { useCloseOnBack } from './useCloseOnBack.ts';

import styles from './SheetView.module.css';

export default function SheetView(props: SheetProps) {
  const { open, onClose, title, side = 'bottom', children, footer, header } = props;
  const { t } = useLingui();
  useCloseOnBack(open, onClose);
  const startSide = useDirection() === 'rtl' ? 'right' : 'left';
  return (
    <Drawer.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      swipeDirection={side === 'bottom' ? 'down' : startSide}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className={styles.scrim} />
        <Drawer.Viewport className={cx(styles.viewport, styles[side])}>
          <Drawer.Popup className={styles.sheet}>
            {side === 'bottom' && <span aria-hidden="true" className={styles.grip} />}
            <div className={styles.head}>
              {header}
              <Drawer.Title
                className={cx(styles.title, header !== undefined && styles.visuallyHidden)}
              >
                {title}
              </Drawer.Title>
              <Drawer.Close aria-label={t`Close`} className={styles.close}>
                <Icon name="x" />
              </Drawer.Close>
            </div>
            <Drawer.Content className={styles.content}>{children}</Drawer.Content>
            {footer && <div className={styles.footer}>{footer}</div>}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
