import { type Constraint, constraintViolated, poolingUnsupported, storageErrors } from '../errors/storage-errors.ts'

const constraints: Readonly<Record<string, Constraint>> = {
  '23502': 'not_null',
  '23503': 'foreign_key',
  '23505': 'unique',
  '23514': 'check',
}

/** Classes and codes of SQLSTATE that mean: no session, or none any more. */
const unreachable: Readonly<Record<string, string>> = {
  '08': 'closed the connection',
  '28': 'rejected the user or the password',
  '3D': 'has no such database',
  '53300': 'already has too many connections',
  '57P01': 'is shutting down',
  '57P02': 'is shutting down',
  '57P03': 'is starting up or shutting down',
  '57P05': 'closed an idle session',
  '25P03': 'closed a session that was idle inside a transaction',
}

/** Codes of Node's sockets and name lookup. */
const network: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not accept connections',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOENT: 'has no such socket',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be resolved at the moment',
  ETIMEDOUT: 'does not respond in time',
  EHOSTUNREACH: 'is unreachable',
  ENETUNREACH: 'is unreachable',
}

/** Messages of pg without a code, when a connection ends or one of its timeouts is exceeded. */
const driverTexts: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded when trying to connect|timeout expired/i, 'did not provide a connection in time'],
  [
    /Connection terminated|Client has encountered a connection error|Client was closed|not queryable/i,
    'closed the connection',
  ],
  [/Query read timeout/i, 'does not respond in time'],
]

/** Problems of TLS, by the text of a server or the driver. */
const tlsTexts: readonly (readonly [RegExp, string])[] = [
  [
    /no encryption|SSL off|connection is insecure|SSL (?:connection )?is required|requires SSL/i,
    'requires TLS; add ?sslmode=require to DATABASE_URL',
  ],
  [
    /does not support SSL connections/i,
    'does not offer TLS; enable it there, or set ?sslmode=disable in DATABASE_URL if the network is trusted',
  ],
  [
    /certificate|self.signed|altname/i,
    'has a certificate that is not trusted; add ?sslrootcert=/path/to/ca.pem to DATABASE_URL, or ?sslmode=no-verify to skip the check',
  ],
]

/** Codes of TLS of Node. */
const isTlsCode = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(code)

const tlsProblem = ({ message }: Error, code: string | undefined): string | undefined =>
  code === undefined || code.startsWith('28') || code.startsWith('08') || isTlsCode(code)
    ? tlsTexts.find(([text]) => text.test(`${message} ${code ?? ''}`))?.[1]
    : undefined

/** The SQLSTATE of a server's error or the code of a socket's. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Whether the server or TLS rejects the settings of a connection, which waiting does not change. */
export const isRejection = (error: unknown): boolean => {
  const code = codeOf(error)
  return /^(28|3D)/.test(code ?? '') || (error instanceof Error && tlsProblem(error, code) !== undefined)
}

const connectionProblem = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  const tls = tlsProblem(error, code)
  if (tls !== undefined) return tls
  if (code !== undefined) return unreachable[code] ?? unreachable[code.slice(0, 2)] ?? network[code]
  if (error instanceof AggregateError) return connectionProblem(error.errors[0])
  return driverTexts.find(([text]) => text.test(error.message))?.[1]
}

/** The problem of a server that takes no writes. */
export const readOnlyServer = 'is read-only, as after a fail-over'

/** Whether a session that writes met a server that does not, as a standby after a fail-over. */
export const isReadOnlyServer = (error: unknown): boolean =>
  codeOf(error) === '25006' || (codeOf(error) === '0A000' && /hot standby/i.test((error as Error).message))

/**
 * Whether the session lacks what it has prepared, or this does not fit the schema any more, which a newer process has changed.
 */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '26000' ||
  (error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery')

/** Whether the server rolled the transaction back because of others and would take it again, or a new session would. */
export const isRetryable = (error: unknown): boolean => {
  const code = codeOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
  return code === '40001' || code === '40P01' || isStalePlan(error)
}

/**
 * Turns an error of pg into one of storage's classes; any other comes back as it is, without the row's values that
 * PostgreSQL adds as detail.
 *
 * @param server where the database is, without user and password
 */
export const storageErrorOf = (error: unknown, server: string): unknown => {
  const code = codeOf(error)
  if (code?.startsWith('22')) return storageErrors.value_refused({ sqlState: code })
  if (error instanceof Error && 'detail' in error) error.detail = undefined
  if (code === '08P01' && /statement pooling/.test((error as Error).message)) {
    return poolingUnsupported(server, 'statements')
  }
  const options = { cause: error }
  const problem = connectionProblem(error)
  if (problem !== undefined) return storageErrors.database_unreachable({ server, problem }, options)
  if (code === undefined) return error
  const constraint = constraints[code]
  if (constraint !== undefined) return constraintViolated(constraint, options)
  switch (code) {
    case '25006':
      return storageErrors.read_only_access(options)
    case '42501':
      return storageErrors.database_rights_missing({ server, problem: (error as Error).message.slice(0, 200) }, options)
    case '53100':
      return storageErrors.disk_full({ database: server }, options)
    case '58030':
      return storageErrors.database_io({ database: server }, options)
    case '57014':
      return storageErrors.query_timeout(options)
    default:
      return error
  }
}
