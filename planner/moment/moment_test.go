package moment

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"in 20 minutes": "in 20m", "in 20m": "in 20m", "in 20min": "in 20m", "in an hour": "in 1h", "in half an hour": "in 30m",
		"in an hour and a half": "in 1h30m", "in 2 and a half hours": "in 2h30m", "in 1 hour and 30 minutes": "in 1h30m", "in 1h30m": "in 1h30m",
		"in 2 days": "in 2d", "in two days at 9": "in 2d 09:00", "in a week": "in 7d", "10 minutes from now": "in 10m", "in 90 seconds": "in 1m30s",
		"через полчаса": "in 30m", "через 20 минут": "in 20m", "через час": "in 1h", "через полтора часа": "in 1h30m", "через час и 10 минут": "in 1h10m",
		"через неделю": "in 7d", "через два дня": "in 2d", "через минуту": "in 1m", "через пять минут": "in 5m", "через 2 часа": "in 2h",

		"at 9": "at 09:00/21:00", "at 9 am": "at 09:00", "at 9am": "at 09:00", "at 9:30": "at 09:30/21:30", "at 09:00": "at 09:00", "at 21:15": "at 21:15",
		"9pm": "at 21:00", "at 12": "at 00:00/12:00", "at noon": "at 12:00", "at midnight": "at 00:00", "at half past six": "at 06:30/18:30",
		"half past six": "at 06:30/18:30", "quarter to ten": "at 09:45/21:45", "at quarter past 8 pm": "at 20:15", "at 9 in the evening": "at 21:00",
		"at 9 oclock": "at 09:00/21:00", "at twelve am": "at 00:00", "at 12 pm": "at 12:00",
		"в 9": "at 09:00/21:00", "в 9 утра": "at 09:00", "в 9 вечера": "at 21:00", "в полдевятого": "at 08:30/20:30", "в половине девятого": "at 08:30/20:30",
		"в 21:15": "at 21:15", "в полдень": "at 12:00", "без пятнадцати девять": "at 08:45/20:45", "в 2 часа ночи": "at 02:00", "в 11 ночи": "at 23:00", "в 3 часа дня": "at 15:00",
		"в полпервого": "at 00:30/12:30",

		"tomorrow": "tomorrow 09:00", "tomorrow at 9": "tomorrow 09:00", "tomorrow at 3": "tomorrow 15:00", "tomorrow morning": "tomorrow 09:00",
		"tomorrow morning at 8": "tomorrow 08:00", "tomorrow evening": "tomorrow 19:00", "at 9 tomorrow": "tomorrow 09:00", "at 7 tomorrow evening": "tomorrow 19:00",
		"tonight": "today 20:00", "tonight at 9": "today 21:00", "today at 9": "today 09:00/21:00", "on friday": "fri 09:00", "next friday at 6 pm": "fri 18:00",
		"friday": "fri 09:00", "on march 3": "03-03 09:00", "on 3 march 2027 at 10:00": "2027-03-03 10:00", "on the 3rd of march": "03-03 09:00",
		"march 3, 2027": "2027-03-03 09:00", "2027-03-03": "2027-03-03 09:00", "the day after tomorrow at noon": "+2d 12:00", "on december 25": "12-25 09:00",
		"завтра": "tomorrow 09:00", "завтра в 9": "tomorrow 09:00", "завтра утром": "tomorrow 09:00", "завтра вечером в 8": "tomorrow 20:00",
		"сегодня в 18:00": "today 18:00", "в пятницу": "fri 09:00", "в пятницу в 6 вечера": "fri 18:00", "послезавтра в полдень": "+2d 12:00", "3 марта": "03-03 09:00",
		"3 марта 2027 в 10:00": "2027-03-03 10:00", "в среду в 15:00": "wed 15:00",

		"every monday at 9": "every mon 09:00", "every day at 8": "every day 08:00", "every day": "every day 09:00", "daily at 8 pm": "every day 20:00",
		"every weekday at 7:30": "every mon,tue,wed,thu,fri 07:30", "every monday and thursday at 10": "every mon,thu 10:00", "every morning": "every day 09:00",
		"every evening at 8": "every day 20:00", "every 20 minutes": "every 20m", "every hour": "every 1h", "every 31st": "every month 31 09:00",
		"every month on the 31st at 10:00": "every month 31 10:00", "every year on 29 february": "every year 02-29 09:00", "every year on december 25 at 8": "every year 12-25 08:00",
		"every week": "every 7d 09:00", "every two days at 9": "every 2d 09:00", "at 9 every monday": "every mon 09:00", "on mondays at 9": "every mon 09:00", "every month": "every month 1 09:00",
		"каждый понедельник в 9": "every mon 09:00", "каждый день в 8": "every day 08:00", "каждое утро": "every day 09:00", "каждый вечер в 8": "every day 20:00",
		"по будням в 9": "every mon,tue,wed,thu,fri 09:00", "по понедельникам в 10:00": "every mon 10:00", "каждый час": "every 1h", "каждые 20 минут": "every 20m",
		"ежедневно в 8": "every day 08:00", "каждый месяц 31 числа": "every month 31 09:00", "каждое 31 число в 10:00": "every month 31 10:00", "каждый год 29 февраля": "every year 02-29 09:00",

		// These are no moments.
		"9": "", "in rome": "", "at home": "", "every": "", "every cat": "", "in 20": "", "march": "", "every second": "", "on march 3 2400": "", "3 march 1999": "", "every 10 seconds": "", "at 25": "", "at 9:99": "",
		"in 500 days": "", "today": "", "20 minutes": "", "в москве": "", "каждый": "", "31st": "",
	} {
		t.Run(text, func(t *testing.T) {
			when, ok := NewWords(strings.Fields(strings.ReplaceAll(text, ",", " ,"))).Exact()
			if !ok {
				if want != "" {
					t.Errorf("not read, want %s", want)
				}
				return
			}
			if got := when.String(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if again, err := Parse(when.String()); err != nil || again.String() != when.String() {
				t.Errorf("parsed again: %v, %v", again, err)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "in", "at", "every", "every 10s", "every day", "every day 09:00/21:00", "every month 32 09:00", "every year 02-30 09:00", "at 24:00", "at 9:00",
		"in 0m", "in -5m", "in 500d", "every 20m 09:00", "mon", "mon,fri 09:00", "every 2027-03-03 09:00", "every today 09:00", "at 01:00/02:00/03:00", "nonsense 09:00",
	} {
		if w, err := Parse(text); err == nil {
			t.Errorf("%q is %q", text, w)
		}
	}
}
