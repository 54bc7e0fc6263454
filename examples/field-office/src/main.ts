import { parseArgs } from 'node:util'
import { terminalTeller } from '@sibyl/example-field-research/narrator'
import { createSigningKey } from '@sibyl/identity'
import { type Office, openOffice } from './office/open-office.ts'
import { stay } from './office/stay.ts'
import { runRoomClient } from './people/room-client.ts'
import { walk } from './tour.ts'

/** The command-line options. */
const options = {
  stay: { type: 'boolean', default: false },
  room: { type: 'string' },
  url: { type: 'string', default: '' },
  user: { type: 'string', default: '' },
  password: { type: 'string', default: '' },
} as const

/** Columns and speech of the tour. */
const style = { widest: 100, narrowest: 50, nameWidth: 14, speech: 'plain' } as const

/** Time limit of the tour, in milliseconds. */
const longestTour = 90_000

/** The resources to close at the end, including an office that is still opening. */
const opened: { office?: Promise<Office>; leaving?: boolean } = {}
const close = async () => (await opened.office?.catch(() => undefined))?.close()
const leave = async (code: number) => {
  opened.leaving = true
  await close()
  process.exit(code)
}

const tour = async () => {
  process.once('SIGINT', () => leave(130))
  process.once('SIGTERM', () => leave(143))
  const limit = setTimeout(() => {
    console.error(`\nThe tour did not end within ${longestTour / 1_000} s.`)
    void leave(1)
  }, longestTour)
  limit.unref()
  const coordinator = await createSigningKey()
  opened.office = openOffice({ coordinator: coordinator.did })
  await walk(await opened.office, coordinator, terminalTeller(style))
  console.log('\nThat is all of it. The oracle and the homeserver end here, and what they wrote is removed.')
}

try {
  const { values } = parseArgs({ options })
  if (values.room !== undefined) await runRoomClient({ ...values, room: values.room })
  else if (values.stay) {
    await stay(office => {
      opened.office = office
    })
  } else await tour()
} catch (error) {
  if (!opened.leaving) console.error(`\nIt ended early: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await close()
}
