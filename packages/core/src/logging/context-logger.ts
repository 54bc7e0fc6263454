import { type LogFields, type Logger, makeLogger } from '@sibyl/plugin'

/**
 * Creates a logger that adds the current context to each line; the fields of the line override it.
 *
 * @param context Called for each line.
 */
export const contextLogger = (logger: Logger, context: () => LogFields | undefined): Logger => {
  const withContext = (fields: LogFields | undefined): LogFields | undefined => {
    const around = context()
    return around ? { ...around, ...fields } : fields
  }
  return makeLogger(
    level => (message, fields) => logger[level](message, withContext(fields)),
    fields => contextLogger(logger.child(fields), context),
  )
}
