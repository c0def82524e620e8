import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import {
  Badge,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { FormEvent } from 'react';
import { useLocation } from 'wouter';

import { ActionResult } from '../../../action/ActionResult.tsx';
import { useAction } from '../../../action/useAction.ts';
import { DateTimeField } from '../../../object/DateTimeField.tsx';
import { NewerVersion } from '../../../object/NewerVersion.tsx';
import { useDraft } from '../../../object/useDraft.ts';
import { editedLanguages, languageNames, statusLabels } from '../content/entry.ts';
import { PictureInput } from '../content/PictureInput.tsx';
import {
  categoryLabels,
  everyLabels,
  kindLabels,
  payoutLabels,
  promotionBody,
  promotionDraft,
  type Promotion,
  type PromotionText,
} from './promotion.ts';

const blankText: PromotionText = { title: '', terms: '' };

/** The form of a promotion, in four languages. */
export function PromotionEditor({ promotion }: { promotion: Promotion }) {
  const { t, i18n } = useLingui();
  const [, navigate] = useLocation();
  const form = useDraft(promotion, promotionDraft);
  const { draft, change } = form;
  const isNew = promotion.id === '';
  const save = useAction<Promotion>({
    method: isNew ? 'POST' : 'PUT',
    path: isNew ? '/ops/v1/promotions' : `/ops/v1/promotions/${promotion.id}`,
  });

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const saved = await save.run(promotionBody(form.base, draft));
    if (!saved) return;
    if (saved.approval) {
      notifications.show({ color: 'yellow', message: t`Waits for a second person` });
    } else {
      form.load(saved);
      notifications.show({ color: 'green', message: t`Saved` });
    }
    if (isNew) navigate(`/promotions/${saved.id}`);
  }

  const choiceInput = (
    label: string,
    name: 'kind' | 'category' | 'payout' | 'every',
    labels: Record<string, MessageDescriptor>,
  ) => (
    <Select
      label={label}
      allowDeselect={false}
      value={draft[name]}
      data={Object.entries(labels).map(([value, text]) => ({ value, label: i18n._(text) }))}
      onChange={(value) => change({ [name]: value ?? '' })}
    />
  );
  const numberInput = (
    label: string,
    name: 'percent' | 'amount' | 'min' | 'max' | 'maxRewards' | 'claimDays' | 'days' | 'sorting',
  ) => (
    <NumberInput
      label={label}
      min={0}
      hideControls
      value={draft[name]}
      onChange={(value) => change({ [name]: Number(value) || 0 })}
    />
  );
  const timeInput = (label: string, name: 'startsAt' | 'endsAt' | 'applyBy') => (
    <DateTimeField
      label={label}
      value={draft[name]}
      onChange={(time) => change({ [name]: time })}
    />
  );
  const status = statusLabels[promotion.status];
  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        <Group justify="space-between">
          <Group>
            <Title order={1} size="h3">
              {promotion.title || t`New promotion`}
            </Title>
            {status && <Badge>{i18n._(status)}</Badge>}
          </Group>
          <Button
            type="submit"
            loading={save.isBusy}
            disabled={Number.isNaN(draft.startsAt + draft.endsAt + draft.applyBy)}
          >
            {t`Save`}
          </Button>
        </Group>
        {form.isOutdated && <NewerVersion onLoad={() => form.load(promotion)} />}
        <ActionResult error={save.error} approval={save.approval} />
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          {isNew && (
            <TextInput
              label={t`Code`}
              maxLength={48}
              value={draft.code}
              onChange={(event) => change({ code: event.currentTarget.value })}
            />
          )}
          {isNew && choiceInput(t`Kind`, 'kind', kindLabels)}
          {choiceInput(t`Category`, 'category', categoryLabels)}
          <Select
            label={t`Paid as`}
            allowDeselect={false}
            value={draft.payout}
            data={Object.entries(payoutLabels).map(([value, text]) => ({
              value,
              label: i18n._(text),
            }))}
            onChange={(value) =>
              change({
                payout: value ?? 'cash',
                wagering: value === 'bonus' ? draft.wagering || 1 : 0,
              })
            }
          />
          {draft.payout === 'bonus' && (
            <NumberInput
              label={t`Wagering, at most 10 times the bonus`}
              min={1}
              max={10}
              value={draft.wagering}
              onChange={(value) => change({ wagering: Number(value) || 0 })}
            />
          )}
          {numberInput(t`Percent of the deposit or loss`, 'percent')}
          {numberInput(t`Fixed reward`, 'amount')}
          {numberInput(t`Least deposit or loss`, 'min')}
          {numberInput(t`Most reward`, 'max')}
          {choiceInput(t`How often`, 'every', everyLabels)}
          {draft.kind === 'promo_code' && (
            <TextInput
              label={t`Promotion code`}
              maxLength={24}
              value={draft.promoCode}
              onChange={(event) => change({ promoCode: event.currentTarget.value })}
            />
          )}
          {numberInput(t`Most rewards, 0 for no limit`, 'maxRewards')}
          {numberInput(t`Days to claim`, 'claimDays')}
          {numberInput(t`Days to stake a bonus`, 'days')}
          {numberInput(t`Order`, 'sorting')}
          {timeInput(t`Start`, 'startsAt')}
          {timeInput(t`End`, 'endsAt')}
          {timeInput(t`Apply by`, 'applyBy')}
          <PictureInput
            label={t`Picture`}
            value={draft.image}
            onChange={(image) => change({ image })}
          />
          <Checkbox
            mt="lg"
            label={t`Published`}
            checked={draft.published}
            onChange={(event) => change({ published: event.currentTarget.checked })}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {editedLanguages.map((language) => {
            const text = draft.texts[language] ?? blankText;
            const edit = (part: Partial<PromotionText>) =>
              change({ texts: { ...draft.texts, [language]: { ...text, ...part } } });
            const languageProps = { lang: language, dir: language === 'ur' ? 'rtl' : 'ltr' };
            return (
              <Stack key={language} component="fieldset" gap="xs" m={0} p="sm">
                <legend lang={language}>{languageNames[language]}</legend>
                <TextInput
                  {...languageProps}
                  label={t`Title (${language})`}
                  maxLength={120}
                  value={text.title}
                  onChange={(event) => edit({ title: event.currentTarget.value })}
                />
                <Textarea
                  {...languageProps}
                  label={t`Terms, one in each line (${language})`}
                  rows={6}
                  resize="vertical"
                  value={text.terms}
                  onChange={(event) => edit({ terms: event.currentTarget.value })}
                />
              </Stack>
            );
          })}
        </SimpleGrid>
      </Stack>
    </form>
  );
}
