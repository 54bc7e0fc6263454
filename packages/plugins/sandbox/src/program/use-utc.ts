const local = ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds'] as const

/** Puts the dates of this thread, which QuickJS asks for its local time, into UTC: the time zone of the oracle is its own. */
export const useUtc = (): void => {
  const dates = Date.prototype
  for (const name of local) dates[`get${name}`] = dates[`getUTC${name}`]
  dates.getTimezoneOffset = () => 0
}
