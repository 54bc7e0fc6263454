import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { callSecret } from './start-provider.test.support.ts'

const bearerbox = '/usr/sbin/bearerbox'
const smsbox = '/usr/sbin/smsbox'
const fakesmsc = '/usr/lib/kannel/test/fakesmsc'

/** Debian's packages `kannel` and `kannel-extras`. */
export const isKannelInstalled = [bearerbox, smsbox, fakesmsc].every(path => existsSync(path))

/** Returns a port of loopback that nothing listens on just now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** A process whose lines can be waited for. */
const startProcess = (command: string, args: readonly string[]) => {
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout!, child.stderr!])
    createInterface({ input: stream }).on('line', line => {
      lines.push(line)
      for (const check of waiting) check()
    })
  return {
    lines,
    waitForText: (pattern: RegExp) =>
      new Promise<void>(resolve => {
        const check = () => {
          if (!lines.some(line => pattern.test(line))) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/**
 * Starts Kannel on loopback with a fake SMS center for a carrier.
 *
 * @param oracleUrl where its smsbox takes what phones write
 */
export const startKannel = async (oracleUrl: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-kannel-'))
  const [admin, boxes, carrier, sendsms] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const file = join(folder, 'kannel.conf')
  writeFileSync(
    file,
    `group = core
admin-port = ${admin}
admin-password = admin-password
smsbox-port = ${boxes}
box-allow-ip = 127.0.0.1
log-level = 0
dlr-storage = internal

group = smsc
smsc = fake
smsc-id = FAKE
port = ${carrier}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
log-level = 0
mo-recode = true

group = sendsms-user
username = sibyl
password = kannel-password
max-messages = 10
concatenation = true

group = sms-service
keyword = default
catch-all = true
max-messages = 0
omit-empty = true
get-url = "${oracleUrl}/sms/inbound/kannel?secret=${callSecret}&id=%I&from=%p&text=%a&charset=%C"
`,
  )
  const center = startProcess(bearerbox, [file])
  await center.waitForText(/MAIN: Start-up done/)
  const box = startProcess(smsbox, [file])
  await box.waitForText(/Started thread .*obey_request_thread|Connected to bearerbox/)
  await center.waitForText(/Client connected from <127\.0\.0\.1>/)
  const processes = [center, box]
  return {
    /** The settings of an oracle that sends by it. */
    env: {
      SMS_PROVIDER: 'kannel',
      SMS_FROM: '20880',
      KANNEL_BASE_URL: `http://127.0.0.1:${sendsms}`,
      KANNEL_USERNAME: 'sibyl',
      KANNEL_PASSWORD: 'kannel-password',
      SMS_INBOUND_SECRET: callSecret,
    },
    /** A phone that writes once; its lines say what it got. */
    async phone(from: string, text: string) {
      const args = ['-H', '127.0.0.1', '-r', String(carrier), '-i', '0.01', '-m', '1', `${from} 20880 text ${text}`]
      const phone = startProcess(fakesmsc, args)
      processes.push(phone)
      await phone.waitForText(/sent message 1/)
      return phone
    },
    async [Symbol.asyncDispose]() {
      for (const one of processes) await one.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
