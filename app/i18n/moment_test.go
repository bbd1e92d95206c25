package i18n

import (
	"testing"

	"errand/planner/message"
)

// TestMoments: the moment of a plan is in the language of its reader.
func TestMoments(t *testing.T) {
	ru := ForTag("ru")
	for _, tt := range []struct{ when, en, ru string }{
		{"in 20m", "in 20m", "через 20 мин"},
		{"in 1h30m", "in 1h30m", "через 1 ч 30 мин"},
		{"in 1d", "in 1 day", "через 1 день"},
		{"in 2d3h", "in 2 days and 3h", "через 2 дня и 3 ч"},
		{"in 7d 09:00", "in 7 days at 09:00", "через 7 дней в 09:00"},
		{"at 09:00", "at 09:00", "в 09:00"},
		{"at 09:00/21:00", "at 09:00 or 21:00", "в 09:00 или 21:00"},
		{"today 20:00", "today at 20:00", "сегодня в 20:00"},
		{"tomorrow 09:00", "tomorrow at 09:00", "завтра в 09:00"},
		{"+2d 12:00", "in 2 days at 12:00", "через 2 дня в 12:00"},
		{"tue 18:00", "on Tuesday at 18:00", "во вторник в 18:00"},
		{"12-25 09:00", "on 25 December at 09:00", "25 декабря в 09:00"},
		{"02-29 09:00", "on 29 February at 09:00", "29 февраля в 09:00"},
		{"2027-03-03 10:00", "on 3 March 2027 at 10:00", "3 марта 2027 в 10:00"},
		{"every 1h", "every hour", "каждый час"},
		{"every 20m", "every 20m", "каждые 20 мин"},
		{"every 7d 09:00", "every week at 09:00", "каждую неделю в 09:00"},
		{"every 2d 09:00", "every 2 days at 09:00", "каждые 2 дня в 09:00"},
		{"every day 08:00", "every day at 08:00", "каждый день в 08:00"},
		{"every mon,tue,wed,thu,fri 07:30", "every weekday at 07:30", "по будням в 07:30"},
		{"every mon,thu 10:00", "every Monday and Thursday at 10:00", "по понедельникам и четвергам в 10:00"},
		{"every month 31 09:00", "every month on day 31 at 09:00", "каждый месяц 31-го числа в 09:00"},
		{"every year 02-29 09:00", "every year on 29 February at 09:00", "каждый год 29 февраля в 09:00"},
		{"when it rains", "when it rains", "when it rains"},
	} {
		t.Run(tt.when, func(t *testing.T) {
			m := message.New("timers.x", "when", tt.when)
			for language, want := range map[*Language]string{English(): tt.en, ru: tt.ru} {
				p := &printer{Language: language, remaining: 1000}
				if got := p.format(m.Params["when"], "moment"); got != want {
					t.Errorf("%s: %q, want %q", language.Tag(), got, want)
				}
			}
		})
	}
}
