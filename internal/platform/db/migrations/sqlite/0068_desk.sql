-- +goose Up
ALTER TABLE operator ADD COLUMN password_given BIGINT NOT NULL DEFAULT 0; -- 1: another person has set the password
ALTER TABLE operator ADD COLUMN factor_public BIGINT NOT NULL DEFAULT 0; -- 1: everyone knows the password and the second factor (demo)

-- +goose Down
ALTER TABLE operator DROP COLUMN factor_public;
ALTER TABLE operator DROP COLUMN password_given;
