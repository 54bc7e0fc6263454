import { sql } from '@sibyl/plugin/storage'
import { expect, test } from 'vitest'
import type { ActionContext, ActionResult, ActionScreen } from '../flow/flow.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { oneDatabase } from './one-database.test.helper.ts'
import { openLine, type Phone, type PhoneLineOptions } from './phone-line.test.helper.ts'
import { shopFlow } from './shop-flow.test.helper.ts'

/** Creates an action that ends on request. */
const heldAction = (more: Partial<ActionScreen> = {}) => {
  const runs: (PromiseWithResolvers<ActionResult> & { readonly context: ActionContext })[] = []
  let started = Promise.withResolvers<void>()
  const action: Partial<ActionScreen> = {
    timeLimitMs: 50,
    run: context => {
      const run = { ...Promise.withResolvers<ActionResult>(), context }
      runs.push(run)
      started.resolve()
      started = Promise.withResolvers<void>()
      return run.promise
    },
    ...more,
  }
  return { action, runs, started: () => started.promise }
}

await onEachEngine('actions', engine => {
  const database = oneDatabase(engine)
  const open = (storage: UssdStorage, action: Partial<ActionScreen>, more: Partial<PhoneLineOptions> = {}) =>
    openLine({ storage, flow: shopFlow(action), ...more })

  /** Polls until the outcome is available, like a patient user. */
  const check = async (phone: { send(text: string): Promise<string> }, text: string, until: string) => {
    for (let typed = `${text}*1`; ; typed += '*1') {
      const shown = await phone.send(typed)
      if (shown.includes(until)) return typed
      expect(shown).toContain('1.')
    }
  }

  test.each(['read', 'idempotent', 'write'] as const)('a %s action in time leads on immediately', async effect => {
    const ran: ActionContext[] = []
    await using line = await open(await database(), {
      effect,
      run: async context => {
        ran.push(context)
        return { to: 'done' }
      },
    })
    const phone = line.phone()
    await phone.dial()
    const shown = await Promise.all([phone.send('4'), phone.send('4'), phone.send('4')])
    expect(shown.every(text => text.startsWith('Done'))).toBe(true)
    expect(ran).toHaveLength(1)
    expect(ran[0]).toMatchObject({ phoneNumber: '+260971234567', serviceCode: '*1234#', language: 'en', values: {} })
    expect(ran[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each(['read', 'idempotent', 'write'] as const)('a late %s action is polled, and runs once', async effect => {
    const held = heldAction({ effect })
    await using line = await open(await database(), held.action)
    const phone = line.phone()
    await phone.dial()
    const late = await phone.send('4')
    expect(late).toContain('1.')
    expect(await phone.send('4')).toBe(late)
    expect(await phone.send('4*1')).toBe(late)
    expect((await line.sessions.find('s1'))?.state).toBe('work')
    held.runs[0]?.resolve({ to: 'done' })
    await check(phone, '4*1', 'Done')
    expect(held.runs).toHaveLength(1)
  })

  test('a repeated dial while its start screen is an action is not a new call', async () => {
    const held = heldAction()
    const storage = await database()
    await using line = await openLine({ storage, flow: { ...shopFlow(held.action), start: 'work' } })
    const phone = line.phone()
    const late = await phone.dial()
    expect(await phone.dial()).toBe(late)
    expect(held.runs).toHaveLength(1)
    expect(held.runs[0]?.context.signal.aborted).toBe(false)
    held.runs[0]?.resolve({ to: 'done' })
    await check(phone, '1', 'Done')
  })

  test('the write of an action is stored with its move, once', async () => {
    const storage = await database()
    const written: string[] = []
    await using line = await open(storage, {
      effect: 'write',
      run: async ({ idempotencyKey }) => ({
        to: 'done',
        write: async tx => {
          written.push(idempotencyKey)
          const row = await tx.selectFrom('ussd_sessions').select('version').executeTakeFirst()
          expect(row?.version).toBe(3)
        },
      }),
    })
    const phone = line.phone()
    await phone.dial()
    await Promise.all([phone.send('4'), phone.send('4')])
    expect(await phone.send('4')).toContain('Done')
    expect(written).toHaveLength(1)
  })

  test('an action that throws has failed, without showing the reason', async () => {
    await using line = await open(await database(), { run: async () => Promise.reject(new Error('2580 is wrong')) })
    const phone = line.phone()
    await phone.dial()
    const shown = await phone.send('4')
    expect(shown).not.toContain('2580')
    expect(shown).not.toContain('Done')
    expect(await phone.send('4*0')).toContain('Welcome')
  })

  test('an action that leads nowhere has failed, and its write is discarded', async () => {
    let wrote = false
    await using line = await open(await database(), {
      run: async () => ({
        to: 'nowhere',
        write: async () => {
          wrote = true
        },
      }),
    })
    const phone = line.phone()
    await phone.dial()
    expect(await phone.send('4')).not.toContain('Done')
    expect(wrote).toBe(false)
  })

  test.each([
    ['the person exits', (phone: Phone) => phone.send('4**')],
    ['the network ends the call', phone => phone.hangUp()],
    ['somebody dials anew', phone => phone.dial()],
  ] satisfies [string, (phone: Phone) => Promise<unknown>][])('an action is aborted when %s', async (_name, leave) => {
    const held = heldAction()
    await using line = await open(await database(), held.action)
    const phone = line.phone()
    await phone.dial()
    await phone.send('4')
    const signal = held.runs[0]?.context.signal
    expect(signal?.aborted).toBe(false)
    await leave(phone)
    expect(signal?.aborted).toBe(true)
    held.runs[0]?.resolve({ to: 'done' })
  })

  test.each([false, true])(
    'a call that ends while its action is in time is not awaited (resumed: %s)',
    async resume => {
      const held = heldAction({ timeLimitMs: 60_000 })
      await using line = await open(await database(), held.action, { settings: { resume } })
      const phone = line.phone()
      await phone.dial()
      const started = held.started()
      const shown = phone.send('4')
      await started
      await phone.hangUp()
      await shown
      expect(held.runs[0]?.context.signal.aborted).toBe(!resume)
      held.runs[0]?.resolve({ to: 'done' })
    },
  )

  test('the end of the process leaves repeatable actions to the next one, with the same key', async () => {
    const storage = await database()
    const first = heldAction({ effect: 'idempotent' })
    const before = await open(storage, first.action)
    await before.phone().dial()
    await before.phone().send('4')
    await before.sessions.dispose()
    expect(first.runs[0]?.context.signal.aborted).toBe(true)
    const second = heldAction({ effect: 'idempotent' })
    const started = second.started()
    await using line = await open(storage, second.action)
    if (engine.name === 'sqlite') await started
    const shown = line.phone().send('4*1')
    await started
    second.runs[0]?.resolve({ to: 'done' })
    await shown
    await check(line.phone(), '4*1', 'Done')
    expect(second.runs).toHaveLength(1)
    expect(second.runs[0]?.context.idempotencyKey).toBe(first.runs[0]?.context.idempotencyKey)
  })

  test.each(['idempotent', 'write'] as const)(
    'an action of effect %s of a version without jobs is taken over at the start, once',
    async effect => {
      const storage = await database()
      const first = heldAction({ effect })
      const before = await open(storage, first.action)
      await before.phone().dial()
      await before.phone().send('4')
      await before.sessions.dispose()
      await storage.write(tx => sql`delete from sibyl_job`.execute(tx))
      // The end of a lease, as that version wrote it.
      await storage.write(tx => tx.updateTable('ussd_sessions').set({ run_until: Date.now() }).execute())

      const second = heldAction({ effect })
      await using line = await open(storage, second.action)
      if (effect === 'idempotent') {
        await expect.poll(() => second.runs).toHaveLength(1)
        second.runs[0]?.resolve({ to: 'done' })
      }
      const isOver = async () => {
        const found = await storage.read.selectFrom('ussd_sessions').select('run_until').executeTakeFirst()
        return found?.run_until === null
      }
      await expect.poll(isOver).toBe(true)
      const shown = await line.phone().send('4*1')
      expect(shown.startsWith('Done')).toBe(effect === 'idempotent')
      expect(second.runs.map(({ context }) => context.idempotencyKey)).toEqual(
        effect === 'idempotent' ? [first.runs[0]?.context.idempotencyKey] : [],
      )
      first.runs[0]?.resolve({ to: 'done' })
    },
  )

  test('the job of an action exists while it runs, and is done with its outcome or its session', async () => {
    const storage = await database()
    const jobs = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from sibyl_job where kind = 'ussd/action' order by created_at`.execute(storage.read)
      return rows.map(({ state }) => state)
    }
    const held = heldAction({ effect: 'idempotent' })
    await using line = await open(storage, held.action)
    await storage.write(tx => sql`delete from sibyl_job`.execute(tx))
    const phone = line.phone()
    await phone.dial()
    await phone.send('4')
    expect(await jobs()).toEqual(['running'])
    held.runs[0]?.resolve({ to: 'done' })
    await check(phone, '4*1', 'Done')
    expect(await jobs()).toEqual(['done'])

    const other = line.phone({ sessionId: 'erased' })
    await other.dial()
    await other.send('4')
    expect(await jobs()).toEqual(['done', 'running'])
    await storage.write(tx => tx.deleteFrom('ussd_sessions').execute())
    held.runs[1]?.resolve({ to: 'done' })
    await expect.poll(jobs).toEqual(['done', 'done'])
  })

  test('the outcome of a write action that its process did not end is unknown', async () => {
    const storage = await database()
    const held = heldAction({ effect: 'write' })
    const before = await open(storage, held.action)
    await before.phone().dial()
    await before.phone().send('4')
    const ended = before.sessions.dispose()
    await ended
    let ran = false
    await using line = await open(storage, {
      effect: 'write',
      run: async () => {
        ran = true
        return { to: 'done' }
      },
    })
    await expect
      .poll(async () => {
        const found = await storage.read.selectFrom('ussd_sessions').select('run_until').executeTakeFirst()
        return found?.run_until === null || engine.name === 'postgres'
      })
      .toBe(true)
    let text = '4*1'
    let shown = await line.phone().send(text)
    while (shown.includes('Reply 1 to check')) {
      text += '*1'
      shown = await line.phone().send(text)
    }
    expect(shown).not.toContain('Done')
    expect(await line.phone().send(`${text}*0`)).toContain('Welcome')
    expect(ran).toBe(false)
    held.runs[0]?.resolve({ to: 'done' })
  })

  test('concurrent actions are limited; the others are queued', async () => {
    let running = 0
    let max = 0
    const gate = Promise.withResolvers<void>()
    const full = Promise.withResolvers<void>()
    await using line = await open(await database(), {
      timeLimitMs: 30_000,
      run: async () => {
        running += 1
        max = Math.max(max, running)
        if (running === 64) full.resolve()
        await gate.promise
        running -= 1
        return { to: 'done' }
      },
    })
    const phones = Array.from({ length: 80 }, (_, index) => line.phone({ sessionId: `s${index}` }))
    await Promise.all(phones.map(phone => phone.dial()))
    const shown = Promise.all(phones.map(phone => phone.send('4')))
    await full.promise
    gate.resolve()
    expect((await shown).every(text => text.startsWith('Done'))).toBe(true)
    expect(max).toBe(64)
  })

  test('hanging actions of one screen do not block other screens', async () => {
    const held = heldAction()
    await using line = await open(await database(), held.action)
    const phones = Array.from({ length: 64 }, (_, index) => line.phone({ sessionId: `s${index}` }))
    await Promise.all(phones.map(phone => phone.dial()))
    await Promise.all(phones.map(phone => phone.send('4')))
    expect(held.runs).toHaveLength(64)
    const other = line.phone({ sessionId: 'other' })
    await other.dial()
    await other.send('3')
    expect(await other.send('3*2580')).toContain('Signed in')
    for (const run of held.runs) run.resolve({ to: 'done' })
  })
})
