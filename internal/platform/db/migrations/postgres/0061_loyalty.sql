-- +goose Up
-- Rules of check-in, cash back, VIP levels and referrals. Each rule has a promotion, whose rewards it grants.
CREATE TABLE loyalty_rule (
  merchant_id  BIGINT NOT NULL REFERENCES merchant (id),
  kind         TEXT   NOT NULL, -- check_in, cash_back, vip, referral
  promotion_id BIGINT NOT NULL REFERENCES promotion (id),
  currency     TEXT   NOT NULL,
  enabled      BOOLEAN NOT NULL,
  rule         TEXT   NOT NULL, -- JSON; its fields depend on the kind
  since        BIGINT NOT NULL, -- when it was last switched on
  evaluated    BIGINT NOT NULL DEFAULT 0, -- the job has seen rounds up to this id
  version      BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (merchant_id, kind)
);

-- The run of days of each member. It is also the lock of a member's check-in.
CREATE TABLE check_in_streak (
  member_id BIGINT PRIMARY KEY REFERENCES member (id),
  last_day  TEXT   NOT NULL, -- YYYY-MM-DD in the merchant's time zone; '': none yet
  streak    BIGINT NOT NULL,
  longest   BIGINT NOT NULL
);
CREATE TABLE check_in (
  member_id BIGINT NOT NULL REFERENCES member (id),
  day       TEXT   NOT NULL,
  streak    BIGINT NOT NULL, -- day of the run
  amount    BIGINT NOT NULL,
  reward_id BIGINT NOT NULL, -- 0: this day pays nothing
  PRIMARY KEY (member_id, day)
);

-- Claimed cash back.
CREATE TABLE cash_back (
  member_id  BIGINT NOT NULL REFERENCES member (id),
  period     TEXT   NOT NULL, -- first day, YYYY-MM-DD
  turnover   BIGINT NOT NULL,
  amount     BIGINT NOT NULL,
  reward_id  BIGINT NOT NULL,
  claimed_at BIGINT NOT NULL,
  PRIMARY KEY (member_id, period)
);

CREATE TABLE vip_member (
  member_id   BIGINT PRIMARY KEY REFERENCES member (id),
  merchant_id BIGINT NOT NULL,
  level       BIGINT NOT NULL,
  reached_at  BIGINT NOT NULL,
  until       BIGINT NOT NULL -- the level is kept at least so long; 0: for ever
);
CREATE INDEX vip_member_until ON vip_member (merchant_id, until) WHERE until > 0;
CREATE INDEX member_invited ON member (parent_id, created_at) WHERE parent_id IS NOT NULL;

-- +goose Down
DROP INDEX member_invited;
DROP TABLE vip_member;
DROP TABLE cash_back;
DROP TABLE check_in;
DROP TABLE check_in_streak;
DROP TABLE loyalty_rule;
