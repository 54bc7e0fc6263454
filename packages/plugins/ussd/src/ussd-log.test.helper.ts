import { inspect } from 'node:util'
import { recordedLogger } from '@sibyl/testing'
import { withoutIds } from './canaries.test.helper.ts'

/** A logger that keeps its lines, and what the plugin's tests ask of them. */
export const recordedLines = () => {
  const logger = recordedLogger()
  const { lines } = logger
  return {
    logger,
    /** What the plugin warned of. */
    warnings: () =>
      lines.filter(line => line.level === 'warn' && line.fields.plugin === 'ussd').map(line => line.message),
    /** All of it but ids, errors and their causes unfolded. */
    text: () =>
      withoutIds(inspect(lines, { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true })),
  }
}
