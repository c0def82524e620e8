import { useState } from 'react';

import { currencyOf } from '../../lib/currency.ts';
import { Chips } from '../../ui/display/Chips.tsx';
import { CopyButton } from '../../ui/display/CopyButton.tsx';
import { QrCode } from '../../ui/display/QrCode.tsx';
import { AmountField, useAmountCheck } from '../../ui/form/AmountField.tsx';
import { DateRange } from '../../ui/form/DateRange.tsx';
import { FileUpload } from '../../ui/form/FileUpload.tsx';
import { RadioCards } from '../../ui/form/RadioCards.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { Piece, Section } from './Section.tsx';

import styles from './Gallery.module.css';

const vnd = currencyOf('VND', '');

const slip = new File(
  ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3"/></svg>'],
  'slip.svg',
  { type: 'image/svg+xml' },
);

/** Form components of the money and message screens. */
export function PieceSection() {
  return (
    <Section title="Pieces of forms">
      <div className={styles.stack}>
        <Texts />
        <Choices />
        <Uploads />
        <Piece name="CopyButton">
          <div className={styles.row}>
            <CopyButton text="FG12AB34CD56" label="the reference" />
          </div>
        </Piece>
        <Piece name="QrCode">
          <QrCode text="https://example.org/pay" label="Payment code" size={160} />
        </Piece>
      </div>
    </Section>
  );
}

function Texts() {
  const [amount, setAmount] = useState('50000');
  const [text, setText] = useState('Hello');
  const check = useAmountCheck(vnd, 0);
  const { error } = check(amount, { min: '100000', max: '5000000' });
  return (
    <>
      <Piece name="AmountField">
        <AmountField
          label="Amount"
          value={amount}
          onChange={setAmount}
          currency={vnd}
          decimals={0}
          errors={error ? [error] : []}
        />
      </Piece>
      <Piece name="TextArea">
        <TextArea
          label="Remark"
          value={text}
          max={10}
          onChange={(event) => setText(event.target.value)}
        />
        <TextArea
          label="Reason"
          value="no"
          readOnly
          max={200}
          errors={['Write at least 10 characters']}
        />
      </Piece>
    </>
  );
}

function Choices() {
  const [bank, setBank] = useState('');
  const [range, setRange] = useState({ from: '2026-11-17', to: '2026-11-01' });
  const [method, setMethod] = useState<'mt' | 'qr' | 'pg' | null>('qr');
  const [chip, setChip] = useState<'all' | 'in' | 'out' | null>('all');
  return (
    <>
      <Piece name="SelectField">
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
      </Piece>
      <Piece name="DateRange">
        <DateRange {...range} onChange={setRange} maxDays={92} invalid={range.from > range.to} />
      </Piece>
      <Piece name="RadioCards">
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
      </Piece>
      <Piece name="Chips">
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
      </Piece>
    </>
  );
}

function Uploads() {
  const [files, setFiles] = useState<File[]>([]);
  const [rejected, setRejected] = useState([slip]);
  const limits = {
    accept: ['image/png', 'image/jpeg'],
    maxFiles: 3,
    maxBytes: 5 * 1024 * 1024,
  };
  return (
    <Piece name="FileUpload">
      <FileUpload
        {...limits}
        label="Proof"
        files={files}
        onChange={setFiles}
        hint="PNG or JPG, 5 MB each"
        progress={0.4}
      />
      <FileUpload
        {...limits}
        label="Payment slip"
        files={rejected}
        onChange={setRejected}
        errors={['The slip cannot be read']}
      />
    </Piece>
  );
}
