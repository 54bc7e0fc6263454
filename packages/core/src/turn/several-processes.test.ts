import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { openStorage } from '@sibyl/storage'
import { sharePostgres } from '@sibyl/storage/testing'
import { readStream, type StreamedEvent, streamReader } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { questionsOf } from '../testing/approval-questions.ts'
import { type SharedOracle, type SharedOracleOptions, startSharedOracle } from '../testing/start-shared-oracle.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const postgres = await sharePostgres()
const folder = temporaryFolder()
const journal = join(folder.path, 'journal.txt')
const common = {
  databaseUrl: (await postgres?.createDatabase()) ?? '',
  mnemonic: createMnemonic(12).reveal(),
  journal,
}
const key = createSigningKey()

/** Processes that no test runs on now. */
const idle: SharedOracle[] = []

afterAll(async () => {
  await Promise.all(idle.map(one => one[Symbol.asyncDispose]()))
  folder[Symbol.dispose]()
  await postgres?.stop()
})

const journalLines = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').filter(Boolean) : [])

/**
 * Returns three processes on one database with one user, and starts those that earlier tests ended. They record in a journal
 * the effects that must not repeat.
 */
const three = async (each: readonly Partial<SharedOracleOptions>[] = [{}, {}, {}]) => {
  const isPlain = (own: Partial<SharedOracleOptions>) => Object.keys(own).length === 0
  const processes = await Promise.all(
    each.map(async own => (isPlain(own) ? idle.shift() : undefined) ?? startSharedOracle({ ...common, ...own }, key)),
  )
  const sessionId = crypto.randomUUID()
  const before = journalLines().length
  return {
    all: processes as [SharedOracle, SharedOracle, SharedOracle],
    /** The path of the test's session under `/chat`. */
    path: `/chat/${sessionId}`,
    sendText: ({ actor }: SharedOracle, text: string, id: string = crypto.randomUUID()) =>
      actor.request('/chat', {
        json: { id: sessionId, message: { id, role: 'user', parts: [{ type: 'text', text }] } },
      }),
    session: async ({ actor }: SharedOracle) => (await actor.request(`/sessions/${sessionId}`)).json(),
    noted: (verb: string) =>
      journalLines()
        .slice(before)
        .filter(line => line.startsWith(`${verb} `)),
    async [Symbol.asyncDispose]() {
      await using storage = await openTurns(common.databaseUrl)
      for (const [index, one] of processes.entries()) {
        if (one.isRunning && isPlain(each[index] ?? {})) idle.push(one)
        else await one[Symbol.asyncDispose]()
      }
      // The next test reads the journal from here on.
      await expect.poll(storage.owing).toBe(0)
    },
  }
}

/** Returns the number of turns with pending hooks in the database. */
const openTurns = async (url: string) => {
  const storage = await openStorage<{ core_turns: { hooks_called: number } }>({ url })
  return {
    owing: async () =>
      (await storage.read.selectFrom('core_turns').select('hooks_called').where('hooks_called', '=', 0).execute())
        .length,
    [Symbol.asyncDispose]: () => storage.close(),
  }
}

/**
 * Retries a message until the turn of a crashed process is over: a busy machine detects the crash later than a request
 * waits.
 */
const untilFree = async (send: () => Promise<Response>) => {
  for (;;) {
    const response = await send()
    if (response.status !== 409) return readStream(response)
    await response.text()
  }
}

const numbersOf = (events: readonly StreamedEvent[]) => events.map(({ eventId }) => Number(eventId.split(':')[1]))

const wordsOf = (events: readonly StreamedEvent[]) => events.map(({ delta }) => delta ?? '').join('')

describe.skipIf(postgres === undefined)('three processes on one PostgreSQL', () => {
  test('a turn is followed event by event without delay', { tags: 'long' }, async () => {
    await using oracle = await three()
    const [one, two, three_] = oracle.all
    const first = await streamReader(oracle.sendText(one, 'count 4000 50'))
    await first.until('text-delta')
    const followers = await Promise.all(
      [two, three_].map(({ actor }) => streamReader(actor.request(`${oracle.path}/stream`))),
    )
    // A follower that polled the database would be up to a second, and so 20 events, behind the process of the turn: 10 in the middle.
    // A busy machine delays a single event as long.
    const lags = followers.map(async reader => {
      const behind: number[] = []
      while (behind.length < 30) {
        const [event] = numbersOf([(await reader.next())!])
        behind.push((numbersOf(first.events).at(-1) ?? 0) - (event ?? 0))
      }
      return behind.toSorted((a, b) => a - b)[behind.length / 2]
    })
    const owner = first.rest()
    for (const lag of await Promise.all(lags)) expect(lag).toBeLessThan(8)
    await one.actor.request(`${oracle.path}/stop`, { method: 'POST' })
    const [all, ...others] = await Promise.all([owner, ...followers.map(reader => reader.rest())])
    expect(all?.last?.type).toBe('abort')
    for (const { events } of others) expect(events).toEqual(all?.events)
  })

  test('stop, supersede and a decision reach a turn that runs elsewhere', async () => {
    await using oracle = await three()
    const [one, two, last] = oracle.all
    const stopped = await streamReader(oracle.sendText(one, 'hang', 'm1'))
    await stopped.until('text-delta')
    expect(await (await two.actor.request(`${oracle.path}/stop`, { method: 'POST' })).json()).toEqual({ stopped: true })
    expect((await stopped.rest()).last?.type).toBe('abort')

    const left = await streamReader(oracle.sendText(one, 'hang', 'm2'))
    await left.until('text-delta')
    expect((await oracle.sendText(two, 'too early')).status).toBe(409)
    await left.leave()
    const answer = async () => {
      const response = await oracle.sendText(two, 'and now', 'm3')
      return response.status === 200 ? (await readStream(response)).text : String(response.status)
    }
    await expect.poll(answer, { interval: 20 }).toBe('you said and now')

    const [question] = questionsOf(await readStream(await oracle.sendText(last, 'ask one')))
    const path = `${oracle.path}/approvals/${question?.approvalId}`
    const decided = await Promise.all(
      oracle.all.map(({ actor }) => actor.request(path, { json: { decision: 'once' } }).then(readStream)),
    )
    for (const one of decided) expect(one.text).toBe('done')
    expect(oracle.noted('ran').length).toBe(1)
    expect((await oracle.session(one)).messages.filter(({ role }: { role: string }) => role === 'user').length).toBe(4)
  })

  test('the follower crashes, then the process of the turn: another one continues, and the reader has the whole answer once', async () => {
    await using oracle = await three()
    const [runs, follows, survives] = oracle.all
    const first = await streamReader(oracle.sendText(runs, 'count 400 25', 'm1'))
    await first.until('text-delta')
    const follower = await streamReader(follows.actor.request(`${oracle.path}/stream`))
    await follower.until(({ delta }) => delta === 'w20 ')
    await follows.end('SIGKILL')
    while (await follower.next().catch(() => undefined));
    const seen = [...follower.events]
    const resume = (after: string | undefined) =>
      streamReader(survives.actor.request(`${oracle.path}/stream`, { headers: { 'last-event-id': after ?? '' } }))
    const second = await resume(seen.at(-1)?.eventId)
    await second.until(({ delta }) => delta === 'w80 ')
    await runs.end('SIGKILL')
    const rest = await second.rest()
    expect([rest.last?.type, rest.done]).toEqual(['finish', true])
    const resumed = rest.events.findIndex(({ type }) => type === 'data-resumed')
    expect(rest.events[resumed]?.data).toEqual({ after: 0 })
    const numbers = numbersOf([...seen, ...rest.events])
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    const whole = Array.from({ length: 400 }, (_, index) => `w${index} `).join('')
    expect(wordsOf(rest.events.slice(resumed))).toBe(whole)
    const again = await readStream(await oracle.sendText(survives, 'count 400 25', 'm1'))
    expect(again.text).toBe(whole)
    expect((await readStream(await oracle.sendText(survives, 'next', 'm2'))).text).toBe('you said next')
    const { messages } = await oracle.session(survives)
    expect(messages[1]).toMatchObject({ role: 'assistant', metadata: { outcome: 'done' } })
    await expect.poll(() => oracle.noted('after').toSorted()).toEqual(['after count 400 25 done', 'after next done'])
  })

  test('a write whose process is killed is not run again, its user is asked, and its hooks are called by one survivor', async () => {
    await using oracle = await three()
    const [killed, ...survivors] = oracle.all
    const reader = await streamReader(oracle.sendText(killed, 'write-and-hang one', 'm1'))
    await reader.until('data-begun')
    await killed.end('SIGKILL')
    const [question] = questionsOf(await readStream(await oracle.sendText(survivors[0]!, 'write-and-hang one', 'm1')))
    const path = `${oracle.path}/approvals/${question?.approvalId}`
    const again = await readStream(await survivors[1]!.actor.request(path, { json: { decision: 'deny' } }))
    expect([again.text, again.last?.type]).toEqual(['done', 'finish'])
    const next = (one: SharedOracle) => untilFree(() => oracle.sendText(one, 'write two', 'm2'))
    const answers = await Promise.all(survivors.map(next))
    for (const answer of answers) expect(answer.text).toBe('done')
    const { messages } = await oracle.session(survivors[0]!)
    const call = messages[1].parts.find((part: { toolCallId?: string }) => part.toolCallId !== undefined)
    expect(call.errorText).toMatch(/^Outcome unknown/)
    expect(oracle.noted('ran').map(line => line.split(' ')[1])).toEqual(['one', 'two'])
    const hooks = () => oracle.noted('after').toSorted()
    const ends = ['after write-and-hang one awaiting-approval', 'after write-and-hang one done']
    await expect.poll(hooks).toEqual(['after write two done', ...ends])
  })

  test('pending hooks of a killed process are called by one survivor', { tags: 'long' }, async () => {
    await using oracle = await three([{ hangsAfter: true }, {}, {}])
    const [killed] = oracle.all
    await readStream(await oracle.sendText(killed, 'hello'))
    await killed.end('SIGKILL')
    await expect.poll(() => oracle.noted('after')).toEqual(['after hello done'])
    await using storage = await openTurns(common.databaseUrl)
    await expect.poll(storage.owing).toBe(0)
    expect(oracle.noted('after')).toEqual(['after hello done'])
  })

  test('a rolling deploy of three processes interrupts no turn, also none that a job waits for', {
    tags: 'long',
  }, async () => {
    const env = { SHUTDOWN_GRACE_SECONDS: '0' }
    await using oracle = await three([{ env }, { env }, { env }])
    const count = 'count 80 50'
    const running = oracle.all.flatMap(({ actor }, at) =>
      [0, 1, 2, 3].map(async turn => {
        const id = `roll-${at}-${turn}`
        const reader = await streamReader(actor.request('/chat', { json: { id, message: count } }))
        await reader.until('text-delta')
        return { id, reader }
      }),
    )
    const turns = await Promise.all(running)
    await Promise.all(
      oracle.all.map(async ({ actor }, at) =>
        readStream(await actor.request('/chat', { json: { id: `later-${at}`, message: `later job-${at}` } })),
      ),
    )
    const started: SharedOracle[] = []
    await using _ = {
      [Symbol.asyncDispose]: async () => void (await Promise.all(started.map(one => one.end('SIGKILL')))),
    }
    for (const old of oracle.all) {
      started.push(await startSharedOracle({ ...common, env }, key))
      await old.end('SIGTERM')
    }
    for (const { id, reader } of turns) {
      const seen = await reader.rest().catch(() => reader)
      const headers = { 'last-event-id': seen.events.at(-1)?.eventId ?? '' }
      const rest =
        seen.events.at(-1)?.type === 'finish'
          ? []
          : (await readStream(await started[0]!.actor.request(`/chat/${id}/stream`, { headers }))).events
      expect(rest.at(-1)?.type ?? 'finish').toBe('finish')
      const session = await (await started[0]!.actor.request(`/sessions/${id}`)).json()
      expect(session.messages[1]).toMatchObject({ metadata: { outcome: 'done' } })
      const text = session.messages[1].parts.map((part: { text?: string }) => part.text ?? '').join('')
      expect(text.split(' ')).toHaveLength(81)
    }
    const answered = () => oracle.noted('answered').toSorted()
    await expect.poll(answered).toEqual([0, 1, 2].map(at => `answered job-${at} 1 81`))
    expect(oracle.noted('after').filter(line => !line.endsWith(' done'))).toEqual([])
  })

  test('a stalled process is not considered crashed immediately, and takes nothing back afterwards', {
    tags: 'long',
  }, async () => {
    await using oracle = await three()
    const [still, other] = oracle.all
    const reader = await streamReader(oracle.sendText(still, 'count 60 40', 'm1'))
    await reader.until('text-delta')
    still.signal('SIGSTOP')
    const early = await oracle.sendText(other, 'hello', 'm2')
    expect(early.status).toBe(409)
    still.signal('SIGCONT')
    const { last } = await reader.rest()
    expect(last?.type).toBe('finish')
  })

  test('a clock that is ten minutes off neither ends running turns of others nor keeps abandoned ones', {
    tags: 'long',
  }, async () => {
    await using oracle = await three([{}, { clockAheadMs: 600_000 }, { clockAheadMs: -600_000 }])
    const [right, ahead, behind] = oracle.all
    const health = (one: SharedOracle) =>
      one.actor.request('/health').then(async answer => [answer.status, await answer.json()])
    expect(await health(right)).toEqual([200, expect.not.objectContaining({ clock: expect.anything() })])
    for (const [wrong, offset] of [
      [ahead, / (600|599) s ahead/],
      [behind, / (600|601) s behind/],
    ] as const) {
      const clock = expect.stringMatching(offset)
      expect(await health(wrong)).toEqual([503, expect.objectContaining({ status: 'degraded', clock })])
    }
    const live = await streamReader(oracle.sendText(right, 'count 90 100', 'live'))
    for (const wrong of [ahead, behind]) {
      const request = wrong.actor.request('/chat', { json: { id: `of-${wrong.port}`, message: 'hang' } })
      await (await streamReader(request)).until('text-delta')
    }
    const { text, last } = await live.rest()
    expect([text.split(' ').length, last?.type]).toEqual([91, 'finish'])
    for (const wrong of [ahead, behind]) {
      const sessionId = `of-${wrong.port}`
      await wrong.end('SIGKILL')
      const next = await untilFree(() => right.actor.request('/chat', { json: { id: sessionId, message: 'hello' } }))
      expect(next.text).toBe('you said hello')
    }
  })
})
