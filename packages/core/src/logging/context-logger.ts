import type { LogFields, Logger } from '@sibyl/plugin'

/**
 * A logger that adds to each line what the code that writes it is working on; the line's own fields go before it.
 *
 * @param context Asked at each line.
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
