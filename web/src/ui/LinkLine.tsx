import { Link } from '../lib/router.tsx';

import styles from './LinkLine.module.css';

type LinkLineProps = { text: string; to: string; label: string; replace?: boolean };

/** A question with a link, such as "No account yet? Register". */
export function LinkLine({ text, to, label, replace = false }: LinkLineProps) {
  return (
    <p className={styles.line}>
      {text}{' '}
      <Link to={to} replace={replace} className={styles.link}>
        {label}
      </Link>
    </p>
  );
}
