import { OracleError } from '../errors/oracle-error.ts'

/** The reason why a sealed value does not open. */
export type SealViolation = 'not-sealed' | 'unknown-key' | 'changed-or-moved'

const texts: Readonly<Record<SealViolation, string>> = {
  'not-sealed': 'is not in the sealed format of this oracle. Restore it from a backup',
  'unknown-key': 'was sealed with a key that is missing. Add that key to PIN_ENCRYPTION_OLD_KEYS',
  'changed-or-moved': 'was changed, or copied from another row. Restore it from a backup',
}

/** Thrown when a sealed value does not open; names the column and key, never the row. */
export class SealBrokenError extends OracleError {
  readonly code = 'seal_broken'

  /**
   * @param column table and column: `ussd_customers.pin`
   * @param keyId the id that the sealed text names, if it names one
   */
  constructor(violation: SealViolation, column: string, keyId?: string) {
    const key = violation === 'unknown-key' && keyId !== undefined ? ` (key id ${keyId})` : ''
    super(`The value in ${column} ${texts[violation]}${key}.`, { fault: violation, column, keyId })
  }
}
