-- +goose Up
-- Promotions of a merchant. Jobs and members' calls grant rewards from them.
CREATE TABLE promotion (
  id           INTEGER PRIMARY KEY,
  merchant_id  BIGINT NOT NULL REFERENCES merchant (id),
  code         TEXT   NOT NULL,
  kind         TEXT   NOT NULL, -- first_deposit, reload, loss_rebate, birthday, promo_code, grant, application
  category     TEXT   NOT NULL, -- deposit, cashback, event, vip
  currency     TEXT   NOT NULL,
  texts        TEXT   NOT NULL, -- JSON: title and terms by language
  image        TEXT   NOT NULL,
  payout       TEXT   NOT NULL, -- cash, bonus
  rate         BIGINT NOT NULL, -- hundredths of a percent of the deposit or loss
  amount       BIGINT NOT NULL, -- a fixed reward; 0: the rate counts
  least        BIGINT NOT NULL, -- the least deposit or loss
  most         BIGINT NOT NULL, -- the most reward; 0: no limit
  wagering     BIGINT NOT NULL, -- times the reward
  every        TEXT   NOT NULL, -- day, week: a new reward in each; '': once
  promo_code   TEXT   NOT NULL, -- what members type, in capitals
  max_rewards  BIGINT NOT NULL, -- 0: no limit
  claim_days   BIGINT NOT NULL, -- to claim a reward
  days         BIGINT NOT NULL, -- to wager a bonus
  starts_at    BIGINT NOT NULL,
  ends_at      BIGINT NOT NULL, -- 0: no end
  apply_by     BIGINT NOT NULL, -- 0: until it ends
  published    BOOLEAN NOT NULL,
  sorting      BIGINT NOT NULL,
  evaluated_at BIGINT NOT NULL DEFAULT 0, -- until when jobs have granted rewards
  version      BIGINT NOT NULL DEFAULT 1,
  created_at   BIGINT NOT NULL,
  UNIQUE (merchant_id, code)
);
CREATE UNIQUE INDEX promotion_code ON promotion (merchant_id, promo_code) WHERE promo_code <> '';

-- Rewards of members. A member has at most one of a promotion and period.
CREATE TABLE reward (
  id           INTEGER PRIMARY KEY,
  merchant_id  BIGINT NOT NULL,
  member_id    BIGINT NOT NULL REFERENCES member (id),
  promotion_id BIGINT NOT NULL REFERENCES promotion (id),
  period       TEXT   NOT NULL,
  status       TEXT   NOT NULL, -- APPLIED, UNCLAIMED, WAGERING, CLAIMED, COMPLETED, EXPIRED, GIVEN_UP, REFUSED
  payout       TEXT   NOT NULL, -- cash, bonus
  currency     TEXT   NOT NULL,
  amount       BIGINT NOT NULL,
  required     BIGINT NOT NULL, -- stakes that turn a bonus into cash
  wagered      BIGINT NOT NULL DEFAULT 0,
  paid         BIGINT NOT NULL DEFAULT 0, -- what became cash
  days         BIGINT NOT NULL,
  remark       TEXT   NOT NULL DEFAULT '',
  images       TEXT   NOT NULL DEFAULT '', -- JSON list of the names of pictures
  reason       TEXT   NOT NULL DEFAULT '', -- why it was refused
  account_id   BIGINT, -- the member's bonus account
  transfer_id  BIGINT, -- transfer that credited it
  decided_by   TEXT   NOT NULL DEFAULT '',
  warned_at    BIGINT NOT NULL DEFAULT 0, -- when the member was told that it expires
  created_at   BIGINT NOT NULL,
  claimed_at   BIGINT,
  expires_at   BIGINT NOT NULL, -- 0: never
  ended_at     BIGINT,
  version      BIGINT NOT NULL DEFAULT 1,
  UNIQUE (member_id, promotion_id, period)
);
CREATE INDEX reward_of_member ON reward (member_id, created_at, id);
CREATE INDEX reward_of_merchant ON reward (merchant_id, created_at, id);
CREATE INDEX reward_of_promotion ON reward (promotion_id, member_id);
CREATE INDEX reward_expires ON reward (expires_at) WHERE status IN ('UNCLAIMED', 'WAGERING');
CREATE UNIQUE INDEX reward_wagering ON reward (member_id, currency) WHERE status = 'WAGERING';

-- Stakes that a bonus paid.
CREATE TABLE bonus_stake (
  transfer_id INTEGER PRIMARY KEY,
  reward_id   BIGINT  NOT NULL,
  vendor_id   BIGINT  NOT NULL,
  member_id   BIGINT  NOT NULL,
  round       TEXT    NOT NULL,
  first       BOOLEAN NOT NULL, -- no other stake of the round stood
  reversed    BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX bonus_stake_round ON bonus_stake (vendor_id, round, member_id);

-- +goose Down
DROP TABLE bonus_stake;
DROP TABLE reward;
DROP TABLE promotion;
