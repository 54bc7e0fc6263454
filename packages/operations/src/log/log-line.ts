import * as z from 'zod'

const isoDateTime = z.iso.datetime({ offset: true })

/** Levels of log lines, ascending. */
export const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error'])

/** A line of the log, in an event of `GET /operator/log`. */
export const logLineRecord = z.object({
  time: isoDateTime,
  level: logLevel,
  message: z.string(),
  plugin: z.string().optional(),
  /** Further fields of the line, without secrets. */
  fields: z.record(z.string(), z.unknown()),
})

export type LogLineRecord = z.infer<typeof logLineRecord>
