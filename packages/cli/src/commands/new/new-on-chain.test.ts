import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChainNodeProcess, startChainNode } from '@sibyl/registry-ixo/testing/chain-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../main.ts'
import { fakePackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { temporaryPlace } from './new.test.helper.ts'

let node: ChainNodeProcess
beforeAll(async () => {
  node = await startChainNode()
})
afterAll(() => node.stop())

const openPlace = async () => {
  const place = temporaryPlace()
  await fakePackages(place.packages)
  const sibylNew = async (...args: string[]) => {
    const terminal = new FakeTerminal({ ...place.env, CHAIN_RPC_URL: `${node.url}/an-api-key` }, false, 80, place.work)
    terminal.stdin.end()
    const code = await run(['new', 'field-oracle', '--network', 'testnet', '--yes', ...args], terminal.io)
    expect(terminal.text + terminal.errors).not.toContain('an-api-key')
    return { code, text: terminal.text, errors: terminal.errors }
  }
  const inHome = (folder: string) => readdirSync(join(place.home, folder))
  return { ...place, sibylNew, inHome }
}

const accountIn = (text: string): string => /\bixo1\w+/.exec(text)?.[0] ?? expect.unreachable(text)

test('without funds it names its account, keeps the words, and goes on with both', async () => {
  const { sibylNew, inHome, work } = await openPlace()
  const first = await sibylNew()
  expect(first.code).toBe(1)
  const address = accountIn(first.errors)
  expect(first.errors.split('\n').slice(-3, -1)).toEqual([
    `sibyl: The account ${address} on pandora-8 is not there yet. Send it some uixo, and try again.`,
    `       Its words are kept, and nothing was written. Once it has funds, the same command goes on: sibyl new '${work}/field-oracle'`,
  ])
  expect(inHome('unfinished')).toEqual([expect.stringMatching(/\.json$/)])

  await node.tell({ do: 'fund', address, amount: '10' })
  expect(accountIn((await sibylNew()).errors)).toBe(address)

  await node.tell({ do: 'fund', address, amount: '1000000' })
  const { code, text, errors } = await sibylNew('--json')
  expect([code, errors]).toEqual([0, expect.stringContaining('Going on with the run of ')])
  expect(JSON.parse(text)).toMatchObject({
    resumed: true,
    entityDid: expect.stringMatching(/^did:ixo:entity:/),
    registry: node.url,
  })
  expect(readFileSync(join(work, 'field-oracle/.env'), 'utf8')).toContain('/an-api-key')
  expect([inHome('unfinished'), inHome('chain-journal')]).toEqual([[], []])
}, 60_000)
