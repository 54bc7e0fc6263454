import { redactTexts } from '../logging/redact-texts.ts'
import type { OracleInspection } from '../records/oracle-inspection.ts'

/** Members with a fixed set of values, which are not redacted. */
const fixedWords = new Set(['load', 'state', 'need', 'from', 'network', 'database'])

/** Redacts secrets from every text of an inspection: a prompt may contain one. */
export const redactInspection = (inspection: OracleInspection, redact: (text: string) => string): OracleInspection =>
  redactTexts(inspection, redact, fixedWords)
