import type { LogFields, Logger } from '@sibyl/plugin'

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
  return {
    trace: (message, fields) => logger.trace(message, withContext(fields)),
    debug: (message, fields) => logger.debug(message, withContext(fields)),
    info: (message, fields) => logger.info(message, withContext(fields)),
    warn: (message, fields) => logger.warn(message, withContext(fields)),
    error: (message, fields) => logger.error(message, withContext(fields)),
    child: fields => contextLogger(logger.child(fields), context),
  }
}
