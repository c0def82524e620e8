package content

import (
	"context"
	"fmt"
	"slices"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	statusActive    = "active"
	statusStreaming = "streaming"
)

var modelStatuses = []string{statusActive, statusStreaming}

// A Model is a presenter of live tables or streams.
type Model struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	Cover   string `json:"cover"`
	Status  string `json:"status"`
	Sorting int64  `json:"sorting"`
	Enabled bool   `json:"enabled"`
}

func (m Model) check() error {
	reject := func(field string) error { return malformed(field, "model", m.Code) }
	switch {
	case !codePattern.MatchString(m.Code):
		return reject("code")
	case !validHeading(m.Name):
		return reject("name")
	case m.Cover == "" || !sitePath(m.Cover):
		return reject("cover")
	case !slices.Contains(modelStatuses, m.Status):
		return reject("status")
	}
	return nil
}

func putModel(ctx context.Context, tx *db.Tx, merchantID int64, m Model) error {
	return tx.Q.PutLiveModel(ctx, query.PutLiveModelParams{
		MerchantID: merchantID, Code: m.Code, Name: m.Name, Cover: m.Cover, Status: m.Status, Sorting: m.Sorting, Enabled: m.Enabled,
	})
}

// Models returns the models with one of the statuses, in display order.
func (s *Service) Models(ctx context.Context, merchantID int64, statuses []string) ([]query.LiveModel, error) {
	all, err := s.models.Get(ctx, merchantID, func(ctx context.Context) ([]query.LiveModel, error) {
		rows, err := s.o.Store.Q().LiveModels(ctx, merchantID)
		if err != nil {
			return nil, fmt.Errorf("read live models: %w", err)
		}
		return rows, nil
	})
	if err != nil {
		return nil, err
	}
	matching := []query.LiveModel{}
	for _, m := range all {
		if slices.Contains(statuses, m.Status) {
			matching = append(matching, m)
		}
	}
	return matching, nil
}
