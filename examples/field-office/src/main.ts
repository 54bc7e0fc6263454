import { parseArgs } from 'node:util'
import { createSigningKey } from '@sibyl/identity'
import { type Office, openOffice } from './office/open-office.ts'
import { stay } from './office/stay.ts'
import { runRoomClient } from './people/room-client.ts'
import { terminalTeller } from './people/teller.ts'
import { walk } from './tour.ts'

const { values } = parseArgs({
  options: {
    stay: { type: 'boolean', default: false },
    room: { type: 'string' },
    url: { type: 'string', default: '' },
    user: { type: 'string', default: '' },
    password: { type: 'string', default: '' },
  },
})

/** What is to be ended, however this ends. */
const opened: { office?: Office } = {}
const leave = async (code: number) => {
  await opened.office?.close()
  process.exit(code)
}

const tour = async () => {
  process.once('SIGINT', () => leave(130))
  process.once('SIGTERM', () => leave(143))
  const coordinator = await createSigningKey()
  opened.office = await openOffice({ coordinator: coordinator.did })
  await walk(opened.office, coordinator, terminalTeller())
  console.log('\nThat is all of it. The oracle and the homeserver end here, and what they wrote is removed.')
}

try {
  if (values.room !== undefined) await runRoomClient({ ...values, room: values.room })
  else if (values.stay) {
    await stay(office => {
      opened.office = office
    })
  } else await tour()
} catch (error) {
  console.error(`\nIt ended early: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await opened.office?.close()
}
