// Ends the process of a turn at each of its events, and at each commit of its database; another process continues the turn.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { type StreamedEvent, streamReader, type TestActor } from '@sibyl/testing'
import { type Cut, isFinal, readOf, readUntilCut } from './continued-turns/read-turn.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'

const pay = [{ type: 'text', text: 'Pay both.' }]

const whole = 'Charge 1. Charge 2. Both are charged, in order.'

await runFault({
  name: 'continued-turns',
  count: 1,
  quick: 4,
  defences: ['writes-after-checkpoint', 'begun-calls-not-repeated', 'continued-events-numbered'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(trial) {
    const charges = new Map<string, number>()
    let onCharge = async (_: number): Promise<void> => {}
    const account = createServer(async (request, response) => {
      charges.set(request.url!, (charges.get(request.url!) ?? 0) + 1)
      await onCharge(Number(request.url!.split('/')[2]))
      response.end('charged')
    }).listen(0, '127.0.0.1')
    await once(account, 'listening')
    const address = `http://127.0.0.1:${(account.address() as AddressInfo).port}`
    await using database = await openFaultDatabase(trial, trial.choices.engine!)
    const env = { DATABASE_URL: database.url, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const person = createSigningKey()
    const isShared = trial.choices.engine === 'postgres'
    let turns = 0
    const start = (commit = 0) =>
      startOracle({
        file: 'continued-turns/charging-oracle.ts',
        args: [`${address}/${turns}`, String(commit)],
        env,
        without: trial.without,
      })
    const result = { cut: 0, doubled: 0, missing: 0, unfinished: 0, torn: 0 }

    /** Runs a turn whose process ends at a place; false if the turn ended before it. */
    const cutTurn = async (cut: Cut): Promise<boolean> => {
      turns += 1
      await using first = await start('commit' in cut ? cut.commit : 0)
      const other = isShared ? await start() : undefined
      const session = `s${turns}`
      const send = (actor: TestActor) =>
        actor.request('/chat', { json: { id: session, message: { id: 'm', role: 'user', parts: pay } } })
      onCharge = async charge => {
        if ('charge' in cut && charge === cut.charge && first.alive) await first.end('SIGKILL')
      }
      const seen = await readUntilCut(send(first.actor(person)), cut)
      const isCut = !first.alive || ('event' in cut && seen.length >= cut.event)
      await first.end('SIGKILL')
      await using next = other ?? (await start())
      const events = [...seen]
      const actor = next.actor(person)
      const last = seen.at(-1)?.eventId
      if (!isFinal(seen.at(-1))) {
        const answer = last
          ? await actor.request(`/chat/${session}/stream`, { headers: { 'last-event-id': last } })
          : await send(actor)
        const reader = await streamReader(answer)
        await reader.rest()
        events.push(...reader.events)
      }
      const { question, inputs } = readOf(events)
      if (question) {
        const { amount } = inputs.get(question.toolCallId) as { amount: number }
        const outcome = charges.has(`/${turns}/${amount}`) ? 'applied' : 'not applied'
        const path = `/chat/${session}/approvals/${question.approvalId}`
        const reader = await streamReader(actor.request(path, { json: { decision: 'once', data: { outcome } } }))
        await reader.rest()
        events.push(...reader.events)
      }
      judge(events)
      return isCut
    }

    const judge = (events: readonly StreamedEvent[]) => {
      const counts = [1, 2].map(amount => charges.get(`/${turns}/${amount}`) ?? 0)
      if (counts.some(count => count > 1)) result.doubled += 1
      const read = readOf(events)
      if (read.last?.type !== 'finish') result.unfinished += 1
      else if (read.text !== whole) result.torn += 1
      if (read.last?.type === 'finish' && counts.some(count => count === 0)) result.missing += 1
    }

    for (const charge of [1, 2]) if (await cutTurn({ charge })) result.cut += 1
    for (let event = 1; await cutTurn({ event }); event += trial.count) result.cut += 1
    if (!isShared) for (let commit = 1; await cutTurn({ commit }); commit += trial.count) result.cut += 1
    trial.atLeast('turns whose process ended', result.cut, 5)
    trial.atMost('charged twice', result.doubled, 0)
    trial.atMost('not charged', result.missing, 0)
    trial.atMost('turns that did not finish', result.unfinished, 0)
    trial.atMost('readers with a gap or a repeat', result.torn, 0)
    account.close()
  },
})
