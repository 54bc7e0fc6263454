/**
 * Runs a local provider as a process of its own: prints its URL on one line, serves until SIGINT or SIGTERM.
 *
 *     node --conditions=sibyl-source src/testing/local-provider-process.ts --mode slow --port 4010
 */
import { parseArgs } from 'node:util'
import { providerModes, startLocalProvider } from './local-provider.ts'

const { values } = parseArgs({
  options: { mode: { type: 'string', default: 'ok' }, port: { type: 'string', default: '0' } },
})
const mode = providerModes.find(name => name === values.mode)

if (!mode) {
  console.error(`--mode ${values.mode} is unknown. Use one of: ${providerModes.join(', ')}`)
  process.exitCode = 2
} else {
  const provider = await startLocalProvider({ mode, port: Number(values.port) })
  console.log(provider.url)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => provider.stop())
}
