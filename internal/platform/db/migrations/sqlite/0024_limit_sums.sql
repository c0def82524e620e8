-- +goose Up
-- Sums of limit_use over spans of twelve hours, fifteen minutes and twenty seconds. Any window is a few long spans, some
-- shorter ones at its edges, and single rows for the rest. So a bet costs the same after any number of others.
CREATE TABLE limit_sum (
  member_id    BIGINT NOT NULL,
  currency     TEXT   NOT NULL,
  span         BIGINT NOT NULL, -- ms
  since        BIGINT NOT NULL, -- unix ms; a multiple of the span
  stake_high   BIGINT NOT NULL, -- high and low 32 bits are summed separately, because a sum may exceed 64 bits
  stake_low    BIGINT NOT NULL,
  return_high  BIGINT NOT NULL,
  return_low   BIGINT NOT NULL,
  deposit_high BIGINT NOT NULL,
  deposit_low  BIGINT NOT NULL,
  PRIMARY KEY (member_id, currency, span, since)
) WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER limit_use_adds AFTER INSERT ON limit_use WHEN NEW.what <> 'promotion' AND NEW.amount <> 0
BEGIN
  INSERT INTO limit_sum (member_id, currency, span, since, stake_high, stake_low, return_high, return_low, deposit_high, deposit_low)
  SELECT NEW.member_id, NEW.currency, x.span, NEW.at - NEW.at % x.span,
    CASE NEW.what WHEN 'stake' THEN NEW.amount >> 32 ELSE 0 END, CASE NEW.what WHEN 'stake' THEN NEW.amount & 4294967295 ELSE 0 END,
    CASE NEW.what WHEN 'return' THEN NEW.amount >> 32 ELSE 0 END, CASE NEW.what WHEN 'return' THEN NEW.amount & 4294967295 ELSE 0 END,
    CASE NEW.what WHEN 'deposit' THEN NEW.amount >> 32 ELSE 0 END, CASE NEW.what WHEN 'deposit' THEN NEW.amount & 4294967295 ELSE 0 END
  FROM (SELECT 43200000 AS span UNION ALL SELECT 900000 UNION ALL SELECT 20000) x WHERE TRUE
  ON CONFLICT (member_id, currency, span, since) DO UPDATE SET stake_high = stake_high + excluded.stake_high,
    stake_low = stake_low + excluded.stake_low,
    return_high = return_high + excluded.return_high,
    return_low = return_low + excluded.return_low,
    deposit_high = deposit_high + excluded.deposit_high,
    deposit_low = deposit_low + excluded.deposit_low;
END;
-- +goose StatementEnd

-- Existing rows.
INSERT INTO limit_sum (member_id, currency, span, since, stake_high, stake_low, return_high, return_low, deposit_high, deposit_low)
SELECT u.member_id, u.currency, x.span, u.at - u.at % x.span,
  SUM(CASE u.what WHEN 'stake' THEN u.amount >> 32 ELSE 0 END), SUM(CASE u.what WHEN 'stake' THEN u.amount & 4294967295 ELSE 0 END),
  SUM(CASE u.what WHEN 'return' THEN u.amount >> 32 ELSE 0 END), SUM(CASE u.what WHEN 'return' THEN u.amount & 4294967295 ELSE 0 END),
  SUM(CASE u.what WHEN 'deposit' THEN u.amount >> 32 ELSE 0 END), SUM(CASE u.what WHEN 'deposit' THEN u.amount & 4294967295 ELSE 0 END)
FROM limit_use u CROSS JOIN (SELECT 43200000 AS span UNION ALL SELECT 900000 UNION ALL SELECT 20000) x
WHERE u.what <> 'promotion' AND u.amount <> 0
GROUP BY 1, 2, 3, 4;

-- For the removal of old sums.
CREATE INDEX limit_sum_since ON limit_sum (since);

-- +goose Down
DROP TRIGGER limit_use_adds;
DROP TABLE limit_sum;
