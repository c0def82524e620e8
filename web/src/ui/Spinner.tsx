import styles from './Spinner.module.css';

/** A silent progress indicator: text must say what is loading. */
export function Spinner({ size = 22 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className={styles.spinner}
      width={size}
      height={size}
      viewBox="0 0 24 24"
    >
      <circle className={styles.track} cx="12" cy="12" r="9" />
      <path className={styles.arc} d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  );
}
