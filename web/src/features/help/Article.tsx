import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { ownVote, voteHelp, type HelpTopic } from '../../api/help.ts';
import { describeError } from '../../i18n/api-error.ts';
import { Button } from '../../ui/Button.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './Help.module.css';

type ArticleProps = { article: HelpTopic; canVote?: boolean };

export function Article({ article, canVote = false }: ArticleProps) {
  return (
    <article className={styles.text}>
      <SafeHtml html={article.content} />
      {canVote && article.code && <Question key={article.code} code={article.code} />}
    </article>
  );
}

/** Asks whether the article helped. A voter may change the answer. */
function Question({ code }: { code: string }) {
  const { t } = useLingui();
  const [vote, setVote] = useState(() => ownVote(code));
  const sending = useMutation({
    mutationFn: (helpful: boolean) => voteHelp(code, helpful),
    onSuccess: (_, helpful) => setVote(helpful),
    onError: (failure) => toast.error(describeError(failure)),
  });
  const answer = (helpful: boolean, label: string) => (
    <Button
      variant={vote === helpful ? 'secondary' : 'outline'}
      size="sm"
      icon={vote === helpful ? 'check' : undefined}
      busy={sending.isPending && sending.variables === helpful}
      onPress={() => {
        if (!sending.isPending && vote !== helpful) sending.mutate(helpful);
      }}
    >
      {label}
    </Button>
  );
  return (
    <div role="group" aria-label={t`Was this helpful?`} className={styles.question}>
      <span className={styles.questionText} role="status">
        {vote === null ? t`Was this helpful?` : t`Thank you for your answer.`}
      </span>
      {answer(true, t`Yes`)}
      {answer(false, t`No`)}
    </div>
  );
}
