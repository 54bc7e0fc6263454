import { createHash } from 'node:crypto'
import { createClient, type OracleClient } from '@sibyl/client'
import type { Narrator } from '@sibyl/example-field-research/narrator'
import type { Signer } from '@sibyl/identity'
import { z } from 'zod'
import type { Office } from './office/open-office.ts'
import { type Chat, chatOf, TourFailure } from './people/chat.ts'
import { type Phone, phoneOf } from './people/phone.ts'
import { openRoom, type Room } from './people/room.ts'

const claimId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/
const fileList = z.object({ files: z.array(z.object({ path: z.string(), sha256: z.string() })) })
const credits = z.object({ balance: z.string(), usedToday: z.string(), turnsToday: z.number() })

/** A week of a field office, as those who work with it see it: two phones, a conversation, a Matrix room. */
export const walk = async (office: Office, signer: Signer, narrator: Narrator): Promise<void> => {
  const chatAbilities = ['chat/*', 'claims/evaluate', 'credentials/read', 'matrix/send']
  const coordinator = createClient({ url: office.url, signer, chatAbilities })
  const chat = chatOf(coordinator, 'office', 'coordinator', narrator)
  await printPlugins(coordinator, narrator)
  const phones = phonesOf(office, narrator)
  const claims = await report(phones, narrator)
  await judge(chat, claims, phones, narrator)
  const room = openRoom(office.matrix.grace, office.matrix.room, office.matrix.bot, narrator)
  try {
    await talkInRoom(office, room, narrator)
    await everyWeek(coordinator, chat, room, narrator)
  } finally {
    await room.leave()
  }
  await settle(coordinator, chat, narrator)
}

const printPlugins = async (coordinator: OracleClient, narrator: Narrator): Promise<void> => {
  narrator.step('An oracle with all its plugins, and nothing outside this computer')
  const capabilities = await coordinator.capabilities()
  const named = (state: string) => capabilities.filter(one => one.state === state).map(({ name }) => name)
  narrator.print(`Ready: ${[...named('ready')].toSorted().join(', ')}.`)
}

interface Phones {
  readonly mutale: Phone
  readonly bwalya: Phone
}

const phonesOf = (office: Office, narrator: Narrator): Phones => ({
  mutale: phoneOf(office, 'Mutale', '+260971234567', narrator),
  bwalya: phoneOf(office, 'Bwalya', '+260977654321', narrator),
})

/** Two phones, and what they report. @returns the ids of the claims */
const report = async ({ mutale, bwalya }: Phones, narrator: Narrator): Promise<readonly [string, string]> => {
  narrator.step('A phone')
  narrator.print('Mutale has no smartphone. She makes an account, chooses her language and reports what she did.')
  await mutale.dial()
  await mutale.type('2', '2', 'Mutale', '1')
  await mutale.typeSecret('8305')
  await mutale.typeSecret('8305')
  await mutale.type('1', '5', '2', '1', '3', 'Delivered five stoves to Mwila')
  const sent = await mutale.type('1')
  await mutale.getsSms()
  narrator.blank()
  narrator.print(
    'In the same call she asks the oracle something. She is a person like those who chat: what she set holds.',
  )
  await mutale.type('0', '1', 'What are my preferences?')
  narrator.blank()
  narrator.print('Bwalya does the same in English, and reports something else. How his call ends:')
  const other = await bwalya.typeUnseen('2', '2', 'Bwalya', '1', '9274', '9274', '1', '3', 'Visited the market', '1')
  await bwalya.getsSms()
  return [claimIn(sent), claimIn(other)]
}

const claimIn = (screen: string): string => {
  const id = claimId.exec(screen.replaceAll(/\s/g, ''))?.[0]
  if (id === undefined) throw new TourFailure(`The report was not taken: ${screen}`)
  return id
}

/** The coordinator lists the claims, has them evaluated and verifies the results; the phones are notified. */
const judge = async (
  chat: Chat,
  [good, bad]: readonly [string, string],
  { mutale, bwalya }: Phones,
  narrator: Narrator,
): Promise<void> => {
  narrator.step('The coordinator, in a chat')
  narrator.print('The rules of the collection judge; the oracle signs only what a person allowed.')
  await chat.send('Which claims are waiting?')
  const approved = await chat.send(`Evaluate claim ${good}`)
  const credential = /Its credential is (\S+[^\s.])/.exec(approved)?.[1]
  if (credential === undefined) throw new TourFailure(`The claim became no credential: ${approved}`)
  await chat.send(`Evaluate claim ${bad}`)
  await chat.send(`Verify the credential ${credential}`)
  narrator.blank()
  narrator.print('Both phones receive an SMS in their language.')
  await mutale.getsSms()
  await bwalya.getsSms()
}

/** In the room the oracle answers those who address it. */
const talkInRoom = async (office: Office, room: Room, narrator: Narrator): Promise<void> => {
  const { grace, joseph } = office.matrix
  narrator.step('A Matrix room')
  narrator.print('Grace, Joseph and the oracle are in the room Field team. It answers only messages that address it.')
  await room.waitForText('joseph', joseph, 'The truck to Mwila is back.')
  await room.waitForText('grace', grace, 'Field Oracle: how many reports came in this week?')
  await room.waitForAnswer(/waiting\.$/)
  narrator.blank()
  narrator.print(`The oracle has said ${room.answers()} thing in the room.`)
}

/** A task for every week: what it is, and a run of it. */
const everyWeek = async (coordinator: OracleClient, chat: Chat, room: Room, narrator: Narrator): Promise<void> => {
  narrator.step('A task for every week')
  await chat.send('My time zone is Africa/Lusaka')
  const created = await chat.send('Every Friday at 16:00 write the weekly report and tell the room Field team')
  const task = /Created as (\w+)/.exec(created)?.[1]
  if (task === undefined) throw new TourFailure(`There is no task: ${created}`)
  narrator.blank()
  narrator.print('Friday is far, so the coordinator has it run now (POST /tasks/{id}/runs). In the room:')
  const run = await fetch(new URL(`/tasks/${task}/runs`, coordinator.url), {
    method: 'POST',
    headers: await coordinator.headers('tasks/write'),
  })
  if (run.status !== 202) throw new TourFailure(`The run was refused: ${await run.text()}`)
  await room.waitForAnswer(/# ?Week/)
}

/** The report as it is kept, and that it is what its hash says. */
const printFile = async (coordinator: OracleClient, narrator: Narrator): Promise<void> => {
  const get = async (path: string) => {
    const answer = await fetch(new URL(path, coordinator.url), { headers: await coordinator.headers('files/read') })
    if (!answer.ok) throw new TourFailure(`${path}: ${answer.status}`)
    return answer
  }
  const [file] = fileList.parse(await (await get('/files?under=reports')).json()).files
  if (!file) throw new TourFailure('There is no report.')
  const content = await (await get(`/files/content?path=${encodeURIComponent(file.path)}`)).bytes()
  const isSame = createHash('sha256').update(content).digest('hex') === file.sha256
  narrator.blank()
  narrator.print(`GET /files/content gives ${content.length} bytes of ${file.path}; their SHA-256 is`)
  narrator.print(`${file.sha256}, ${isSame ? 'as it was kept' : 'and what came is another'}.`)
  if (!isSame) throw new TourFailure('The file is not what was kept.')
}

/** Shows the remaining records: the file, the credits, the preferences. */
const settle = async (coordinator: OracleClient, chat: Chat, narrator: Narrator): Promise<void> => {
  narrator.step('What is left of it')
  await chat.send('List my files')
  await printFile(coordinator, narrator)
  await chat.send('What are my preferences?')
  await chat.send('What did I use?')
  const answer = await fetch(new URL('/credits', coordinator.url), {
    headers: await coordinator.headers('credits/read'),
  })
  const { balance, usedToday, turnsToday } = credits.parse(await answer.json())
  narrator.blank()
  narrator.print(`GET /credits: ${turnsToday} turns today, ${usedToday} credits used, ${balance} left.`)
}
