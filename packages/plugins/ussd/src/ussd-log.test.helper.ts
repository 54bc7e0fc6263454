import { inspect } from 'node:util'
import type { LogFields, Logger } from '@sibyl/core'

/** A logger that keeps its lines. */
export const recordedLines = () => {
  const lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = []
  const make = (own: LogFields): Logger => {
    const at =
      (level: string) =>
      (message: string, fields: LogFields = {}) =>
        void lines.push({ level, message, fields: { ...own, ...fields } })
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: fields => make({ ...own, ...fields }),
    }
  }
  return {
    logger: make({}),
    /** What the plugin warned of. */
    warnings: () =>
      lines.filter(line => line.level === 'warn' && line.fields.plugin === 'ussd').map(line => line.message),
    /** All of it, errors and their causes unfolded. */
    text: () => inspect(lines, { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true }),
  }
}
