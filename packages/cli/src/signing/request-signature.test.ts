import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createSigningKey, createVerifier, mintDelegation, mintInvocation } from '@sibyl/identity'
import { afterEach, expect, test } from 'vitest'
import { ScriptedAsker } from '../ask/asker.test.helper.ts'
import { signFacts } from './page/sign.ts'
import { Phone } from './phone.test.helper.ts'
import { requestSignature, type SigningOptions } from './request-signature.ts'
import { signingPlace } from './signing-place.ts'
import { answerText, type SigningFacts } from './signing-protocol.ts'
import { SigningScreen } from './signing-screen.ts'
import type { SigningRequest } from './signing-session.ts'
import { signingHome, signingRequest } from './signing-setting.test.helper.ts'
import { SigningTerminal } from './signing-terminal.test.helper.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const start = async (
  request: Partial<SigningRequest> = {},
  options: SigningOptions & { answer?: boolean; columns?: number } = {},
) => {
  const { home, port, remove } = await signingHome()
  cleanups.push(remove)
  const terminal = new SigningTerminal({ SIBYL_HOME: home }, options.columns)
  const asker = options.answer === undefined ? undefined : new ScriptedAsker({ 'Does your phone show': options.answer })
  const asked = signingRequest(request)
  const signed = requestSignature(asked, terminal.io, asker, { host: '127.0.0.1', ...options })
  signed.catch(() => {})
  return { home, port, terminal, asked, asker, signed, link: await terminal.link() }
}

test('the signature of the phone authorizes this computer at the registry, and nowhere else', async () => {
  const before = Math.floor(Date.now() / 1000)
  const { signed, link, asked } = await start({ about: 'Field Oracle' })
  const phone = new Phone(link)
  expect(await phone.sign()).toBe('signed')
  const { did, delegation, expiresAt } = await signed
  expect(did).toBe(phone.key.did)
  expect(expiresAt).toBeGreaterThanOrEqual(before + asked.lifetimeSeconds)
  expect(expiresAt).toBeLessThanOrEqual(Date.now() / 1000 + asked.lifetimeSeconds)
  const audience = asked.registry.did
  const verifier = createVerifier({
    audience: [audience],
    rootIssuers: () => ({ access: 'delegated', roots: [phone.key.did] }),
  })
  const verdict = await verifier.verifyDelegation(delegation, asked.audience)
  expect(verdict).toMatchObject({
    ok: true,
    delegation: {
      issuer: did,
      capabilities: ['entities/*', 'auth/impersonate'].map(ability => ({ resource: `oracle:${audience}`, ability })),
      expiresAt,
    },
  })
})

test('a computer with the delegation can act on it', async () => {
  const key = createSigningKey()
  const { signed, link, asked } = await start({ audience: key.did })
  const phone = new Phone(link)
  await phone.sign()
  const { delegation } = await signed
  const audience = asked.registry.did
  const resource = `oracle:${audience}`
  const abilities = ['entities/write', 'auth/impersonate']
  const token = await mintInvocation({ key, audience, resource, abilities, proofs: [delegation] })
  const verifier = createVerifier({
    audience: [audience],
    rootIssuers: () => ({ access: 'delegated', roots: [phone.key.did] }),
  })
  expect(await verifier.verify(token, { resource, ability: 'entities/write' })).toMatchObject({
    ok: true,
    invocation: { issuer: key.did, actor: phone.key.did },
  })
})

test('shows the fingerprint and asks for it if no key is expected', async () => {
  const { signed, link, asker, terminal } = await start({}, { answer: true })
  await new Phone(link).sign()
  await signed
  const [, fingerprint] = await terminal.until(/The phone must show {2}(\d{4} \d{4} \d{4} \d{4})/)
  expect(asker?.said).toEqual([`Does your phone show ${fingerprint}?`])
})

test('another number on the phone is another device, and nothing of it is stored', async () => {
  const { signed, link } = await start({}, { answer: false })
  await new Phone(link).sign()
  await expect(signed).rejects.toMatchObject({ code: 'signing_refused', message: /another device signed/ })
})

test('Enter alone does not confirm the numbers', async () => {
  const { home, remove } = await signingHome()
  cleanups.push(remove)
  const terminal = new SigningTerminal({ SIBYL_HOME: home })
  const asker = Object.assign(new ScriptedAsker(), { confirm: async (_: string, initial = true) => initial })
  const signed = requestSignature(signingRequest(), terminal.io, asker, { host: '127.0.0.1' })
  signed.catch(() => {})
  await new Phone(await terminal.link()).sign()
  await expect(signed).rejects.toMatchObject({ code: 'signing_refused' })
})

test('an expected key needs no confirmation', async () => {
  const key = createSigningKey()
  const { signed, link, asker } = await start({ expectedDid: key.did }, { answer: false })
  await new Phone(link, key).sign()
  expect((await signed).did).toBe(key.did)
  expect(asker?.said).toEqual([])
})

test('a key other than the expected one ends it on both screens', async () => {
  const { signed, link } = await start({ expectedDid: createSigningKey().did })
  const phone = new Phone(link)
  const watching = phone.computer.claim().then(() => phone.computer.watch())
  await phone.computer.claim()
  expect(await phone.computer.nameKey(phone.key.did)).toBe('wrong-device')
  expect(await watching).toBe('wrong-device')
  await expect(signed).rejects.toMatchObject({ code: 'signing_wrong_device', exitCode: 1 })
})

test('the phone declines', async () => {
  const { signed, link } = await start()
  const phone = new Phone(link)
  await phone.open()
  expect(await phone.computer.refuse()).toBe('refused')
  await expect(signed).rejects.toMatchObject({ code: 'signing_refused', exitCode: 1, message: /The phone refused/ })
})

test('a timeout without a signature', async () => {
  const { signed } = await start({}, { validSeconds: 0.05 })
  await expect(signed).rejects.toMatchObject({ code: 'signing_expired', exitCode: 1 })
})

test('Ctrl-C at the computer is shown on the phone, and the port is free again', async () => {
  const { signed, link, terminal, port } = await start()
  const phone = new Phone(link)
  await phone.open()
  const watching = phone.computer.watch()
  terminal.terminal.interrupt()
  expect(await watching).toBe('cancelled')
  await expect(signed).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await expect(phone.computer.watch()).rejects.toMatchObject({ code: 'offline' })
})

test('the first device gets the request; a second one learns that, and cannot end it', async () => {
  const { signed, link, terminal } = await start()
  const first = new Phone(link)
  await first.open()
  const second = new Phone(link)
  for (const attempt of [
    () => second.computer.claim(),
    () => second.computer.nameKey(second.key.did),
    () => second.computer.refuse(),
    () => second.computer.watch(),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'signing_taken' })
  }
  await terminal.until(/A second device also opened the link; it cannot sign\./)
  expect(await first.sign()).toBe('signed')
  expect((await signed).did).toBe(first.key.did)
})

test('a request accepts one answer', async () => {
  const { signed, link } = await start()
  const phone = new Phone(link)
  const facts = await phone.open()
  const answers = [await signFacts(facts, phone.key), await signFacts(facts, phone.key)]
  const states = await Promise.all(answers.map(answer => phone.computer.sign(answer).catch(() => 'too late')))
  expect(states).toContain('signed')
  expect(answers.map(({ delegation }) => delegation)).toContain((await signed).delegation)
})

type Forgery = (facts: SigningFacts, phone: Phone) => ReturnType<typeof signFacts>

test.each<[string, RegExp, Forgery]>([
  [
    'for another audience',
    /wrong_audience/,
    (facts, { key }) => signFacts({ ...facts, audience: key.did }, key).then(resign(facts, key)),
  ],
  [
    'with more abilities',
    /allows other abilities/,
    (facts, { key }) => signFacts({ ...facts, abilities: ['*'] }, key).then(resign(facts, key)),
  ],
  [
    'with fewer abilities',
    /allows other abilities/,
    (facts, { key }) => signFacts({ ...facts, abilities: ['entities/read'] }, key).then(resign(facts, key)),
  ],
  [
    'for another registry',
    /allows other abilities/,
    (facts, { key }) =>
      signFacts({ ...facts, registry: { ...facts.registry, did: key.did } }, key).then(resign(facts, key)),
  ],
  [
    'under another title',
    /has other facts/,
    (facts, { key }) =>
      signFacts({ ...facts, registry: { ...facts.registry, title: 'x' } }, key).then(resign(facts, key)),
  ],
  [
    'for longer',
    /another time/,
    (facts, { key }) => signFacts({ ...facts, until: facts.until + 60 }, key).then(resign(facts, key)),
  ],
  [
    'for another challenge',
    /challenge is not signed/,
    (facts, { key }) => signFacts({ ...facts, challenge: '0'.repeat(32) }, key),
  ],
  [
    'for another origin',
    /challenge is not signed/,
    (facts, { key }) => signFacts({ ...facts, origin: 'http://evil.example' }, key),
  ],
  [
    'for another request',
    /challenge is not signed/,
    (facts, { key }) => signFacts({ ...facts, id: 'AAAAAAAAAAA' }, key),
  ],
  ['by another key', /challenge is not signed/, facts => signFacts(facts, createSigningKey())],
  [
    'that rests on another',
    /depends on other delegations/,
    async (facts, { key }) => {
      const root = createSigningKey()
      const resource = `oracle:${facts.registry.did}`
      const grant = {
        resource,
        abilities: facts.abilities,
        lifetimeSeconds: facts.until - facts.from,
        now: () => facts.from * 1000,
      }
      const proof = await mintDelegation({ ...grant, key: root, audience: key.did })
      const delegation = await mintDelegation({ ...grant, key, audience: facts.audience, proofs: [proof] })
      return resign(facts, key)({ delegation, signature: '' })
    },
  ],
])('a signature %s is rejected', async (_, reason, forge) => {
  const { signed, link } = await start()
  const phone = new Phone(link)
  const facts = await phone.open()
  expect(await phone.computer.sign(await forge(facts, phone))).toBe('invalid')
  await expect(signed).rejects.toMatchObject({ code: 'signing_invalid', message: reason })
})

/** Signs the right challenge for a wrong delegation. */
const resign =
  (facts: SigningFacts, key: Phone['key']) =>
  async ({ delegation }: { delegation: string; signature: string }) => {
    const signature = Buffer.from(await key.sign(Buffer.from(answerText(facts, delegation)))).toString('hex')
    return { delegation, signature }
  }

test('the port stays the same; at another one nothing changes until a phone has signed there', async () => {
  const first = await start()
  expect(Number(first.link.port)).toBe(first.port)
  expect(first.terminal.text).not.toContain('is taken')
  const keptPort = async () => JSON.parse(await readFile(join(first.home, 'signing-port.json'), 'utf8')).port
  const beside = async () => {
    const terminal = new SigningTerminal({ SIBYL_HOME: first.home }, 200)
    const signed = requestSignature(signingRequest(), terminal.io, undefined, { host: '127.0.0.1' })
    signed.catch(() => {})
    const link = await terminal.link()
    expect(link.port).not.toBe(first.link.port)
    expect(terminal.text).toMatch(new RegExp(`Port ${first.port} is in use, .* using ${link.port}`))
    return { terminal, signed, link }
  }
  const ended = await beside()
  ended.terminal.terminal.interrupt()
  await expect(ended.signed).rejects.toMatchObject({ code: 'interrupted' })
  expect(await keptPort()).toBe(first.port)
  const used = await beside()
  await new Phone(used.link).sign()
  await used.signed
  expect(await keptPort()).toBe(Number(used.link.port))
})

test('reports a tunnel to a port of another program', async () => {
  const { home, port } = await start()
  const { io } = new SigningTerminal({ SIBYL_HOME: home })
  await expect(
    requestSignature(signingRequest(), io, undefined, { url: 'https://sign.example.org' }),
  ).rejects.toMatchObject({
    code: 'signing_offline',
    message: expect.stringContaining(`Port ${port}, the target of the tunnel`),
  })
})

test('behind a tunnel it is served under the name of the tunnel, and listens on this computer only', async () => {
  const { link, port, terminal } = await start({}, { url: 'https://sign.example.org' })
  expect(link.origin).toBe('https://sign.example.org')
  const statusUnder = async (host: string) => {
    const request = get({ host: '127.0.0.1', port, path: link.pathname, headers: { host } })
    const [response] = await once(request, 'response')
    response.resume()
    return response.statusCode
  }
  expect(await statusUnder('sign.example.org')).toBe(200)
  expect(await statusUnder(`127.0.0.1:${port}`)).toBe(421)
  terminal.terminal.interrupt()
})

test('reports an address that is not this computer', async () => {
  const { home, remove } = await signingHome()
  cleanups.push(remove)
  const { io } = new SigningTerminal({ SIBYL_HOME: home, SIBYL_SIGNING_HOST: '203.0.113.77' })
  await expect(requestSignature(signingRequest(), io)).rejects.toMatchObject({
    code: 'signing_offline',
    exitCode: 4,
    message: 'This computer cannot listen at 203.0.113.77 (EADDRNOTAVAIL).',
  })
})

test('without a terminal it prints only the link, and no countdown', async () => {
  const { home, remove } = await signingHome()
  cleanups.push(remove)
  const plain = new SigningTerminal({ SIBYL_HOME: home }, 80, false)
  const signed = requestSignature(signingRequest(), plain.io, undefined, { host: '127.0.0.1' })
  await new Phone(await plain.link()).sign()
  await signed
  expect(plain.text).not.toMatch(/[█▀▄]|Ctrl-C/)
  expect(plain.text).toContain('the first device that opens the link signs')
})

test('without color a code may be dark on light, which is noted', async () => {
  const { home, remove } = await signingHome()
  cleanups.push(remove)
  const facts = {
    ...signingRequest(),
    id: 'AAAAAAAAAAA',
    challenge: '0'.repeat(32),
    origin: 'http://192.168.1.5:4180',
    from: 0,
    until: 3_600,
  }
  const shown = async (env: Record<string, string>) => {
    const terminal = new SigningTerminal({ SIBYL_HOME: home, ...env }, 200)
    const place = signingPlace(terminal.io, { host: '192.168.1.5' })
    new SigningScreen(terminal.io).show('http://192.168.1.5:4180/AAAAAAAAAAA#abcdefghijklmnopqrstuv', facts, place)
    await terminal.link()
    return terminal
  }
  expect((await shown({ NO_COLOR: '1' })).text).toContain('unset NO_COLOR')
  expect((await shown({ NO_COLOR: '' })).text).not.toContain('NO_COLOR')
})
