/** Quiet hours in minutes since midnight; `from` is inclusive, `until` is exclusive. */
export interface QuietHours {
  readonly from: number
  readonly until: number
}

const minuteMs = 60_000

/** Maximum length of quiet hours: a day, plus changes of daylight saving time. */
const longestMs = 26 * 3_600_000

/** Parses `21:00-07:00`; undefined for anything else, and for an empty span. */
export const readQuietHours = (text: string): QuietHours | undefined => {
  const [, from, until] = /^\s*([0-9]{1,2}:[0-9]{2})\s*-\s*([0-9]{1,2}:[0-9]{2})\s*$/.exec(text) ?? []
  const span = { from: minutesOf(from), until: minutesOf(until) }
  return span.from === undefined || span.until === undefined || span.from === span.until
    ? undefined
    : { from: span.from, until: span.until }
}

const minutesOf = (text: string | undefined): number | undefined => {
  const [hour, minute] = (text ?? '').split(':').map(Number)
  return hour === undefined || minute === undefined || hour > 23 || minute > 59 ? undefined : hour * 60 + minute
}

/**
 * Returns the end of the quiet hours at a time; undefined outside of them. Daylight saving time is respected: hours
 * that end at 07:00 end when local clocks show 07:00.
 *
 * @param at milliseconds since 1970
 * @param timeZone an IANA name
 */
export const quietUntil = (hours: QuietHours, at: number, timeZone: string): number | undefined => {
  const clock = clockOf(timeZone)
  if (!holds(hours, clock(at))) return undefined
  // Minute by minute, because changes of daylight saving time skip or repeat some.
  let moment = Math.floor(at / minuteMs) * minuteMs + minuteMs
  for (const last = at + longestMs; moment < last && holds(hours, clock(moment)); moment += minuteMs);
  return moment
}

const holds = ({ from, until }: QuietHours, minutes: number): boolean =>
  from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until

/** Returns whether a text is the name of a time zone that this computer knows: `Africa/Lusaka`. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * Creates a clock of a time zone, which returns the minutes since midnight.
 *
 * @returns a function of milliseconds since 1970
 */
export const clockOf = (timeZone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return at => {
    const [hour = 0, minute = 0] = format.format(at).split(':').map(Number)
    return hour * 60 + minute
  }
}
