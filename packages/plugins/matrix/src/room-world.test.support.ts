import type { OracleAppOptions } from '@sibyl/core'
import { type RecordedLogger, recordedLogger, type TestApp, testApp } from '@sibyl/testing'
import { matrix } from './matrix.ts'
import { Homeserver, type MatrixEvent, MatrixPerson } from './testing/index.test.support.ts'

/** A homeserver, an oracle that reads it, and Ada. */
export interface RoomWorld extends AsyncDisposable {
  readonly homeserver: Homeserver
  readonly oracle: TestApp
  readonly log: RecordedLogger
  /** The bot's user id. */
  readonly bot: string
  readonly ada: MatrixPerson
  /** The texts of the bot in a room, as they are in the end, oldest first. */
  textsOf(roomId: string): string[]
  /** Waits for a text of the bot in a room; its event. */
  waitForText(roomId: string, text: string | RegExp): Promise<MatrixEvent>
}

/** What the oracle's own messages are worth in the end: each with its last edit. */
const finalTexts = (events: readonly MatrixEvent[], bot: string): { event: MatrixEvent; text: string }[] => {
  const own = events.filter(({ sender, type }) => sender === bot && type === 'm.room.message')
  const replaced = ({ content }: MatrixEvent) => content['m.relates_to'] as { rel_type?: string; event_id?: string }
  const isEdit = (event: MatrixEvent) => replaced(event)?.rel_type === 'm.replace'
  return own
    .filter(event => !isEdit(event))
    .map(event => {
      const edit = own.findLast(one => isEdit(one) && replaced(one).event_id === event.event_id)
      const content = (edit?.content['m.new_content'] ?? event.content) as { body?: unknown }
      return { event, text: String(content.body) }
    })
}

/** Boots an oracle with the plugin at a homeserver of its own. @param options.before Is done to it before that. */
export const roomWorld = async ({
  before = () => {},
  ...options
}: Partial<OracleAppOptions> & { readonly before?: (homeserver: Homeserver) => void } = {}): Promise<RoomWorld> => {
  const homeserver = await Homeserver.start()
  before(homeserver)
  const password = 'the bot password'
  const bot = homeserver.addUser('field-oracle', password)
  const ada = await MatrixPerson.register(homeserver.url, 'ada')
  const log = recordedLogger()
  const env = {
    MATRIX_BASE_URL: homeserver.url,
    MATRIX_ORACLE_ADMIN_USER_ID: bot,
    MATRIX_ORACLE_ADMIN_PASSWORD: password,
    ...options.env,
  }
  const oracle = await testApp({ logger: log, ...options, plugins: [matrix(), ...(options.plugins ?? [])], env })
  return {
    homeserver,
    oracle,
    log,
    bot,
    ada,
    textsOf: roomId => finalTexts(homeserver.events(roomId), bot).map(({ text }) => text),
    waitForText: (roomId, wanted) =>
      homeserver.until(
        () =>
          finalTexts(homeserver.events(roomId), bot).find(({ text }) =>
            typeof wanted === 'string' ? text === wanted : wanted.test(text),
          )?.event,
      ),
    async [Symbol.asyncDispose]() {
      await oracle.app.close()
      await homeserver.down()
    },
  }
}

/** Makes a group of some people with the bot in it. @returns its id */
export const groupOf = async (
  { homeserver, ada, bot }: Pick<RoomWorld, 'homeserver' | 'ada' | 'bot'>,
  name: string,
  others: readonly MatrixPerson[],
): Promise<string> => {
  const room = await ada.createRoom({ preset: 'private_chat', name, invite: [bot, ...others.map(it => it.userId)] })
  for (const other of others) await other.join(room)
  await homeserver.event(
    ({ room_id, type, state_key, content }) =>
      room_id === room && type === 'm.room.member' && state_key === bot && content.membership === 'join',
  )
  return room
}
