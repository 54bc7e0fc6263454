import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EnvVariable, listEnvVariables, type OracleApp } from '@sibyl/core'
import { BootError } from '@sibyl/plugin'
import { type RecordedLine, recordedLogger, type TestApp, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { alone, everythingOn, serversOf, temporaryFolder, unreachable } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'

const plugins = bundledPlugins()

const known: readonly EnvVariable[] = listEnvVariables(plugins).filter(({ owner }) => owner !== 'core')
/** The variables that name a file or a folder. */
const paths = known.filter(({ example }) => example?.startsWith('./'))
const statesOfOthers = async (app: OracleApp, plugin: string) => {
  await app.ready
  return Object.fromEntries(app.plugins().flatMap(({ name, state }) => (name === plugin ? [] : [[name, state]])))
}

interface Booted {
  readonly oracle?: TestApp
  readonly problems?: BootError['problems']
  readonly lines: readonly RecordedLine[]
}

const boot = async (given: Record<string, string>): Promise<Booted> => {
  const logger = recordedLogger()
  const env = everythingOn(temporaryFolder(), given)
  try {
    return { oracle: await testApp({ plugins: bundledPlugins(), env, logger }), lines: logger.lines }
  } catch (error) {
    if (error instanceof BootError) return { problems: error.problems, lines: logger.lines }
    throw error
  }
}

/** How all are where nothing is broken. */
let fine: Promise<Record<string, string>> | undefined
const readFine = async () => {
  await using oracle = (await boot({})).oracle!
  return statesOfOthers(oracle.app, '')
}

/** What all others must be like, whatever one of them rests on. */
const expectOthersFine = async ({ app }: TestApp, plugin: string, lines: readonly RecordedLine[]): Promise<void> => {
  fine ??= readFine()
  expect({ ...(await fine), ...(await statesOfOthers(app, plugin)) }).toEqual(await fine)
  expect((await app.request('/health')).status).toBe(200)
  const strange = lines.filter(
    ({ level, fields }) => level === 'error' && fields.plugin !== plugin && !alone(plugins).has(fields.plugin),
  )
  expect(strange).toEqual([])
}

test.each(paths.flatMap(({ owner, name }) => ['nothing', 'garbage'].map(what => [name, what, owner] as const)))(
  '%s names %s: a boot error, or %s alone is excluded',
  async (name, what, owner) => {
    const file = join(temporaryFolder(), 'garbage')
    writeFileSync(file, 'no JSON {')
    const { oracle, problems, lines } = await boot({ [name]: what === 'garbage' ? file : join(file, 'nowhere') })
    if (problems) {
      expect(problems.map(({ plugin }) => plugin)).toEqual([owner])
      expect(JSON.stringify(problems)).toMatch(new RegExp(`${name}|${file}`))
      return
    }
    await using it = oracle!
    await expectOthersFine(it, owner, lines)
  },
)

/** Variables that a server needs beside its address. */
const companions: Readonly<Record<string, Record<string, string>>> = {
  MEMORY_MCP_URL: { MEMORY_ENGINE_URL: unreachable },
}

test.each(serversOf(plugins).map(({ name, plugin }) => [name, plugin] as const))(
  'no server at %s: %s reports it, and all others are unaffected',
  async (name, plugin) => {
    const { oracle, lines } = await boot({ ...companions[name], [name]: unreachable })
    await using it = oracle!
    await it.app.listen({ host: '127.0.0.1', port: 0 })
    await expectOthersFine(it, plugin, lines)
    const { events, done } = await it.chat('hello')
    expect([done, events.at(-1)?.type]).toEqual([true, 'finish'])
  },
)
