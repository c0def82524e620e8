import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';

import { agentNotice } from '../../api/content-types.gen.ts';
import type { Announcement } from '../../api/content.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { formatRelative } from '../../lib/dates.ts';
import { Link, ownPath } from '../../lib/router.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';

import styles from './NoticeScreen.module.css';

/** Icons by the start of the notice's link. */
const artByPath: readonly [start: string, art: string][] = [
  ['/m/activity', 'gift'],
  ['/m/rewardCenter', 'gift'],
  ['/m/game', 'slot'],
  ['/m/lottery', 'lottery'],
  ['/m/voucherCenter', 'bank'],
  ['/m/withdraw', 'bank'],
  ['/m/member/security', 'lock'],
  ['/m/member/limits', 'shield'],
  ['/m/fairness', 'scales'],
];

const artOf = ({ type, url }: Announcement): string =>
  artByPath.find(([start]) => url.startsWith(start))?.[1] ??
  (type === agentNotice ? 'handshake' : 'megaphone');

export type NoticeCardProps = {
  item: Announcement;
  unread: boolean;
  open: boolean;
  onPress: () => void;
};

export function NoticeCard({ item, unread, open, onPress }: NoticeCardProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const path = ownPath(item.url);
  return (
    <li className={styles.card} data-read={!unread || undefined}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={onPress}
        className={styles.head}
      >
        <span className={styles.face}>
          <Picture src={artUrl(`icons/${artOf(item)}.webp`)} size={30} lazy />
          {unread && <span className={styles.dot} />}
        </span>
        <span className={styles.words}>
          <span className={styles.line}>
            <span className={styles.tag}>{item.tag || t`Announcement`}</span>
            {item.startTime > 0 && (
              <time dateTime={new Date(item.startTime).toISOString()} className={styles.when}>
                {formatRelative(item.startTime, language)}
              </time>
            )}
          </span>
          <span className={styles.title}>
            {item.title}
            {unread && <span className={styles.visuallyHidden}> ({t`Unread`})</span>}
          </span>
          {!open && <span className={styles.text}>{toPlainText(item.content)}</span>}
        </span>
      </button>
      <div id={id} hidden={!open} className={styles.body}>
        {open && (
          <>
            <SafeHtml html={item.content} />
            {path && (
              <Link to={path} className={styles.more}>
                {item.cta || t`See more`}
                <Icon name="caret-right-bold" size={12} />
              </Link>
            )}
          </>
        )}
      </div>
    </li>
  );
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
  '#34': '"',
};

/** Returns the text of an HTML fragment for the preview. React escapes the result. */
function toPlainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
