import type { OracleInspection } from '@sibyl/protocol'

/** Members of a few fixed words each, which a secret of the same word must not change. */
const fixedWords = new Set(['load', 'state', 'need', 'from', 'network', 'database'])

/** Strikes secrets out of every text of an inspection: somebody may have put one into a prompt. */
export const redactInspection = (inspection: OracleInspection, redact: (text: string) => string): OracleInspection => {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value)
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [redact(name), fixedWords.has(name) ? member : clean(member)]),
    )
  }
  return clean(inspection) as OracleInspection
}
