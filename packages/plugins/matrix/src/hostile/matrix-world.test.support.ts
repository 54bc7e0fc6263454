import type { OracleAppOptions } from '@sibyl/core'
import {
  type RecordedLogger,
  recordedLogger,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedPart,
  scriptedModel,
  type TestApp,
  testApp,
} from '@sibyl/testing'
import { matrix } from '../matrix.ts'
import { Homeserver, type HomeserverOptions, type MatrixEvent, MatrixPerson } from '../testing/index.test.support.ts'

/** An oracle with its bot at a homeserver, and a person who writes to it. */
export interface MatrixWorld extends AsyncDisposable {
  readonly homeserver: Homeserver
  readonly oracle: TestApp
  /** The bot's user id. */
  readonly bot: string
  readonly ada: MatrixPerson
  readonly log: RecordedLogger
  /** The state of the plugin, as `GET /capabilities` tells the operator. */
  capability(): Promise<{ readonly state: string; readonly reason?: string }>
  /** Messages of the bot, in a room or in all; without its edits. */
  textsOf(roomId?: string): string[]
  /** Waits until the bot has said something that fits. */
  answer(fits: string | RegExp, roomId?: string): Promise<MatrixEvent>
}

/** The password of the bot. */
export const botPassword = 'hush-password-of-the-bot'

const operatorToken = 'operator-0123456789'
const asOperator = { authorization: `Bearer ${operatorToken}` }

/** What the person said last, of what a model was sent. */
export const lastWords = ({ prompt }: ScriptedCall): string => {
  const content = prompt.findLast(({ role }) => role === 'user')?.content
  return Array.isArray(content) ? content.map(part => (part.type === 'text' ? part.text : '')).join('') : ''
}

/** A model that repeats what it is told, or does as a function says. */
export const echoModel = (
  step: (call: ScriptedCall) => ScriptedPart | readonly ScriptedPart[] = call => `echo: ${lastWords(call)}`,
): ScriptedModel => scriptedModel(Array.from({ length: 1_000 }, () => step))

/** The text that an event shows. */
export const shownText = ({ content }: MatrixEvent): string => {
  const replaced = content['m.new_content'] as { readonly body?: unknown } | undefined
  return String(replaced?.body ?? content.body)
}

/** Starts all of it. @param options.before Is done to the homeserver before the oracle boots. */
export const matrixWorld = async ({
  before = () => {},
  homeserver: homeserverOptions,
  env = () => ({}),
  ...options
}: Partial<Omit<OracleAppOptions, 'env'>> & {
  /** Further variables; asked for after `before`. */
  readonly env?: () => Readonly<Record<string, string>>
  readonly homeserver?: HomeserverOptions
  readonly before?: (homeserver: Homeserver, bot: string) => unknown
} = {}): Promise<MatrixWorld> => {
  const homeserver = await Homeserver.start(homeserverOptions)
  const bot = homeserver.addUser('oracle', botPassword)
  const ada = await MatrixPerson.register(homeserver.url, 'ada')
  await before(homeserver, bot)
  const log = recordedLogger()
  const oracle = await testApp({
    plugins: [matrix()],
    model: echoModel(),
    logger: log,
    ...options,
    env: {
      ORACLE_OPERATOR_TOKEN: operatorToken,
      MATRIX_BASE_URL: homeserver.url,
      MATRIX_ORACLE_ADMIN_USER_ID: bot,
      MATRIX_ORACLE_ADMIN_PASSWORD: botPassword,
      ...env(),
    },
  })
  const isAnswer = ({ sender, type }: MatrixEvent) => sender === bot && type === 'm.room.message'
  return {
    homeserver,
    oracle,
    bot,
    ada,
    log,
    async capability() {
      const { capabilities } = (await (await oracle.app.request('/capabilities', { headers: asOperator })).json()) as {
        readonly capabilities: readonly { readonly name: string; readonly state: string; readonly reason?: string }[]
      }
      return capabilities.find(({ name }) => name === 'matrix') ?? { state: 'missing' }
    },
    textsOf: roomId =>
      homeserver
        .events(roomId)
        .filter(isAnswer)
        .filter(({ content }) => content['m.new_content'] === undefined)
        .map(shownText),
    answer: (fits, roomId) =>
      homeserver.event(event => {
        if (!isAnswer(event) || (roomId !== undefined && event.room_id !== roomId)) return false
        return typeof fits === 'string' ? shownText(event) === fits : fits.test(shownText(event))
      }),
    async [Symbol.asyncDispose]() {
      homeserver.fix()
      await oracle.app.close()
      await homeserver.down()
    },
  }
}
