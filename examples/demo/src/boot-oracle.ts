import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { openDeveloperKey } from '@sibyl/cli'
import { createOracleApp } from '@sibyl/core'
import { readConfig } from '@sibyl/example-quickstart/config'
import { notebook } from '@sibyl/example-quickstart/notebook'
import { createMnemonic, type SigningKey } from '@sibyl/identity'
import type { Cleanup } from './cleanup.ts'
import type { Narrator } from './narrator.ts'
import { openWeatherSource } from './weather-source.ts'

/** The oracle of the demo, and a user who chats with it. */
export interface DemoOracle {
  readonly url: string
  readonly key: SigningKey
  /** Where `key` is kept, for the `sibyl` command. */
  readonly home: string
}

/**
 * Boots the oracle of the quickstart on a free port, with its data in a temporary folder. It uses only the terminal
 * settings of the environment.
 */
export const bootOracle = async (narrator: Narrator, cleanup: Cleanup): Promise<DemoOracle> => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-demo-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  const { NO_COLOR, TERM } = process.env
  const weather = await openWeatherSource(process.env)
  cleanup.add(() => weather.stop())

  narrator.step('Boot')
  narrator.print(`The quickstart with new keys, an empty database and the offline model. ${weather.description}`)
  narrator.blank()
  const oracle = await createOracleApp({
    config: readConfig(),
    plugins: [...bundledPlugins(), notebook()],
    env: {
      NO_COLOR,
      TERM,
      PORT: '0',
      DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      LLM_PROVIDER: 'offline',
      PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      WEATHER_BASE_URL: weather.baseUrl,
    },
  })
  cleanup.add(() => oracle.close())
  const ready = new Promise(resolve => oracle.on('ready', resolve))
  const { url } = await oracle.listen()
  await ready

  const home = join(folder, 'home')
  const { key } = await openDeveloperKey(home)
  return { url, key, home }
}
