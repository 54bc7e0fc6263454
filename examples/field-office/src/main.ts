import { createSigningKey } from '@sibyl/identity'
import { type Office, openOffice } from './office/open-office.ts'
import { stay } from './office/stay.ts'
import { terminalTeller } from './people/teller.ts'
import { walk } from './tour.ts'

/** What is to be ended, however this ends. */
const opened: { office?: Office } = {}
const leave = async (code: number) => {
  await opened.office?.close()
  process.exit(code)
}

try {
  if (process.argv.includes('--stay')) {
    await stay(office => {
      opened.office = office
    })
  } else {
    process.once('SIGINT', () => leave(130))
    process.once('SIGTERM', () => leave(143))
    const coordinator = await createSigningKey()
    opened.office = await openOffice({ coordinator: coordinator.did })
    await walk(opened.office, coordinator, terminalTeller())
    console.log('\nThat is all of it. The oracle and the homeserver end here, and what they wrote is removed.')
  }
} catch (error) {
  console.error(`\nThe tour ended early: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await opened.office?.close()
}
