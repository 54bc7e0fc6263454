import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp, type OracleApp } from '@sibyl/core'
import { createMnemonic } from '@sibyl/identity'
import { type CollectionCreation, collectionRecord } from '@sibyl/plugin-claims/records'
import { startHomeserverProcess } from '@sibyl/plugin-matrix/testing'
import { MatrixUser } from '../people/matrix-user.ts'
import { fieldOffice } from '../plugin/field-office.ts'

/** An oracle with all plugins, a homeserver, and a room of three. */
export interface Office {
  readonly url: string
  readonly oracle: OracleApp
  /** The collection that takes what phones report. */
  readonly collection: string
  /** The operator's bearer: it reads the SMS that went out. */
  readonly operatorToken: string
  readonly matrix: {
    readonly url: string
    readonly room: string
    /** The oracle's user. */
    readonly bot: string
    readonly grace: MatrixUser
    readonly joseph: MatrixUser
    /** Grace's password, for a client of hers. */
    readonly password: string
  }
  /** Ends all of it, and removes what it wrote. */
  close(): Promise<void>
}

/** The reports of phones, and their rules. */
const reports: CollectionCreation = {
  title: 'Reports of phones',
  submitters: 'anyone',
  evaluation: 'rules',
  conditions: [
    {
      id: 'about-stoves',
      path: '/summary',
      operator: 'contains',
      value: 'stove',
      reason: 'The report names no stove.',
    },
  ],
  credentialType: 'FieldReportCredential',
}

const newSecret = () => randomBytes(24).toString('hex')

/**
 * Opens a field office in a temporary folder.
 *
 * @param options.coordinator The DID of who judges the reports and controls the oracle.
 * @param options.folder Where it is, removed at the end. @default a new one
 * @param options.hasConsole Whether the oracle serves its console, beside the other adapters.
 */
export const openOffice = async (options: {
  readonly coordinator: string
  readonly folder?: string
  readonly port?: number
  readonly hasConsole?: boolean
}): Promise<Office> => {
  const { coordinator, folder = await makeFolder(), port = 0, hasConsole = false } = options
  const [botPassword, password, officeKey, operatorToken] = [newSecret(), newSecret(), newSecret(), newSecret()]
  const homeserver = await startHomeserverProcess({ users: { oracle: botPassword } })
  let oracle: OracleApp | undefined
  const close = async () => {
    await oracle?.close()
    await homeserver.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const bot = '@oracle:localhost'
    await (await MatrixUser.signIn(homeserver.url, 'oracle', botPassword)).setName('Field Oracle')
    const env = {
      PORT: String(port),
      DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      ORACLE_CONTROLLERS: coordinator,
      ORACLE_OPERATOR_TOKEN: operatorToken,
      ENTITIES_API_KEYS: `office:${officeKey}`,
      LLM_PROVIDER: 'offline',
      LOG_LEVEL: 'error',
      CREDITS_DEFAULT_GRANT: '100',
      FILES_DIR: join(folder, 'files'),
      FIRECRAWL_MCP_URL: 'embedded:',
      MATRIX_BASE_URL: homeserver.url,
      MATRIX_ORACLE_ADMIN_USER_ID: bot,
      MATRIX_ORACLE_ADMIN_PASSWORD: botPassword,
      MEMORY_MCP_URL: 'embedded:',
      PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      SANDBOX_MCP_URL: 'embedded:',
      SMS_PROVIDER: 'embedded:',
    }
    const collection = await makeCollection(env, { ...reports, evaluators: [coordinator] }, officeKey)
    oracle = await createOracleApp({
      config: { name: 'Field Oracle', price: '0.5 credits a turn' },
      plugins: [...bundledPlugins(), fieldOffice({ collection, coordinator })],
      ...(hasConsole && { adapters: bundledAdapters() }),
      env: { ...env, CLAIMS_REPORTS_COLLECTION: collection },
    })
    const { url } = await oracle.listen()
    await oracle.ready
    const [grace, joseph] = await Promise.all([
      MatrixUser.register(homeserver.url, 'grace', password),
      MatrixUser.register(homeserver.url, 'joseph', newSecret()),
    ])
    const room = await openRoom(grace, joseph, bot)
    const matrix = { url: homeserver.url, room, bot, grace, joseph, password }
    return { url, oracle, collection, operatorToken, matrix, close }
  } catch (error) {
    await close()
    throw error
  }
}

const makeFolder = () => mkdtemp(join(tmpdir(), 'sibyl-field-office-'))

/** Makes the collection with an oracle that ends again: which one takes reports is a variable of the next. */
const makeCollection = async (
  env: Readonly<Record<string, string>>,
  creation: CollectionCreation,
  officeKey: string,
): Promise<string> => {
  const oracle = await createOracleApp({
    config: { name: 'Field Oracle' },
    plugins: bundledPlugins(),
    features: { matrix: false, ussd: false, sms: false },
    env,
  })
  try {
    const answer = await oracle.request('/v1/collections', {
      method: 'POST',
      headers: { authorization: `Bearer ${officeKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(creation),
    })
    if (!answer.ok) throw new Error(`The collection was refused: ${await answer.text()}`)
    return collectionRecord.parse(await answer.json()).id
  } finally {
    await oracle.close()
  }
}

/** Grace's room, with Joseph and the oracle in it. */
const openRoom = async (grace: MatrixUser, joseph: MatrixUser, bot: string): Promise<string> => {
  const room = await grace.createRoom('Field team', [bot, joseph.userId])
  await joseph.join(room)
  while (!(await grace.members(room)).includes(bot)) await setTimeout(50)
  return room
}
