import { useState } from 'react';

import type { Currency } from '../../lib/currency.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Row, Section } from './Section.tsx';

import styles from './Gallery.module.css';

const dong: Currency = { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0' };

export function ControlSection() {
  return (
    <>
      <Buttons />
      <IconButtons />
      <Choices />
      <Section title="Amount and badge">
        <p className={styles.balance}>
          <Amount value="12480500" currency={dong} />
        </p>
        <Row label="Default currency, signed, needed decimals, concealed, unknown">
          <Amount value={1234.5} />
          <Amount value={250} signed />
          <Amount value={-80} />
          <Amount value={12} decimals="needed" />
          <Amount value={9} concealed />
          <Amount value={null} />
        </Row>
        <Row label="1, 12, 99, 100">
          <Badge count={1} />
          <Badge count={12} />
          <Badge count={99} />
          <Badge count={100} />
        </Row>
      </Section>
    </>
  );
}

function Buttons() {
  const [busy, setBusy] = useState(false);
  return (
    <Section title="Button">
      <div className={styles.stack}>
        <Button full>Log in</Button>
        <Button full variant="secondary" icon="user-plus">
          Register
        </Button>
        <Button full variant="outline" icon="game-controller">
          Play for free
        </Button>
        <Button full variant="danger" icon="sign-out">
          Log out
        </Button>
        <Button full variant="text">
          Later
        </Button>
        <Button full busy={busy} onPress={() => setBusy(true)}>
          Press to see it busy
        </Button>
        <Button full disabled>
          Disabled
        </Button>
      </div>
      <Row label="Compact, small, small secondary, busy">
        <Button size="md">Hot games</Button>
        <Button size="sm">Log in</Button>
        <Button size="sm" variant="secondary">
          Register
        </Button>
        <Button size="md" busy>
          Saving
        </Button>
      </Row>
    </Section>
  );
}

function IconButtons() {
  const [starred, setStarred] = useState(true);
  return (
    <Section title="IconButton">
      <Row label="plain, surface, brand, art, badge, busy, disabled">
        <IconButton icon="magnifying-glass" label="Search" />
        <IconButton icon="download-simple-bold" label="Download" variant="surface" />
        <IconButton icon="plus-bold" label="Deposit" variant="brand" />
        <IconButton
          icon={starred ? 'star-fill' : 'star'}
          label="Favourite"
          variant="art"
          pressed={starred}
          onPress={() => setStarred(!starred)}
        />
        <IconButton icon="sliders-horizontal" label="Filter" variant="surface" badge={2} />
        <IconButton icon="star" label="Saving" variant="surface" busy />
        <IconButton icon="sign-out" label="Log out" disabled />
      </Row>
    </Section>
  );
}

function Choices() {
  const [method, setMethod] = useState<'username' | 'phone'>('username');
  const [tab, setTab] = useState('all');
  return (
    <Section title="Segmented and tabs">
      <Segmented
        label="Log in by"
        value={method}
        onChange={setMethod}
        options={[
          { value: 'username', label: 'Username', icon: 'user' },
          { value: 'phone', label: 'Phone', icon: 'device-mobile' },
        ]}
      />
      <Tabs
        label="Categories"
        value={tab}
        onChange={setTab}
        tabs={['All', 'Slots', 'Fishing', 'Live', 'Cards', 'Sports', 'Lottery'].map((name, at) => ({
          value: name.toLowerCase(),
          label: name,
          badge: at === 1 ? 120 : undefined,
          content: <p className={styles.card}>{name} games</p>,
        }))}
      />
    </Section>
  );
}
