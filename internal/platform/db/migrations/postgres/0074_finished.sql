-- +goose Up
-- The index of messages to end had every message that had ever ended.
DROP INDEX message_to_end;
CREATE INDEX message_to_end ON message (ends_at, id) WHERE ends_at > 0 AND status IN ('scheduled', 'sending', 'sent');

-- Exposure is needed until the bets on a line are cancelled or settled.
DELETE FROM lottery_exposure WHERE amount <= 0
  OR numero_id IN (SELECT n.id FROM lottery_numero n WHERE n.status IN ('settled', 'void') AND NOT n.pending);

-- The turnover of a member who had not met it and withdrew on a break.
ALTER TABLE withdrawal ADD COLUMN turnover_required BIGINT NOT NULL DEFAULT 0;
ALTER TABLE withdrawal ADD COLUMN turnover_done BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE withdrawal DROP COLUMN turnover_done;
ALTER TABLE withdrawal DROP COLUMN turnover_required;
DROP INDEX message_to_end;
CREATE INDEX message_to_end ON message (ends_at, id) WHERE ends_at > 0;
