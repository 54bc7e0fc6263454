import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../index.ts'
import { startPostgres } from '../testing/start-postgres.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.stop())

/** Returns what opening a database fails with. */
const failureOf = async (url: string) => {
  const opened = await openStorage({ url }).catch(
    (error: unknown) => error as { readonly facts?: { problem?: string } },
  )
  if ('close' in opened) await opened.close()
  return 'facts' in opened ? opened.facts?.problem : 'opened'
}

/** A server that does with each connection, after its first bytes, what a test says. */
const serverThat = async (answer: (socket: Socket) => void) => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  return `postgres://ada:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/db`
}

/** The packet of an error, as PostgreSQL sends it. */
const errorPacket = (code: string, message: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from('E'), length, fields])
}

test.each([
  ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "db", no encryption'],
  ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "db", SSL off'],
  ['08P01', 'connection is insecure (try using `sslmode=require`)'],
])('names TLS that the server requires: %s %s', async (code, message) => {
  const url = await serverThat(socket => socket.end(errorPacket(code, message)))
  expect(await failureOf(url)).toBe('requires TLS; add ?sslmode=require to DATABASE_URL')
})

test('still names a wrong password', async () => {
  const message = 'password authentication failed for user "ada"'
  const url = await serverThat(socket => socket.end(errorPacket('28P01', message)))
  expect(await failureOf(url)).toBe('rejected the user or the password')
})

test('names TLS that the server does not offer', async () => {
  const url = await serverThat(socket => socket.end('N'))
  expect(await failureOf(`${url}?sslmode=require`)).toMatch(/^does not offer TLS; .*sslmode=disable/)
})

test.skipIf(spawnSync('openssl', ['version']).error)('names a certificate that is not trusted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => join(folder, name)) as [string, string]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=127.0.0.1']
  execFileSync('openssl', made, { stdio: 'ignore' })
  const files = { key: readFileSync(key), cert: readFileSync(cert) }
  const url = await serverThat(socket => {
    socket.write('S')
    new TLSSocket(socket, { isServer: true, ...files }).on('error', () => {})
  })
  expect(await failureOf(`${url}?sslmode=require`)).toMatch(/^has a certificate that is not trusted; .*sslrootcert/)
})

test.skipIf(!postgres)('connects to a socket by a URL without a host', async () => {
  const url = await postgres!.createDatabase()
  expect(url).toContain('@localhost/')
  expect(await failureOf(url.replace('@localhost/', '@/'))).toBe('opened')
})
