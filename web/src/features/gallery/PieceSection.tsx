import { useState } from 'react';

import { currencyOf } from '../../lib/currency.ts';
import { Accordion } from '../../ui/display/Accordion.tsx';
import { BarChart, LineChart } from '../../ui/display/chart/Chart.tsx';
import { Chips } from '../../ui/display/Chips.tsx';
import { CopyButton } from '../../ui/display/CopyButton.tsx';
import { MessageList } from '../../ui/display/MessageList.tsx';
import { QrCode } from '../../ui/display/QrCode.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { AmountField, useAmountCheck } from '../../ui/form/AmountField.tsx';
import { DateRange } from '../../ui/form/DateRange.tsx';
import { FileUpload } from '../../ui/form/FileUpload.tsx';
import { RadioCards } from '../../ui/form/RadioCards.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Row, Section } from './Section.tsx';

import styles from './Gallery.module.css';

const vnd = currencyOf('VND', '');
const day = 86_400_000;
const times = Array.from({ length: 7 }, (_, i) => 1_763_000_000_000 + i * day);
const series = [
  { label: 'Won', color: 'ok', values: [3, 5, 2, 8, 6, null, 4] },
  { label: 'Lost', color: 'bad', values: [-2, -4, -1, -6, -3, null, -5] },
] as const;

/** Components of the money and message screens. */
export function PieceSection() {
  const [amount, setAmount] = useState('50000');
  const [bank, setBank] = useState('');
  const [text, setText] = useState('Hello');
  const [range, setRange] = useState({ from: '2026-11-17', to: '2026-11-01' });
  const [method, setMethod] = useState<'mt' | 'qr' | 'pg' | null>('qr');
  const [chip, setChip] = useState<'all' | 'in' | 'out' | null>('all');
  const [files, setFiles] = useState<File[]>([]);
  const check = useAmountCheck(vnd, 0);
  const { error } = check(amount, { min: '100000', max: '5000000' });
  return (
    <Section title="Pieces">
      <div className={styles.stack}>
        <AmountField
          label="Amount"
          value={amount}
          onChange={setAmount}
          currency={vnd}
          decimals={0}
          errors={error ? [error] : []}
        />
        <SelectField
          label="Bank"
          value={bank}
          onChange={setBank}
          placeholder="Choose a bank"
          options={[
            { value: 'a', label: 'First bank' },
            { value: 'b', label: 'Second bank', disabled: true },
          ]}
        />
        <SelectField
          label="Bank"
          value="a"
          onChange={setBank}
          options={[{ value: 'a', label: 'First bank' }]}
          errors={['This bank is closed']}
        />
        <TextArea
          label="Remark"
          value={text}
          max={10}
          onChange={(event) => setText(event.target.value)}
        />
        <DateRange {...range} onChange={setRange} maxDays={92} invalid={range.from > range.to} />
        <RadioCards
          label="Method"
          value={method}
          onChange={setMethod}
          cards={[
            { value: 'qr', title: 'QR code', text: 'At once' },
            { value: 'mt', title: 'Bank transfer', text: '5 minutes' },
            { value: 'pg', title: 'Card', text: 'Opens at 08:00', disabled: true },
          ]}
        />
        <Chips
          label="Kind"
          value={chip}
          onChange={setChip}
          options={[
            { value: 'all', label: 'All' },
            { value: 'in', label: 'In' },
            { value: 'out', label: 'Out', disabled: true },
          ]}
        />
        <FileUpload
          label="Proof"
          files={files}
          onChange={setFiles}
          accept={['image/png', 'image/jpeg']}
          maxFiles={3}
          maxBytes={5 * 1024 * 1024}
          hint="PNG or JPG, 5 MB each"
          progress={0.4}
        />
        <Accordion
          items={[
            { key: 'a', title: 'How long does it take?', content: <p>About five minutes.</p> },
            { key: 'b', title: 'What does it cost?', content: <p>Nothing.</p> },
          ]}
        />
        <Row label="copy, QR code">
          <CopyButton text="FG12AB34CD56" label="the reference" />
          <QrCode text="https://example.org/pay" label="Payment code" size={160} />
        </Row>
        <BarChart
          label="Won and lost by day"
          times={times}
          series={series}
          formatValue={String}
          formatTime={(at) => new Date(at).toISOString().slice(5, 10)}
        />
        <LineChart
          label="Balance by day"
          times={times}
          series={[{ label: 'Balance', color: 'accent', values: [1, 3, 2, 5, 8, 7, 9] }]}
          formatValue={String}
          formatTime={(at) => new Date(at).toISOString().slice(5, 10)}
        />
        <MessageList
          label="Conversation"
          className={styles.log}
          messages={['Good morning', 'How can we help?', 'My deposit is missing']}
          keyOf={(message) => message}
          renderMessage={(message) => <p>{message}</p>}
          hasOlder={false}
          loadingOlder={false}
          failedOlder
          loadOlder={() => {}}
        />
        <QueryView
          query={{ data: undefined, error: null, isFetching: true, refetch: never }}
          skeleton={<Skeleton shape="box" height={60} />}
        >
          {() => null}
        </QueryView>
        <QueryView
          query={{ data: undefined, error: new Error('lost'), isFetching: false, refetch: never }}
          skeleton={null}
        >
          {() => null}
        </QueryView>
      </div>
    </Section>
  );
}

const never = () => new Promise<never>(() => {});
