package merchant

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

const opsTag = "operators"

// Kinds of settings, for forms.
const (
	formSwitch  = "boolean"
	formNumber  = "number"
	formText    = "text"
	formChoice  = "choice"
	formChoices = "choices"
	formList    = "list"
	formJSON    = "json"
)

// choicesOf lists the allowed values of settings that have a fixed set of values.
var choicesOf = map[Setting][]string{
	SystemStatus: {"0", "1", "2"}, SystemStatusReading: {string(ReadingA), string(ReadingB)}, SystemAgeLimit: {"18", "21"},
	SystemLanguages: languages, SystemDefaultLanguage: languages, SystemPickerLanguages: languages,
	SiteHomeCategory: Categories, SiteGameCategory: Categories, SiteTheme: themes, SiteTemplate: {"m1"},
}

// formOf returns the kind of input for a value.
func formOf(name Setting, value any) string {
	_, hasChoices := choicesOf[name]
	text, err := json.Marshal(value)
	if err != nil || len(text) == 0 {
		return formJSON
	}
	switch {
	case text[0] == 't' || text[0] == 'f':
		return formSwitch
	case text[0] == '[' && hasChoices:
		return formChoices
	case text[0] != '[' && text[0] != '{' && hasChoices:
		return formChoice
	case text[0] == '"':
		return formText
	case text[0] >= '0' && text[0] <= '9':
		return formNumber
	case text[0] == '[' && !strings.Contains(string(text), "{") && isTextList(value):
		return formList
	default:
		return formJSON
	}
}

func isTextList(value any) bool {
	switch value.(type) {
	case []string, []netip.Prefix:
		return true
	default:
		return false
	}
}

type settingReply struct {
	ID      string          `json:"id" doc:"The name."`
	Text    string          `json:"text" doc:"What it does."`
	Form    string          `json:"form" enum:"boolean,number,text,choice,choices,list,json" doc:"Kind of input."`
	Choices []string        `json:"choices" doc:"Allowed values; empty if others are allowed."`
	Value   json.RawMessage `json:"value"`
	Default json.RawMessage `json:"default"`
	Status  string          `json:"status" enum:"default,changed"`
	Version int64           `json:"version"`

	Approval *Approval `json:"approval,omitempty" doc:"Present while the change waits for a second person."`
}

type switchReply struct {
	ID      string `json:"id" doc:"Kind and code, such as module.REG3."`
	Kind    string `json:"kind" enum:"module,flag,promotion"`
	Name    string `json:"name"`
	Text    string `json:"text" doc:"What it does."`
	On      bool   `json:"on"`
	Default bool   `json:"default"`
	Status  string `json:"status" enum:"default,changed"`
	Version int64  `json:"version"`
}

type opsList[T any] struct {
	List []T    `json:"list"`
	Next string `json:"next" doc:"Always empty: the list is complete."`
}

type settingHistory struct {
	Version  int64           `json:"version"`
	Before   json.RawMessage `json:"before"`
	After    json.RawMessage `json:"after"`
	At       int64           `json:"at"`
	Operator string          `json:"operator" doc:"Empty if the program itself made the change."`
}

// OpsRoutes declares the operators' endpoints for settings and switches.
func OpsRoutes(a *rest.API, s *Service, approvals Approvals) {
	op := func(method, path, id, summary string) rest.Op {
		return rest.Op{
			Method: method, Path: path, ID: id, Tag: opsTag, Summary: summary, Access: rest.Operators, Permission: permission.SettingEdit,
			Faults: []*fault.Fault{ErrUnknownSetting, ErrUnknownSwitch, ErrBadSetting, ErrStale, ErrNoChange},
		}
	}
	type searchInput struct {
		Q string `query:"q" maxLength:"100" doc:"Part of the name or the description."`
	}
	type nameInput struct {
		Name string `path:"name" maxLength:"64"`
	}
	rest.Typed(a, op(http.MethodGet, "/ops/v1/settings", "opsSettings", "All settings of the merchant"), func(ctx context.Context, in *searchInput) (opsList[settingReply], error) {
		all, err := s.settingList(ctx, rest.MerchantOf(ctx).ID)
		return opsList[settingReply]{List: slices.DeleteFunc(all, func(r settingReply) bool { return !mentions(in.Q, r.ID, r.Text) })}, err
	})
	rest.Typed(a, op(http.MethodGet, "/ops/v1/settings/{name}", "opsSetting", "One setting"), func(ctx context.Context, in *nameInput) (settingReply, error) {
		return s.oneSetting(ctx, rest.MerchantOf(ctx).ID, in.Name)
	})
	history := func(ctx context.Context, in *nameInput) (opsList[settingHistory], error) {
		return s.history(ctx, rest.MerchantOf(ctx).ID, in.Name)
	}
	rest.Typed(a, op(http.MethodGet, "/ops/v1/settings/{name}/history", "opsSettingHistory", "The last changes of a setting, newest first"), history)
	type settingInput struct {
		Name   string `path:"name" maxLength:"64"`
		Action string `path:"action" enum:"set,undo,reset"`
		Body   struct {
			Version int64           `json:"version"`
			Value   json.RawMessage `json:"value,omitempty" doc:"With set: the new value."`
			Reason  string          `json:"reason,omitempty" maxLength:"500"`
		}
	}
	change := op(http.MethodPost, "/ops/v1/settings/{name}/{action}", "opsChangeSetting", "Change a setting")
	change.Description = "Actions: set; undo restores the value before the last change; reset restores the default. Settings of the group ops need a confirmed code and a second person. Those that lead to other sites or change withdrawals need a confirmed code."
	change.Faults = append(change.Faults, rest.ErrConfirm, ErrExcludesCaller)
	rest.Typed(a, change, func(ctx context.Context, in *settingInput) (settingReply, error) {
		merchantID := rest.MerchantOf(ctx).ID
		by, _ := rest.OperatorOf(ctx)
		if needsCode(in.Name) && !by.Confirmed {
			return settingReply{}, rest.ErrConfirm
		}
		current, err := s.oneSetting(ctx, merchantID, in.Name)
		if err != nil {
			return settingReply{}, err
		}
		value := in.Body.Value
		switch in.Action {
		case "reset":
			value = current.Default
		case "undo":
			if value, err = s.valueBefore(ctx, merchantID, in.Name, in.Body.Version); err != nil {
				return settingReply{}, err
			}
		}
		if guarded(in.Name) {
			if current.Version != in.Body.Version {
				return settingReply{}, ErrStale
			}
			waiting, err := s.requestGuarded(ctx, approvals, by, rest.ClientOf(ctx), guardedChange{merchantID, Setting(in.Name), value, in.Body.Version, in.Body.Reason})
			if err != nil {
				return settingReply{}, err
			}
			reply, err := s.oneSetting(ctx, merchantID, in.Name)
			reply.Approval = waiting
			return reply, err
		}
		err = s.set(ctx, merchantID, Setting(in.Name), value, in.Body.Version, s.auditChange(ctx, merchantID, "setting."+in.Action, "setting/"+in.Name, in.Body.Reason))
		if err != nil {
			return settingReply{}, err
		}
		return s.oneSetting(ctx, merchantID, in.Name)
	})
	rest.Typed(a, op(http.MethodGet, "/ops/v1/switches", "opsSwitches", "All switches of the merchant"), func(ctx context.Context, in *searchInput) (opsList[switchReply], error) {
		all, err := s.switchList(ctx, rest.MerchantOf(ctx).ID)
		return opsList[switchReply]{List: slices.DeleteFunc(all, func(r switchReply) bool { return !mentions(in.Q, r.ID, r.Name, r.Text) })}, err
	})
	rest.Typed(a, op(http.MethodGet, "/ops/v1/switches/{name}/history", "opsSwitchHistory", "The last changes of a switch, newest first"), history)
	type switchInput struct {
		Name   string `path:"name" maxLength:"64"`
		Action string `path:"action" enum:"on,off,undo"`
		Body   struct {
			Version int64  `json:"version"`
			Reason  string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	changeSwitch := op(http.MethodPost, "/ops/v1/switches/{name}/{action}", "opsChangeSwitch", "Change a switch")
	changeSwitch.Description = "Actions: on, off; undo restores the state before the last change."
	rest.Typed(a, changeSwitch, func(ctx context.Context, in *switchInput) (switchReply, error) {
		merchantID := rest.MerchantOf(ctx).ID
		kind, code, _ := strings.Cut(in.Name, ".")
		next := Switch{Kind: Kind(kind), Code: code, On: in.Action == "on"}
		if in.Action == "undo" {
			before, err := s.valueBefore(ctx, merchantID, in.Name, in.Body.Version)
			if err != nil {
				return switchReply{}, err
			}
			next.On = string(before) == "true"
		}
		err := s.setSwitch(ctx, merchantID, next, in.Body.Version, s.auditChange(ctx, merchantID, "switch."+in.Action, "switch/"+in.Name, in.Body.Reason))
		if err != nil {
			return switchReply{}, err
		}
		all, err := s.switchList(ctx, merchantID)
		if err != nil {
			return switchReply{}, err
		}
		return all[slices.IndexFunc(all, func(r switchReply) bool { return r.ID == in.Name })], nil
	})
}

// mentions reports whether one of the texts contains q, ignoring case.
func mentions(q string, texts ...string) bool {
	q = strings.ToLower(strings.TrimSpace(q))
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(strings.ToLower(t), q) })
}

// auditChange returns a recordFunc that writes a change to the audit log.
func (s *Service) auditChange(ctx context.Context, merchantID int64, action, object, reason string) recordFunc {
	return func(tx *db.Tx, before, after json.RawMessage) error {
		type state struct {
			Value  json.RawMessage `json:"value"`
			Reason string          `json:"reason,omitempty"`
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.SettingEdit), Action: action, Object: object, Before: state{Value: before}, After: state{after, reason},
		})
	}
}

// valueBefore returns the value that a setting or switch had before the change with this version.
func (s *Service) valueBefore(ctx context.Context, merchantID int64, name string, version int64) (json.RawMessage, error) {
	row, err := s.o.Store.Q().SettingChange(ctx, merchantID, name, version)
	found, err := db.Found("read change", err)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, ErrNoChange
	}
	return json.RawMessage(row.Before), nil
}

func (s *Service) versions(ctx context.Context, merchantID int64) (map[string]int64, error) {
	rows, err := s.o.Store.Q().SettingVersions(ctx, merchantID)
	all := make(map[string]int64, len(rows))
	for _, row := range rows {
		all[row.Name] = row.Version
	}
	return all, err
}

func (s *Service) settingList(ctx context.Context, merchantID int64) ([]settingReply, error) {
	values, _, err := s.Settings(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	versions, err := s.versions(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	descriptions, err := Descriptions()
	if err != nil {
		return nil, err
	}
	defaults := defaultSettings()
	out := []settingReply{}
	for name, d := range descriptions {
		r := settingReply{
			ID: string(name), Text: d.Text, Form: formOf(name, definitions[name].read(&defaults)), Choices: choicesOf[name],
			Value: values[name], Default: d.Default, Status: "default", Version: versions[string(name)],
		}
		if r.Choices == nil {
			r.Choices = []string{}
		}
		if string(r.Value) != string(r.Default) {
			r.Status = "changed"
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b settingReply) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

func (s *Service) oneSetting(ctx context.Context, merchantID int64, name string) (settingReply, error) {
	all, err := s.settingList(ctx, merchantID)
	if err != nil {
		return settingReply{}, err
	}
	i := slices.IndexFunc(all, func(r settingReply) bool { return r.ID == name })
	if i < 0 {
		return settingReply{}, ErrUnknownSetting.With("name", name)
	}
	return all[i], nil
}

func (s *Service) switchList(ctx context.Context, merchantID int64) ([]switchReply, error) {
	_, states, err := s.Settings(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	versions, err := s.versions(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	return slices.Concat(
		switchReplies(Module, spec.Modules, states, versions), switchReplies(Flag, spec.Flags, states, versions), switchReplies(Promotion, spec.Promotions, states, versions),
	), nil
}

func switchReplies[C ~string](kind Kind, all []spec.SwitchDefinition[C], states Switches, versions map[string]int64) []switchReply {
	out := make([]switchReply, len(all))
	for i, d := range all {
		sw := Switch{Kind: kind, Code: string(d.Code)}
		out[i] = switchReply{ID: sw.name(), Kind: string(kind), Name: d.Name, Text: d.Text, On: states.on(sw), Default: d.On, Status: "default", Version: versions[sw.name()]}
		if out[i].On != d.On {
			out[i].Status = "changed"
		}
	}
	return out
}

func (s *Service) history(ctx context.Context, merchantID int64, name string) (opsList[settingHistory], error) {
	kind, code, _ := strings.Cut(name, ".")
	_, known := definitions[Setting(name)]
	if err := (Switch{Kind: Kind(kind), Code: code}).check(); err != nil && !known {
		return opsList[settingHistory]{}, ErrUnknownSetting.With("name", name)
	}
	rows, err := s.o.Store.Q().SettingChanges(ctx, merchantID, name)
	out := opsList[settingHistory]{List: make([]settingHistory, len(rows))}
	for i, row := range rows {
		out.List[i] = settingHistory{row.Version, json.RawMessage(row.Before), json.RawMessage(row.After), row.At, row.Operator}
	}
	return out, err
}
