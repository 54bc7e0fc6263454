import { join } from 'node:path'
import { installClients } from './install-clients.ts'

/** EX_UNAVAILABLE: `.ci/run` reports the step as skipped. */
const registryUnreachable = 69

const folder = join(import.meta.dirname, '../clients')
const begun = Date.now()
console.log('Checking the MCP Inspector and CopilotKit in tooling/real-clients/clients (480 packages, 410 MB) …')
const installation = await installClients(folder)
if (installation === 'present') console.log('They are installed.')
if (installation === 'installed') console.log(`Installed in ${Math.round((Date.now() - begun) / 1000)} s.`)
if (installation === 'unreachable') {
  console.error(
    'The package registry is unreachable, so the real clients are not installed and their tests did not run. ' +
      'Check the network, and the registry and proxy of `npm config list`; then run this command again.',
  )
  process.exitCode = registryUnreachable
}
if (installation === 'failed') {
  console.error(
    'npm could not install the real clients: see its error above. The lockfile is ' +
      'tooling/real-clients/clients/package-lock.json.',
  )
  process.exitCode = 1
}
