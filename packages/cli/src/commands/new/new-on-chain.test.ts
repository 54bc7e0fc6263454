/** @module-tag long */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createMnemonic, parseMnemonic } from '@sibyl/identity'
import { openIxoRegistry } from '@sibyl/registry-ixo'
import { type ChainNodeProcess, startChainNode } from '@sibyl/registry-ixo/testing/chain-node'
import { reservePort } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openHomeFolder } from '../../home/home-folder.ts'
import { run } from '../../main.ts'
import { fakePackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { keepSigningPort } from '../../signing/listen.ts'
import { Phone } from '../../signing/phone.test.helper.ts'
import { SigningTerminal } from '../../signing/signing-terminal.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { callNew, standInWorld, temporaryPlace } from './new.test.helper.ts'

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

test('without funds it shows its account, keeps the mnemonic, and continues with both', async () => {
  const { sibylNew, inHome, work } = await openPlace()
  const first = await sibylNew()
  expect(first.code).toBe(1)
  const address = accountIn(first.errors)
  expect(first.errors.split('\n').slice(-3, -1)).toEqual([
    `sibyl: The account ${address} on pandora-8 does not exist yet. Send it some uixo, and try again.`,
    `       Its mnemonic is stored, and nothing was written. When it has funds, continue with the same command: sibyl new '${work}/field-oracle'`,
  ])
  expect(inHome('unfinished')).toEqual([expect.stringMatching(/\.json$/)])

  await node.send({ do: 'fund', address, amount: '10' })
  expect(accountIn((await sibylNew()).errors)).toBe(address)

  await node.send({ do: 'fund', address, amount: '1000000' })
  const { code, text, errors } = await sibylNew('--json')
  expect([code, errors]).toEqual([0, expect.stringContaining('Continuing the run of ')])
  expect(JSON.parse(text)).toMatchObject({
    resumed: true,
    entityDid: expect.stringMatching(/^did:ixo:entity:/),
    registry: node.url,
  })
  expect(readFileSync(join(work, 'field-oracle/.env'), 'utf8')).toContain('/an-api-key')
  expect([inHome('unfinished'), inHome('chain-journal')]).toEqual([[], []])
})

test('with --mnemonic-file the same command continues, and another mnemonic is rejected', async () => {
  const { sibylNew, work } = await openPlace()
  const give = (name: string) => {
    writeFileSync(join(work, name), createMnemonic(24).reveal())
    return ['--mnemonic-file', name]
  }
  const [own, other] = [give('own'), give('other')]
  const address = accountIn((await sibylNew(...own)).errors)
  expect(await sibylNew(...other)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('may have registered the oracle with another mnemonic.'),
  })
  await node.send({ do: 'fund', address, amount: '1000000' })
  const { code, text } = await sibylNew(...own, '--json')
  expect([code, JSON.parse(text).resumed]).toEqual([0, true])
})

test('a phone is the controller, and the account of the mnemonic pays', async () => {
  const place = temporaryPlace()
  await fakePackages(place.packages)
  await openHomeFolder(place.home)
  await keepSigningPort(place.home, await reservePort())
  const env = { ...place.env, CHAIN_RPC_URL: node.url }
  const flags = ['--auth', 'qr', '--network', 'testnet', '--yes', '--json']
  const open = () => {
    const terminal = new SigningTerminal(env)
    return { terminal, done: run(['new', 'x', ...flags], { ...terminal.io, cwd: place.work }) }
  }
  const first = open()
  const phone = new Phone(await first.terminal.link())
  const facts = await phone.open()
  expect(facts).toMatchObject({ abilities: ['entities/*'], registry: { did: 'ixo:testnet' } })
  await phone.sign()
  expect(await first.done).toBe(1)
  const address = accountIn(first.terminal.text)
  await node.send({ do: 'fund', address, amount: '1000000' })

  const second = open()
  expect(await second.done, second.terminal.text).toBe(0)
  expect(second.terminal.text).toContain('has authorized this computer until')
  const { entityDid } = JSON.parse(second.terminal.terminal.text)
  const settings = parseEnv(readFileSync(join(place.work, 'x/.env'), 'utf8'))
  expect(settings.ORACLE_CONTROLLERS?.split(',')[0]).toBe(phone.key.did)
  const mnemonic = parseMnemonic(settings.ORACLE_MNEMONIC ?? '')
  if (!mnemonic.ok) return expect.unreachable()
  const registry = await openIxoRegistry({ rpcUrl: node.url, mnemonic: mnemonic.mnemonic })
  expect(registry.address).toBe(address)
  expect((await registry.get(entityDid))?.entity.controller).toBe(phone.key.did)
})

test('--fresh uses another account, and keeps the mnemonic of the previous one', async () => {
  const { sibylNew, inHome, home } = await openPlace()
  const address = accountIn((await sibylNew()).errors)
  const record = () => inHome('unfinished').find(name => !name.includes('forgotten')) ?? expect.unreachable()
  const { mnemonic } = JSON.parse(readFileSync(join(home, 'unfinished', record()), 'utf8'))
  const { errors } = await sibylNew('--fresh')
  const [, kept = ''] = /stays in (.+\.json),/.exec(errors) ?? expect.unreachable(errors)
  expect(readFileSync(kept, 'utf8')).toContain(mnemonic)
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  expect(accountIn(errors)).not.toBe(address)
  expect(inHome('unfinished')).toHaveLength(2)
})

test('the address of the chain is shown without its path', async () => {
  const { sibylNew } = await openPlace()
  expect((await sibylNew('--dry-run')).text).toContain(`Registered at the testnet (${new URL(node.url).host}):`)
  expect(JSON.parse((await sibylNew('--dry-run', '--json')).text).registration.at).toEqual({
    network: 'testnet',
    title: 'the testnet',
    url: node.url,
  })
  const { effects } = standInWorld({ openNode: async () => Promise.reject(cliErrors.configuration_invalid('No.', '')) })
  const answers = {
    'How will you sign?': 'Key on',
    'Which model answers?': 'offline',
    'Create X?': 'Create it',
  }
  const env = { CHAIN_RPC_URL: 'https://rpc.example.org/an-api-key' }
  const { terminal, done } = callNew(temporaryPlace(), effects, { dir: 'x', network: 'testnet', answers, env })
  await expect(done).rejects.toThrow('No.')
  expect(terminal.text).toContain('sibyl new x --auth mnemonic --network testnet')
  expect(terminal.text).not.toContain('an-api-key')
})
