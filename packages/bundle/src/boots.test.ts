import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createOracleApp, type OracleApp } from '@sibyl/core'
import { BootError } from '@sibyl/plugin'
import { recordedLogger, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import {
  alone,
  everythingOn,
  temporaryFolder,
  variablesOf,
  withDependants,
  wrongValue,
} from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { startOracle } from './oracle-process.test.support.ts'

const plugins = bundledPlugins()
const names = plugins.map(({ name }) => name)

/** The variables that can be wrong, each with a text that it cannot be. */
const breakable = variablesOf(plugins).flatMap(variable => {
  const wrong = wrongValue(variable)
  return wrong === undefined ? [] : [{ ...variable, wrong }]
})
const everythingWrong = Object.fromEntries(breakable.map(({ name, wrong }) => [name, wrong]))

const line = (plugin: string, variable: string) =>
  `[boot-error] Plugin '${plugin}' env validation failed for '${variable}'`

const statesOf = (app: OracleApp) => Object.fromEntries(app.plugins().map(({ name, state }) => [name, state]))

/** Boots where it must not, and gives the lines of the boot log that say why. */
const failedBoot = async (env: Record<string, string>): Promise<readonly string[]> => {
  const logger = recordedLogger()
  const boot = createOracleApp({ plugins: bundledPlugins(), env, logger })
  await expect(boot.then(app => app.close())).rejects.toBeInstanceOf(BootError)
  return logger.lines.filter(({ level }) => level === 'error').map(({ message }) => message)
}

test('without any variable it boots, lists what is excluded by which variable, and answers', async () => {
  const folder = temporaryFolder()
  const oracle = startOracle(folder, 'nothing')
  await oracle.until('[boot] ready')
  const url = await oracle.url()
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok', database: 'connected' })
  expect((await fetch(`${url}/weather/now`)).status).toBe(400)
  const { code, stdout, stderr } = await oracle.stop()
  expect(code).toBe(0)
  // A busy machine takes longer than the second after which it says so.
  expect(stderr).toMatch(/^(Stopping; press Ctrl-C again to exit immediately\.\n)?$/)
  for (const { name, optIn } of plugins) {
    if (optIn.length > 0) expect(stdout).toContain(`[boot] excluded: ${name} (${optIn[0]})\n`)
    else expect(stdout).toMatch(new RegExp(`^\\[boot\\] (loaded|available) +${name} `, 'm'))
  }
  expect(readdirSync(folder)).toEqual(['.data'])
})

test('with everything set all sixteen are there, and HTTP answers before what starts in the background', async () => {
  const env = everythingOn(temporaryFolder())
  const logger = recordedLogger()
  await using oracle = await testApp({ plugins: bundledPlugins(), env, logger })
  const { url } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  expect((await fetch(`${url}/health`)).status).toBe(200)
  await oracle.app.ready
  expect(Object.keys(statesOf(oracle.app)).toSorted()).toEqual(names.toSorted())
  expect(Object.values(statesOf(oracle.app))).not.toContain('excluded')
  await expect
    .poll(() => logger.lines.map(({ message }) => message))
    .toContainEqual(expect.stringMatching(/^\[boot\] ready/))
})

test('reports every invalid variable in its exact line, all at once, and starts nothing', async () => {
  const folder = temporaryFolder()
  const env = { ...everythingOn(folder), DATABASE_URL: `file:${join(folder, 'sibyl.db')}` }
  const reported = await failedBoot({ ...env, ...everythingWrong })
  expect(reported.slice(0, -1).toSorted()).toEqual(breakable.map(({ plugin, name }) => line(plugin, name)).toSorted())
  expect(reported.at(-1)).toBe(`${breakable.length} problems; the oracle did not start.`)
  for (const plugin of names) {
    const one = breakable.find(it => it.plugin === plugin)
    if (!one) continue
    const alone = await failedBoot({ ...env, [one.name]: one.wrong })
    const owners = breakable.filter(({ name }) => name === one.name)
    expect(alone.slice(0, -1).toSorted()).toEqual(owners.map(it => line(it.plugin, one.name)).toSorted())
    expect(alone.at(-1)).toMatch(/^\d+ problems?; the oracle did not start\.$/)
  }
  expect(readdirSync(folder)).toEqual([])
  expect(breakable.length).toBeGreaterThan(variablesOf(plugins).length / 2)
})

test.each(names)(
  'disabled by features, %s is gone with what is wrong with it, and all others answer',
  { tags: 'long' },
  async name => {
    const gone = withDependants(plugins, name)
    const wrong = breakable.filter(one => gone.has(one.plugin)).map(one => [one.name, one.wrong])
    const shared = variablesOf(plugins).filter(one => !gone.has(one.plugin))
    const env = {
      ...everythingOn(temporaryFolder()),
      ...Object.fromEntries(wrong.filter(([one]) => !shared.some(other => other.name === one))),
    }
    const features = Object.fromEntries([...gone].map(one => [one, false]))
    const logger = recordedLogger()
    await using oracle = await testApp({ plugins: bundledPlugins(), env, features, logger })
    for (const [one, state] of Object.entries(statesOf(oracle.app))) {
      if (gone.has(one)) expect([one, state]).toEqual([one, 'excluded'])
      else expect([one, state]).not.toEqual([one, 'excluded'])
    }
    expect(oracle.app.routes().filter(({ owner }) => gone.has(owner))).toEqual([])
    const { text } = await oracle.chat('hello')
    expect(text).not.toBe('')
    const readable = oracle.app
      .routes()
      .filter(({ owner, definition }) => owner !== 'core' && definition.method === 'get')
    for (const { definition } of new Map(readable.map(route => [route.owner, route])).values()) {
      const path = definition.getRoutingPath().replace(/:[^/]+/g, 'x')
      const answer = await oracle.actor.request(path, { method: 'GET' })
      await answer.body?.cancel()
      expect([path, answer.status < 500 || answer.status === 503]).toEqual([path, true])
    }
    const errors = logger.lines.filter(({ level, fields }) => level === 'error' && !alone(plugins).has(fields.plugin))
    expect(errors).toEqual([])
  },
)
