import type { OracleInspection } from '@sibyl/protocol'

/** Members with a fixed set of values, which are not redacted. */
const fixedWords = new Set(['load', 'state', 'need', 'from', 'network', 'database'])

/** Redacts secrets from every text of an inspection: a prompt may contain one. */
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
