-- +goose Up
-- Rounds of tables take their seeds from a series. Older rounds have none; their client seed is the table's id.
ALTER TABLE house_table_round ADD COLUMN series_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE house_table_round ADD COLUMN link BIGINT NOT NULL DEFAULT 0;
ALTER TABLE house_table_round ADD COLUMN client_seed TEXT NOT NULL DEFAULT '';
UPDATE house_table_round SET client_seed = table_id;

-- Finished rounds of a table, and those of them that were called off.
ALTER TABLE house_table ADD COLUMN finished BIGINT NOT NULL DEFAULT 0;
ALTER TABLE house_table ADD COLUMN called_off BIGINT NOT NULL DEFAULT 0;
UPDATE house_table SET
  finished = (SELECT COUNT(*) FROM house_table_round r WHERE r.table_id = house_table.id AND r.status IN ('ended', 'void')),
  called_off = (SELECT COUNT(*) FROM house_table_round r WHERE r.table_id = house_table.id AND r.status = 'void');

-- A player who fixed a client seed uses it for every round. Without it the browser draws one for each round. Older
-- versions drew 16 digits for players who had not chosen one.
ALTER TABLE house_seed ADD COLUMN fixed BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE house_seed SET fixed = TRUE WHERE LENGTH(client_seed) <> 16;

-- Jackpot pools take their seeds from a series, after the seeds whose digests were published before. The name is the
-- client seed of the draws; empty: the name that older versions computed.
ALTER TABLE jackpot_pool ADD COLUMN series_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jackpot_pool ADD COLUMN link BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jackpot_pool ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE jackpot_win ADD COLUMN series_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jackpot_win ADD COLUMN link BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jackpot_win ADD COLUMN name TEXT NOT NULL DEFAULT '';

-- Numbers of jackpot tickets, one after another for each pool. A ticket gets its number in the transaction of the bet.
CREATE TABLE jackpot_counter (
  merchant_id BIGINT NOT NULL,
  currency    TEXT   NOT NULL,
  last        BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, currency)
);
UPDATE jackpot_ticket SET nonce = (
  SELECT p.nonce FROM jackpot_pool p WHERE p.merchant_id = jackpot_ticket.merchant_id AND p.currency = jackpot_ticket.currency) + (
  SELECT COUNT(*) FROM jackpot_ticket o WHERE o.merchant_id = jackpot_ticket.merchant_id AND o.currency = jackpot_ticket.currency
    AND o.state = 'open' AND o.transfer_id <= jackpot_ticket.transfer_id)
WHERE state = 'open' AND EXISTS (SELECT 1 FROM jackpot_pool p WHERE p.merchant_id = jackpot_ticket.merchant_id AND p.currency = jackpot_ticket.currency);
INSERT INTO jackpot_counter (merchant_id, currency, last)
SELECT p.merchant_id, p.currency, p.nonce + (
  SELECT COUNT(*) FROM jackpot_ticket o WHERE o.merchant_id = p.merchant_id AND o.currency = p.currency AND o.state = 'open')
FROM jackpot_pool p;
-- +goose StatementBegin
CREATE TRIGGER jackpot_ticket_number AFTER INSERT ON jackpot_ticket BEGIN
  INSERT INTO jackpot_counter (merchant_id, currency, last) VALUES (NEW.merchant_id, NEW.currency, 1)
  ON CONFLICT (merchant_id, currency) DO UPDATE SET last = last + 1;
  UPDATE jackpot_ticket SET nonce = (
    SELECT c.last FROM jackpot_counter c WHERE c.merchant_id = NEW.merchant_id AND c.currency = NEW.currency) WHERE transfer_id = NEW.transfer_id;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER jackpot_ticket_number;
DROP TABLE jackpot_counter;
ALTER TABLE jackpot_win DROP COLUMN name;
ALTER TABLE jackpot_win DROP COLUMN link;
ALTER TABLE jackpot_win DROP COLUMN series_id;
ALTER TABLE jackpot_pool DROP COLUMN name;
ALTER TABLE jackpot_pool DROP COLUMN link;
ALTER TABLE jackpot_pool DROP COLUMN series_id;
ALTER TABLE house_seed DROP COLUMN fixed;
ALTER TABLE house_table DROP COLUMN called_off;
ALTER TABLE house_table DROP COLUMN finished;
ALTER TABLE house_table_round DROP COLUMN client_seed;
ALTER TABLE house_table_round DROP COLUMN link;
ALTER TABLE house_table_round DROP COLUMN series_id;
