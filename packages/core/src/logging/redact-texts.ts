/** Redacts every text of a value of JSON. @param fixed Members whose values are not redacted. */
export const redactTexts = <Value>(
  value: Value,
  redact: (text: string) => string,
  fixed: ReadonlySet<string> = new Set(),
): Value => {
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return redact(one)
    if (Array.isArray(one)) return one.map(clean)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => [redact(name), fixed.has(name) ? member : clean(member)]),
    )
  }
  return clean(value) as Value
}
