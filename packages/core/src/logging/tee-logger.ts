import { type Logger, makeLogger } from '@sibyl/plugin'

/** Creates a logger that writes each line to two. */
export const teeLogger = (one: Logger, other: Logger): Logger =>
  makeLogger(
    level => (message, fields) => {
      one[level](message, fields)
      other[level](message, fields)
    },
    fields => teeLogger(one.child(fields), other.child(fields)),
  )
