import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createResolveName } from './resolve-name.ts'

const folder = mkdtempSync(join(tmpdir(), 'resolve-name-'))
const hostsFile = join(folder, 'hosts')
const resolvFile = join(folder, 'resolv.conf')
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Records {
  readonly 4?: readonly string[]
  readonly 6?: readonly string[]
}

const types = { 4: 1, 6: 28 } as const

/** A name server on loopback: names without records do not exist, `silent` ones get no answer. */
const nameServer = async (names: Readonly<Record<string, Records | 'silent'>>) => {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message: Buffer, { port, address }: RemoteInfo) => {
    const labels: string[] = []
    let at = 12
    for (; message[at] !== 0; at += 1 + message[at]!)
      labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!))
    const name = labels.join('.')
    const type = message.readUInt16BE(at + 1)
    asked.push(name)
    const records = names[name]
    if (records === 'silent') return
    const addresses = (type === types[4] ? records?.[4] : records?.[6]) ?? []
    const head = Buffer.alloc(12)
    message.copy(head, 0, 0, 2)
    head.writeUInt16BE(records ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(addresses.length, 6)
    const answers = addresses.map(bytes => {
      const data = Buffer.from(bytes, 'hex')
      const record = Buffer.from('c00c00000001000000000000', 'hex')
      record.writeUInt16BE(type, 2)
      record.writeUInt16BE(data.length, 10)
      return Buffer.concat([record, data])
    })
    socket.send(Buffer.concat([head, message.subarray(12, at + 5), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closing.push(() => socket.close())
  return { asked, servers: [`127.0.0.1:${socket.address().port}`] }
}

const one = '01020304'
const two = '05060708'
const six = '20010db8000000000000000000000001'

test('asks for addresses of both families', async () => {
  const { servers } = await nameServer({
    'both.test': { 4: [one, two], 6: [six] },
    'four.test': { 4: [one] },
    'six.test': { 6: [six] },
  })
  const resolve = createResolveName({ servers, hostsFile, resolvFile })
  const [first, second, third] = [
    { address: '1.2.3.4', family: 4 },
    { address: '5.6.7.8', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]
  expect(await resolve('both.test')).toEqual([first, second, third])
  expect(await resolve('Both.Test.')).toEqual([first, second, third])
  expect(await resolve('four.test')).toEqual([first])
  expect(await resolve('six.test')).toEqual([third])
  await expect(resolve('none.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('the hosts file comes before name servers, and localhost is this computer', async () => {
  const { asked, servers } = await nameServer({ 'pinned.test': { 4: [one] } })
  writeFileSync(
    hostsFile,
    '# 9.9.9.9 pinned.test\n10.0.0.7\tother Pinned.test # here\n::2 pinned.test\nnone pinned.test\n',
  )
  const resolve = createResolveName({ servers, hostsFile, resolvFile })
  expect(await resolve('pinned.test')).toEqual([
    { address: '10.0.0.7', family: 4 },
    { address: '::2', family: 6 },
  ])
  for (const name of ['localhost', 'a.localhost']) {
    expect((await resolve(name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
  }
  expect(asked).toEqual([])
})

test('a name that does not exist is looked for in the search domains, in their order', async () => {
  const { asked, servers } = await nameServer({ 'sms.b.internal': { 4: [one] }, 'sms.c.internal': { 4: [two] } })
  writeFileSync(
    resolvFile,
    'search x.internal\n; search y\nnameserver 127.0.0.1\nsearch a.internal b.internal c.internal\n',
  )
  const resolve = createResolveName({ servers, hostsFile, resolvFile })
  expect(await resolve('sms')).toEqual([{ address: '1.2.3.4', family: 4 }])
  expect([...new Set(asked)]).toEqual(['sms', 'sms.a.internal', 'sms.b.internal'])
  await expect(resolve('sms.')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('no more than 32 addresses of a name are used', async () => {
  const addresses = Array.from({ length: 28 }, (_, last) => `010203${last.toString(16).padStart(2, '0')}`)
  const { servers } = await nameServer({ 'many.test': { 4: addresses, 6: Array.from({ length: 10 }, () => six) } })
  expect(await createResolveName({ servers, hostsFile, resolvFile })('many.test')).toHaveLength(32)
})

test('names whose servers say nothing hold no thread and no other name, and end in time', async () => {
  const silent = Array.from({ length: 100 }, (_, index) => `n${index}.test`)
  const { asked, servers } = await nameServer({
    'here.test': { 4: [one] },
    ...Object.fromEntries(silent.map(name => [name, 'silent' as const])),
  })
  const resolve = createResolveName({ servers, hostsFile, resolvFile, timeLimitMs: 500 })
  const ends = Promise.allSettled(silent.map(resolve))
  while (new Set(asked).size < silent.length) await new Promise(setImmediate)
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap')
  expect(await createResolveName({ servers, hostsFile, resolvFile })('here.test')).toHaveLength(1)
  for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'EAI_AGAIN' } })
})
