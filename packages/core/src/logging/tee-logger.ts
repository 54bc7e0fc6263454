import type { Logger } from '@sibyl/plugin'

/** Creates a logger that writes each line to two. */
export const teeLogger = (one: Logger, other: Logger): Logger => {
  const at = (level: 'trace' | 'debug' | 'info' | 'warn' | 'error'): Logger['info'] => {
    return (message, fields) => {
      one[level](message, fields)
      other[level](message, fields)
    }
  }
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: fields => teeLogger(one.child(fields), other.child(fields)),
  }
}
