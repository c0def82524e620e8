import type { MouseEvent, ReactNode, Ref } from 'react';

import { cx } from '../lib/cx.ts';
import { buttonClass, type ButtonLook } from './buttonClass.ts';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { Spinner } from './Spinner.tsx';

import styles from './Button.module.css';

export type ButtonProps = ButtonLook & {
  children: ReactNode;
  onPress?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  type?: 'button' | 'submit';
  icon?: IconName | undefined;
  iconEnd?: IconName | undefined;
  disabled?: boolean | undefined;
  /** Shows a spinner and ignores presses. The button keeps its width and the focus. */
  busy?: boolean | undefined;
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

export function Button(props: ButtonProps) {
  const {
    children,
    onPress,
    type = 'button',
    icon,
    iconEnd,
    disabled,
    busy,
    className,
    ref,
  } = props;
  const iconSize = props.size === 'sm' ? 16 : 20;

  function press(event: MouseEvent<HTMLButtonElement>): void {
    // A busy submit button must not submit the form again.
    if (busy) event.preventDefault();
    else onPress?.(event);
  }

  return (
    <button
      ref={ref}
      // oxlint-disable-next-line react/button-has-type -- the type allows only valid values
      type={type}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
      className={cx(buttonClass(props), className)}
    >
      <span className={cx(styles.content, busy && styles.hidden)}>
        {icon && <Icon name={icon} size={iconSize} />}
        {children}
        {iconEnd && <Icon name={iconEnd} size={props.size === 'sm' ? 12 : 16} />}
      </span>
      {busy && (
        <span className={styles.busy}>
          <Spinner />
        </span>
      )}
    </button>
  );
}
