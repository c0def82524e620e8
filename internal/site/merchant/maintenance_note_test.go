package merchant

import "testing"

func TestMaintenanceNoteFallsBack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		note           map[string]string
		language, want string
	}{
		{map[string]string{"EN": "Back at six.", "VI": "Sáu giờ."}, "VI", "Sáu giờ."},
		{map[string]string{"EN": "Back at six."}, "VI", "Back at six."},
		{map[string]string{"EN": "Back at six.", "VI": ""}, "VI", "Back at six."},
		{nil, "VI", ""},
	} {
		if got := (Maintenance{Note: tt.note}).note(tt.language); got != tt.want {
			t.Errorf("note %v in %s = %q, want %q", tt.note, tt.language, got, tt.want)
		}
	}
}
