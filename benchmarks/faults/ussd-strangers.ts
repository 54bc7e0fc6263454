// Strangers try to get into the sessions of others and at the operator's routes: they get nothing of theirs, and move none.
import { randomBytes } from 'node:crypto'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { gatewaySettings } from './ussd/gateway-settings.ts'
import { attemptKinds, makeAttempt } from './ussd-strangers/attempts.ts'
import { readSessions } from './ussd-strangers/read-sessions.ts'
import { sendAttempt } from './ussd-strangers/send-attempt.ts'
import { openVictims } from './ussd-strangers/victims.ts'

const atOnce = 32

await runFault({
  name: 'ussd-strangers',
  count: 100_000,
  quick: 700,
  defences: ['ussd-phone-in-key', 'ussd-operator-lock'],
  async run(fault) {
    await using database = await openFaultDatabase(fault, 'sqlite')
    const file = database.url.slice('file:'.length)
    const token = randomBytes(24).toString('hex')
    await using oracle = await startOracle({
      file: 'ussd/oracle.ts',
      without: fault.without,
      env: {
        ...gatewaySettings(database.url),
        USSD_OPERATOR_TOKEN: token,
        USSD_SESSION_TTL_SECONDS: '86400',
        TRUST_PROXY_ENABLED: 'true',
      },
    })
    const victims = await openVictims(oracle.url)
    const before = readSessions(file)

    const kinds: Record<string, number> = {}
    const statuses: Record<string, number> = {}
    const reported: string[] = []
    const odd: string[] = []
    let next = 0
    const work = async () => {
      for (let index = next++; index < fault.count; index = next++) {
        const attempt = makeAttempt({ index, victim: fault.random.pick(victims), token, random: fault.random })
        const answer = await sendAttempt(oracle.url, attempt)
        kinds[attempt.kind] = (kinds[attempt.kind] ?? 0) + 1
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        const sent = decodeURIComponent(attempt.path) + attempt.body
        const theirs = victims
          .flatMap(({ secrets }) => secrets)
          .find(one => answer.body.includes(one) && !sent.includes(one))
        if (theirs !== undefined) reported.push(`${attempt.kind} ${answer.status} ${answer.body.slice(0, 100)}`)
        if (answer.status >= 500) odd.push(`${attempt.kind} ${answer.status} ${attempt.path}`)
        if (attempt.locked && answer.status < 400) odd.push(`${attempt.kind} let through ${attempt.path}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))

    const after = readSessions(file)
    let disturbed = 0
    for (const { phone } of victims) {
      if ((await phone.repeat(oracle.url)) !== 'acknowledged') disturbed += 1
      else if ((await phone.turn(oracle.url)) !== 'acknowledged') disturbed += 1
    }
    fault.figure('sessions of others', victims.length)
    fault.figure('attempts', JSON.stringify(kinds))
    fault.atLeast('kinds of attempts', Object.keys(kinds).length, attemptKinds)
    fault.figure('answers', JSON.stringify(statuses))
    fault.figure('sessions of the strangers themselves', after.size - before.size)
    fault.atMost('attempts that were answered with anything of theirs', reported.length, 0)
    for (const one of reported.slice(0, 5)) fault.figure('answered', one)
    fault.atMost('sessions of theirs that moved', [...before].filter(([key, row]) => after.get(key) !== row).length, 0)
    fault.atMost('sessions of theirs that do not go on as they were', disturbed, 0)
    fault.atMost('answers that no stranger should get', odd.length, 0)
    for (const one of odd.slice(0, 5)) fault.figure('odd', one)
  },
})
