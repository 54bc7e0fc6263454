/** The most parameters of a form or a query. */
const maxParameters = 100

/**
 * Reads `a=1&b=2`, as forms and queries have it, strictly.
 *
 * @returns undefined where a name stands twice, there are too many, or one would change prototypes
 */
export const decodeParameters = (text: string): Readonly<Record<string, string>> | undefined => {
  const read: Record<string, string> = {}
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    if (count > maxParameters || name === '__proto__' || Object.hasOwn(read, name)) return undefined
    read[name] = value
  }
  return read
}
