import { Plural, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { rateChat, type ChatSide } from '../../api/chat.ts';
import { describeError } from '../../i18n/api-error.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './ChatScreen.module.css';

/** Asks how the conversation was. */
export function RatingCard({ side }: { side: ChatSide }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [stars, setStars] = useState(0);
  const [comment, setComment] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function rate(): Promise<void> {
    setBusy(true);
    try {
      await rateChat(cache, side, stars, comment);
    } catch (failure) {
      toast.error(describeError(failure));
      setBusy(false);
    }
  }

  return (
    <section className={styles.rating} aria-label={t`How was the chat?`}>
      <h2>{t`How was the chat?`}</h2>
      <fieldset className={styles.stars}>
        <legend className={styles.hidden}>{t`Stars`}</legend>
        {[1, 2, 3, 4, 5].map((count) => (
          <label key={count}>
            <input
              type="radio"
              name="stars"
              checked={stars === count}
              onChange={() => setStars(count)}
            />
            <Icon name={count <= stars ? 'star-fill' : 'star'} size={30} />
            <span className={styles.hidden}>
              <Plural value={count} one="# star" other="# stars" />
            </span>
          </label>
        ))}
      </fieldset>
      {stars > 0 && (
        <>
          <TextArea
            label={t`What can we do better?`}
            rows={2}
            max={500}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button variant="secondary" size="md" full busy={isBusy} onPress={() => void rate()}>
            {t`Send rating`}
          </Button>
        </>
      )}
    </section>
  );
}
