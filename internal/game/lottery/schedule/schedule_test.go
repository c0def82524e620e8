package schedule_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/game/lottery/schedule"
)

// at parses a time in Vietnam.
func at(text string) time.Time {
	moment, err := time.ParseInLocation("2006-01-02 15:04:05", text, schedule.Zone)
	if err != nil {
		panic(err)
	}
	return moment
}

func regional(t testing.TB, code string) schedule.Timetable {
	t.Helper()
	for _, r := range schedule.StandardWeek().Regions {
		for _, p := range r.Provinces {
			if p.Code == code {
				return r.Timetable(code)
			}
		}
	}
	t.Fatalf("no province %s", code)
	return schedule.Timetable{}
}

func TestNumerosAroundMidnight(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		table                 schedule.Timetable
		now                   string
		id, open, close, draw string
		phase                 schedule.Phase
	}{
		{schedule.Fast(1), "2026-11-18 23:58:59", "20261118-1440", "2026-11-18 23:58:00", "2026-11-18 23:58:55", "2026-11-18 23:59:00", schedule.Closed},
		{schedule.Fast(1), "2026-11-18 23:59:00", "20261119-0001", "2026-11-18 23:59:00", "2026-11-18 23:59:55", "2026-11-19 00:00:00", schedule.Open},
		{schedule.Fast(1), "2026-11-19 00:00:00", "20261119-0002", "2026-11-19 00:00:00", "2026-11-19 00:00:55", "2026-11-19 00:01:00", schedule.Open},
		{schedule.Fast(3), "2026-12-31 23:59:50", "20270101-0001", "2026-12-31 23:57:00", "2026-12-31 23:59:45", "2027-01-01 00:00:00", schedule.Closed},
		{schedule.Fast(5), "2028-02-28 23:55:00", "20280229-0001", "2028-02-28 23:55:00", "2028-02-28 23:59:35", "2028-02-29 00:00:00", schedule.Open},
		{schedule.Fast(5), "2026-11-18 12:34:56", "20261118-0152", "2026-11-18 12:30:00", "2026-11-18 12:34:35", "2026-11-18 12:35:00", schedule.Closed},
		// 18 November 2026 is a Wednesday.
		{regional(t, "vn-bac-ninh"), "2026-11-18 18:04:59", "20261118", "2026-11-11 18:15:00", "2026-11-18 18:05:00", "2026-11-18 18:15:00", schedule.Open},
		{regional(t, "vn-bac-ninh"), "2026-11-18 18:05:00", "20261118", "2026-11-11 18:15:00", "2026-11-18 18:05:00", "2026-11-18 18:15:00", schedule.Closed},
		{regional(t, "vn-bac-ninh"), "2026-11-18 18:15:00", "20261125", "2026-11-18 18:15:00", "2026-11-25 18:05:00", "2026-11-25 18:15:00", schedule.Open},
		{regional(t, "vn-ha-noi"), "2026-11-18 00:00:00", "20261119", "2026-11-16 18:15:00", "2026-11-19 18:05:00", "2026-11-19 18:15:00", schedule.Open},
		{regional(t, "vn-ho-chi-minh"), "2026-11-18 00:00:00", "20261121", "2026-11-16 16:15:00", "2026-11-21 16:05:00", "2026-11-21 16:15:00", schedule.Open},
		{regional(t, "vn-hue"), "2026-11-21 18:00:00", "20261122", "2026-11-16 17:15:00", "2026-11-22 17:05:00", "2026-11-22 17:15:00", schedule.Open},
	} {
		n := tt.table.Current(at(tt.now).UTC())
		got := []string{n.ID, n.Open.Format(time.DateTime), n.Close.Format(time.DateTime), n.Draw.Format(time.DateTime), string(n.Phase(at(tt.now)))}
		if diff := cmp.Diff([]string{tt.id, tt.open, tt.close, tt.draw, string(tt.phase)}, got); diff != "" {
			t.Errorf("at %s (-want +got):\n%s", tt.now, diff)
		}
		if !n.Settle.After(n.Draw) {
			t.Errorf("at %s: settled at %v, which is not after the draw", tt.now, n.Settle)
		}
	}
}

func timetables(t testing.TB) []schedule.Timetable {
	return []schedule.Timetable{schedule.Fast(1), schedule.Fast(3), schedule.Fast(5), regional(t, "vn-ha-noi"), regional(t, "vn-ca-mau"), regional(t, "vn-hue")}
}

// Consecutive numeros have no gap or overlap. Their ids are different, and Find returns each numero.
func TestConsecutiveNumeros(t *testing.T) {
	t.Parallel()
	for _, table := range timetables(t) {
		n := table.Current(at("2026-12-30 22:10:00"))
		first := n
		seen := map[string]bool{}
		for i := range 3000 {
			if seen[n.ID] || !n.Open.Before(n.Close) || n.Close.After(n.Draw) || n.Draw.Location() != schedule.Zone || !strings.HasPrefix(n.ID, n.Draw.Format("20060102")) {
				t.Fatalf("numero %+v", n)
			}
			seen[n.ID] = true
			found, err := table.Find(n.ID)
			if err != nil || found != n {
				t.Fatalf("Find(%s) = %+v, %v, want %+v", n.ID, found, err, n)
			}
			next := table.Next(n)
			if next.Open != n.Draw || table.Previous(next) != n || table.Current(n.Draw) != next || table.Current(next.Draw.Add(-1)) != next {
				t.Fatalf("after %+v follows %+v", n, next)
			}
			if table.Period > 0 && table.Link(first, n) != int64(i+1) {
				t.Fatalf("%s: link %d, want %d", n.ID, table.Link(first, n), i+1)
			}
			n = next
		}
	}
}

// However long the steps of the clock are, at most one numero is open, a closed numero never opens again, and every numero
// is drawn exactly once.
func TestPP14PartOneNumeroIsOpenAndEachIsDrawnOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(26, 14))
	for _, table := range timetables(t) {
		moment := at("2026-11-18 23:50:00")
		checked := moment
		closed, drawn := map[string]bool{}, map[string]bool{}
		start := table.Current(moment)
		for range 2000 {
			step := time.Duration(random.Int64N(int64(20 * time.Second)))
			if random.IntN(20) == 0 {
				step = time.Duration(random.Int64N(int64(2 * time.Hour)))
			}
			moment = moment.Add(step)
			current := table.Current(moment)
			open := 0
			for _, n := range []schedule.Numero{table.Previous(current), current, table.Next(current), table.Next(table.Next(current))} {
				switch n.Phase(moment) {
				case schedule.Open:
					open++
					if closed[n.ID] || drawn[n.ID] {
						t.Fatalf("%s is open again at %v", n.ID, moment)
					}
				case schedule.Closed, schedule.Due:
					closed[n.ID] = true
				}
			}
			if open > 1 {
				t.Fatalf("%d numeros are open at %v", open, moment)
			}
			for _, n := range table.Drawn(checked, moment, 10_000) {
				if drawn[n.ID] {
					t.Fatalf("%s is drawn twice", n.ID)
				}
				drawn[n.ID] = true
			}
			checked = moment
		}
		for n := start; !n.Draw.After(checked); n = table.Next(n) {
			if !drawn[n.ID] {
				t.Errorf("%s was not drawn", n.ID)
			}
		}
	}
}

func TestDrawnAndChase(t *testing.T) {
	t.Parallel()
	table := schedule.Fast(1)
	ids := func(list []schedule.Numero) (ids []string) {
		for _, n := range list {
			ids = append(ids, n.ID)
		}
		return ids
	}
	got := ids(table.Drawn(at("2026-11-18 23:58:00"), at("2026-11-19 00:01:00"), 10))
	if want := []string{"20261118-1440", "20261119-0001", "20261119-0002"}; !slices.Equal(got, want) {
		t.Errorf("drawn %v, want %v", got, want)
	}
	if got := table.Drawn(at("2026-11-18 00:00:00"), at("2027-11-18 00:00:00"), 5); len(got) != 5 {
		t.Errorf("%d numeros, want 5", len(got))
	}
	if got := table.Drawn(at("2026-11-18 00:00:00"), at("2026-11-17 00:00:00"), 5); len(got) != 0 {
		t.Errorf("after a jump back: %v, want none", ids(got))
	}
	hue := regional(t, "vn-hue") // Mondays and Sundays
	got = ids(hue.Chase(hue.Current(at("2026-11-18 00:00:00")), 4))
	if want := []string{"20261122", "20261123", "20261129", "20261130"}; !slices.Equal(got, want) {
		t.Errorf("chase %v, want %v", got, want)
	}
}

func TestFindRefusesOtherNumeros(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "20261118", "20261118-", "20261118-0", "20261118-0000", "20261118-1", "20261118-1441", "20261118-00001", "20261118-+001", "20261318-0001", "20260230-0001", "00010101-0001", "20261118-0001-1", " 20261118-0001"} {
		if n, err := schedule.Fast(1).Find(id); !errors.Is(err, schedule.ErrNumero) {
			t.Errorf("Find(%q) = %+v, %v, want %v", id, n, err, schedule.ErrNumero)
		}
	}
	for _, id := range []string{"20261118-0001", "20261117", "2026111"} { // Hà Nội draws on Mondays and Thursdays
		if n, err := regional(t, "vn-ha-noi").Find(id); !errors.Is(err, schedule.ErrNumero) {
			t.Errorf("Find(%q) = %+v, %v, want %v", id, n, err, schedule.ErrNumero)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, id := range []string{"20261118", "20261118-0001", "20261118-1440", "99991231-0001", "-"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		for _, table := range timetables(t) {
			if n, err := table.Find(id); err == nil && (n.ID != id || table.Current(n.Draw.Add(-1)) != n) {
				t.Fatalf("Find(%q) = %+v", id, n)
			}
		}
	})
}

func TestStandardWeek(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	var rows []string
	for _, r := range schedule.StandardWeek().Regions {
		for _, p := range r.Provinces {
			names[p.Code] = p.Name
		}
		for _, d := range r.Days {
			var day []string
			for _, code := range d.Draws {
				day = append(day, names[code])
			}
			rows = append(rows, r.Region+" "+r.DrawAt+" "+strings.Join(day, ", "))
		}
	}
	want := []string{
		"north 18:15 Hà Nội", "north 18:15 Quảng Ninh", "north 18:15 Bắc Ninh", "north 18:15 Hà Nội", "north 18:15 Hải Phòng", "north 18:15 Nam Định", "north 18:15 Thái Bình",
		"central 17:15 Phú Yên, TT Huế", "central 17:15 Đắk Lắk, Quảng Nam", "central 17:15 Đà Nẵng, Khánh Hòa", "central 17:15 Bình Định, Quảng Trị, Quảng Bình",
		"central 17:15 Gia Lai, Ninh Thuận", "central 17:15 Đà Nẵng, Quảng Ngãi, Đắk Nông", "central 17:15 Kon Tum, Khánh Hòa, TT Huế",
		"south 16:15 TP.HCM, Đồng Tháp, Cà Mau", "south 16:15 Bến Tre, Vũng Tàu, Bạc Liêu", "south 16:15 Đồng Nai, Cần Thơ, Sóc Trăng", "south 16:15 Tây Ninh, An Giang, Bình Thuận",
		"south 16:15 Vĩnh Long, Bình Dương, Trà Vinh", "south 16:15 TP.HCM, Long An, Bình Phước, Hậu Giang", "south 16:15 Tiền Giang, Kiên Giang, Đà Lạt",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("schedule (-want +got):\n%s", diff)
	}
}

func TestParseWeekRefusesMistakes(t *testing.T) {
	t.Parallel()
	const good = `{"regions":[{"region":"north","drawAt":"18:15","closeBefore":"10m","settleAfter":"45m","provinces":[{"id":1,"code":"vn-a","name":"A"}],"days":[{"weekday":1,"draws":["vn-a"]}]}]}`
	if _, err := schedule.ParseWeek([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"north"`, `"west"`}, {`"18:15"`, `"25:15"`}, {`"10m"`, `"ten"`}, {`"10m"`, `"24h"`}, {`"45m"`, `"-1m"`}, {`"id":1`, `"id":0`}, {`"vn-a","name"`, `"VN A","name"`}, {`"A"`, `""`},
		{`"weekday":1`, `"weekday":8`}, {`["vn-a"]`, `["vn-b"]`}, {`["vn-a"]`, `["vn-a","vn-a"]`}, {`["vn-a"]`, `[]`}, {`"days"`, `"dates"`}, {good, `{}`}, {good, ``},
	} {
		if _, err := schedule.ParseWeek([]byte(strings.Replace(good, change[0], change[1], 1))); err == nil {
			t.Errorf("%s instead of %s is accepted", change[1], change[0])
		}
	}
}
