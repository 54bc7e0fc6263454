import { createServer } from 'node:net'
import { cleanLine } from '../../../output/clean-text.ts'
import { discoverOracle } from '../../../registry/discover-oracle.ts'
import { type DoctorContext, requestLimitMs } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'
import { oracleDid } from './identity-check.ts'

/** Checks whether the port is free, or used by this oracle or another program; and the health of a running oracle. */
export const checkAddress = async (context: DoctorContext): Promise<Finding[]> => {
  if (!context.project) return []
  const { ok, fail } = findingsOf('Address', 'port')
  const oracle = (await context.inspection)?.oracle
  const port = oracle?.port ?? Number(context.setting('PORT') ?? 3000)
  if (port === 0) return [ok('PORT is 0: each start selects a free port')]
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return []
  const host = oracle?.host ?? '127.0.0.1'
  const url = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
  const found = await discoverOracle(url, { fetch: context.fetch, timeLimitMs: requestLimitMs })
  const other = 'Set PORT in .env to a free port.'
  if (found.kind === 'foreign') return [fail(`PORT ${port} is already in use.`, other)]
  if (found.kind === 'oracle') {
    const { did, name } = found.record
    const isThis = did !== undefined ? did === (await oracleDid(context)) : found.record.publicDid === oracle?.publicDid
    if (!isThis) return [fail(`PORT ${port} is already in use by another oracle, ${cleanLine(name)}.`, other)]
    return [ok(`this oracle runs at ${url}`), ...(await checkHealth(url, context))]
  }
  const trouble = await tryPort(port, host)
  if (trouble === undefined) return [ok(`PORT ${port} is free`)]
  if (trouble === 'EADDRINUSE') return [fail(`PORT ${port} is already in use.`, other)]
  if (trouble === 'EACCES')
    return [fail(`This user may not listen on PORT ${port}.`, 'Set PORT in .env to a port above 1023.')]
  const fix = 'Set HOST to an address of this computer, or leave it blank.'
  return [fail(`The oracle cannot listen on ${host}, port ${port} (${trouble}).`, fix)]
}

const checkHealth = async (url: string, { send }: DoctorContext): Promise<Finding[]> => {
  const { ok, fail } = findingsOf('Address', 'health')
  const reply = await send(`${url}/health`)
  if (reply.kind === 'reply' && reply.status === 200) return [ok('it is healthy')]
  const status = reply.kind === 'reply' ? `status ${reply.status}` : reply.reason
  return [fail(`The oracle is not healthy (${status}).`, 'Read its log; the database may be unavailable.')]
}

/** Listens for a moment. @returns the error code if that fails */
const tryPort = (port: number, host: string): Promise<string | undefined> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
