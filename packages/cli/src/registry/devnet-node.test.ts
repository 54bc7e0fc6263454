import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { reservePort } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import { startDevnet as startDevnetProcess } from '../commands/devnet/devnet-process.test.helper.ts'
import { makeKeys, writeKeys } from '../devnet/devnet-keys.ts'
import { controllerFor } from './controller-for.ts'
import { openRegistry } from './open-registry.ts'
import { openRegistryNode } from './open-registry-node.ts'
import type { RegistryNode } from './registry-node.ts'
import { temporaryFolder } from './registry-project.test.helper.ts'

const computer = (home = temporaryFolder(), env: Record<string, string> = {}) => {
  const { io } = new FakeTerminal({ SIBYL_HOME: home, ...env }, false)
  const reported: string[] = []
  const open = async (): Promise<RegistryNode> => {
    const node = await openRegistryNode('devnet', io, { report: line => reported.push(line) })
    onTestFinished(() => node.close())
    return node
  }
  const register = async (node: RegistryNode) => {
    const opened = await openRegistry(node, await controllerFor(undefined, node, undefined, io))
    return { opened, made: await opened.registry.create({ type: 'CookStove' }) }
  }
  return { home, io, told: reported, open, register }
}

/** Starts a server on this computer that is not a devnet. */
const program = async (): Promise<number> => {
  const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('starts a devnet if none runs, uses a running one, and keeps its data', async () => {
  const { home, told, open, register } = computer()
  const first = await open()
  expect(first).toMatchObject({ network: 'devnet', title: 'the devnet on this computer', startedHere: true })
  const { made } = await register(first)
  const second = await open()
  expect([second.startedHere, second.url, second.did]).toEqual([false, first.url, first.did])
  expect(told).toEqual(['Starting a devnet on this computer …'])
  await first.close()
  await first.close()
  const { opened } = await register(second)
  expect(await opened.registry.get(made.entity.did)).toEqual(made)
  expect(told).toHaveLength(2)
  await second.close()
  expect(existsSync(join(home, 'devnet', 'running.json'))).toBe(false)
})

test('two concurrent opens share one', async () => {
  const { open, register } = computer()
  const nodes = await Promise.all([open(), open(), open()])
  expect(nodes.filter(({ startedHere }) => startedHere)).toHaveLength(1)
  expect(new Set(nodes.map(({ url, did }) => `${url} ${did}`)).size).toBe(1)
  await Promise.all(nodes.map(register))
})

test('uses a devnet of another process, also on a port other than its first', { tags: 'long' }, async () => {
  const { home, open, register } = computer()
  const node = await open()
  await node.close()
  const running = startDevnetProcess(home, ['--port', '0'])
  const { url, signer } = await running.started()
  const used = await open()
  expect([used.startedHere, used.url, used.did]).toEqual([false, url, signer])
  expect(url).not.toBe(node.url)
  await register(used)
  await running.kill('SIGTERM')
  await register(used)
  expect(JSON.parse(readFileSync(join(home, 'devnet', 'running.json'), 'utf8'))).not.toEqual({ url })
})

test('finds a devnet on another port if REGISTRY_URL has that of its first start, and keeps its DIDs', {
  tags: 'long',
}, async () => {
  const { home, open, register } = computer()
  const first = await open()
  const { made } = await register(first)
  await first.close()
  const running = startDevnetProcess(home, ['--port', '0'])
  const { url } = await running.started()
  const moved = computer(home, { REGISTRY_URL: first.url })
  const node = await moved.open()
  expect([node.startedHere, node.url]).toEqual([false, url])
  const { opened } = await moved.register(node)
  expect(await opened.registry.get(made.entity.did)).toEqual(made)
  const elsewhere = computer(home, { REGISTRY_URL: `http://localhost:${await reservePort()}` })
  await expect(elsewhere.open()).rejects.toMatchObject({ code: 'registry_unavailable' })
  await running.kill('SIGTERM')
})

test('tells another program on its port apart, and starts the devnet next to it', async () => {
  const { home, open, register } = computer()
  const port = await program()
  const folder = join(home, 'devnet')
  mkdirSync(folder, { mode: 0o700 })
  await writeKeys(folder, makeKeys(port))
  writeFileSync(join(folder, 'running.json'), JSON.stringify({ url: `http://localhost:${port}` }))
  const beside = await open()
  expect([beside.startedHere, beside.url === `http://localhost:${port}`]).toEqual([true, false])
  const { made } = await register(beside)
  expect(made.entity.did).toContain(`localhost%3A${port}:`)
})

test('tells apart a devnet of another user that takes its port meanwhile', async () => {
  const port = await reservePort()
  const [mine, other] = [computer(), computer()]
  for (const { home } of [mine, other]) {
    mkdirSync(join(home, 'devnet'), { mode: 0o700 })
    await writeKeys(join(home, 'devnet'), makeKeys(port))
  }
  const [first, early, late] = [await mine.open(), await mine.open(), await mine.open()]
  const { opened } = await mine.register(early)
  await first.close()
  expect((await other.open()).url).toBe(first.url)
  expect((await opened.registry.create({ type: 'CookStove' })).entity.controller).toBe(opened.controller.did)
  expect((await mine.register(late)).made.entity.controller).toBe(opened.controller.did)
})

test('ignores a devnet of another user, and invalid notes', async () => {
  const [mine, other] = [computer(), computer()]
  const theirs = await other.open()
  const first = await mine.open()
  const path = join(mine.home, 'devnet', 'running.json')
  await first.close()
  for (const note of [JSON.stringify({ url: theirs.url }), '{', '{"url":"http://elsewhere.example"}', '[]']) {
    writeFileSync(path, note)
    const again = await mine.open()
    expect([again.startedHere, again.did]).toEqual([true, first.did])
    await again.close()
  }
})
