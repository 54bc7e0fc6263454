/** Returns the maximum number of these times within one window. @param times ascending */
export const maxWithin = (times: readonly number[], windowMs: number): number => {
  let max = 0
  let from = 0
  times.forEach((time, index) => {
    while (times[from]! <= time - windowMs) from += 1
    max = Math.max(max, index - from + 1)
  })
  return max
}
