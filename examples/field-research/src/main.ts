import { workByMessage } from './by-message.ts'
import { type FieldOffice, makeFieldOffice } from './field-oracle.ts'
import { terminalTeller } from './narrator.ts'
import { workInOneTurn } from './one-turn.ts'
import { type Site, startSite } from './start-site.ts'

let site: Site | undefined
let office: FieldOffice | undefined
const cleanUp = async () => {
  await office?.remove()
  await site?.stop()
}
const stop = async () => {
  await cleanUp()
  process.exit(130)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)

try {
  site = await startSite()
  office = await makeFieldOffice(site.url)
  const teller = terminalTeller()
  await workInOneTurn(office, site.url, teller)
  await workByMessage(office, site.url, teller)
  console.log('\nThat is all of it. The oracle ends here, and what it wrote is removed.')
} catch (error) {
  console.error(`\nThe tour ended early: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await cleanUp()
}
