/**
 * Runs the local site in a process of its own: prints its URL on one line, serves until SIGINT or SIGTERM.
 *
 *     node --conditions=sibyl-source src/testing/local-site-process.ts --port 4010
 */
import { parseArgs } from 'node:util'
import { startLocalSite } from './local-site.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const site = await startLocalSite({ port: Number(values.port) })
console.log(site.url)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => site.stop())
