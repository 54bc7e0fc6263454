import { inspect } from 'node:util'
import { recordedLogger } from '@sibyl/testing'
import { withoutIds } from './canaries.test.helper.ts'

/** Creates a logger that records its lines, with queries for the plugin's tests. */
export const recordedLines = () => {
  const logger = recordedLogger()
  const { lines } = logger
  return {
    logger,
    /** Returns the warnings of the plugin. */
    warnings: () =>
      lines.filter(line => line.level === 'warn' && line.fields.plugin === 'ussd').map(line => line.message),
    /** Returns everything except IDs, with errors and their causes unfolded. */
    text: () =>
      withoutIds(inspect(lines, { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true })),
  }
}
