import { join } from 'node:path'
import { installClients } from './install-clients.ts'

const folder = join(import.meta.dirname, '../clients')
const begun = Date.now()
console.log('Checking the real clients in tooling/real-clients/clients (670 packages, 640 MB) …')
const installation = await installClients(folder)
if (installation === 'present') console.log('They are installed.')
if (installation === 'installed') console.log(`Installed in ${Math.round((Date.now() - begun) / 1000)} s.`)
if (installation === 'failed') {
  console.error(
    'npm could not install the real clients: see its error above. Check the network and the registry of `npm config list`; ' +
      'the lockfile is tooling/real-clients/clients/package-lock.json.',
  )
  process.exitCode = 1
}
