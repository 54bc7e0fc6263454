/** What stands in a recording for any text, where a person put it. */
const anyText = '…'

/** Whether a text is the recorded one, in which `…` stands for any text. */
export const isAsRecorded = (recorded: string, came: string): boolean => {
  if (recorded === came) return true
  const [first = '', ...parts] = recorded.split(anyText)
  const last = parts.pop()
  if (last === undefined || !came.startsWith(first)) return false
  let from = first.length
  for (const part of parts) {
    const place = came.indexOf(part, from)
    if (place < 0) return false
    from = place + part.length
  }
  return came.length - last.length >= from && came.endsWith(last)
}
