import { join } from 'node:path'
import { HttpRegistry } from '@sibyl/plugin-entities/registry'
import { reservePort, silentLogger } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { startDevnet } from '../../../devnet/start-devnet.ts'
import { contextOf, inShort } from '../doctor-context.test.helper.ts'
import { serveAnswers } from '../web-server.test.helper.ts'
import { checkRegistry } from './registry-check.ts'

/** Creates an oracle that was registered at the devnet of its computer, which has stopped. */
const registered = async () => {
  const context = await contextOf()
  const home = join(context.folder, 'home')
  const firstPort = await reservePort()
  const start = async (port: number) => {
    const devnet = await startDevnet({ folder: join(home, 'devnet'), port, logger: silentLogger })
    let ending: Promise<void> | undefined
    const close = () => {
      ending ??= devnet.close()
      return ending
    }
    onTestFinished(close)
    return { ...devnet, close }
  }
  const first = await start(firstPort)
  const registry = new HttpRegistry({ url: first.url, apiKey: first.keys.apiKey })
  const services = [{ id: '#api', type: 'OracleApi', endpoint: 'http://localhost:3000' }]
  const { entity } = await registry.create({ type: 'Oracle', properties: {}, services })
  await first.close()
  const check = async (registryUrl = '') => {
    const env = { SIBYL_HOME: home, ORACLE_ENTITY_DID: entity.did, REGISTRY_URL: registryUrl }
    return checkRegistry(await contextOf({ env }))
  }
  return { firstPort, firstUrl: first.url, start, look: check }
}

test('finds the entity at a devnet that changed ports, with and without REGISTRY_URL', async () => {
  const at = await registered()
  await at.start(await reservePort())
  for (const url of [undefined, at.firstUrl, `http://127.0.0.1:${at.firstPort}`]) {
    expect(inShort(await at.look(url))).toEqual([
      'ok entity its entity resolves at the devnet on this computer',
      'ok registered-url the registry lists it at http://localhost:3000, its address',
    ])
  }
})

test('reports that the devnet does not run, whatever is at its port now', async () => {
  const at = await registered()
  const notRunning = {
    state: 'warn',
    check: 'entity',
    message: 'The devnet on this computer is not running, so its entities cannot be checked.',
    fix: 'Start it: sibyl devnet',
  }
  for (const url of [undefined, at.firstUrl]) expect(await at.look(url)).toMatchObject([notRunning])
  await serveAnswers({}, {}, at.firstPort)
  for (const url of [undefined, at.firstUrl]) expect(await at.look(url)).toMatchObject([notRunning])
})

test('names the running devnet if REGISTRY_URL has another port', async () => {
  const at = await registered()
  const { url } = await at.start(await reservePort())
  expect(await at.look(`http://localhost:${await reservePort()}`)).toMatchObject([
    {
      message: expect.stringMatching(
        /^The registry at .* does not respond \(ECONNREFUSED\), so its entities cannot be checked\.$/,
      ),
      fix: `Set REGISTRY_URL=${url}, or remove it: the devnet on this computer runs there.`,
    },
  ])
})
