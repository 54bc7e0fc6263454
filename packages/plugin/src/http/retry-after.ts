/** Returns the header that names the time after which a client may try again; none if it is unknown. */
export const retryAfter = ({
  retryAfterSeconds,
}: {
  readonly retryAfterSeconds?: number | undefined
}): Record<string, string> => (retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) })
