import { type Migrations, openJobs, type Storage } from '@sibyl/storage'
import { fakeClock } from '@sibyl/storage/testing'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Deliver, type DeliveryResult, type OutboxOptions, outbox } from './outbox.ts'

interface NoticeTables {
  ports_notices: { place: number | undefined; port: string; text: string }
}

const migrations: Migrations = {
  '1': async (db, { serial, text }) => {
    await db.schema
      .createTable('ports_notices')
      .addColumn('place', serial)
      .addColumn('port', text, c => c.notNull())
      .addColumn('text', text, c => c.notNull())
      .execute()
  },
}

await onEachEngineWith<NoticeTables>('ports', migrations)('an outbox', engine => {
  /** An outbox whose messages are rows; `deliver` is called with the first of a port. */
  const bench = async (
    deliver: (notice: { port: string; text: string; attempt: number }) => Promise<unknown>,
    options: OutboxOptions = {},
  ) => {
    const storage = await engine.open()
    const clock = fakeClock()
    const jobs = await openJobs({ storage, clock })
    onTestFinished(() => jobs.stop({ graceMs: 0 }))
    const remove = (place: number | undefined) =>
      storage.write(tx => tx.deleteFrom('ports_notices').where('place', '=', place!).execute())
    const deliverFirst: Deliver = async (port, { attempt }) => {
      const first = await storage.read
        .selectFrom('ports_notices')
        .selectAll()
        .where('port', '=', port)
        .orderBy('place')
        .limit(1)
        .executeTakeFirst()
      if (!first) return 'done'
      const result = await deliver({ port, text: first.text, attempt })
      if (result) return result as DeliveryResult
      await remove(first.place)
      return 'more'
    }
    const notices = outbox(jobs, 'ports/notices', deliverFirst, options)
    await jobs.start()
    const put = (port: string, text: string, fails = false) =>
      storage.write(async tx => {
        await tx.insertInto('ports_notices').values({ place: undefined, port, text }).execute()
        await notices.wake(port, { tx })
        if (fails) throw new Error('rolled back')
      })
    return { storage, clock, jobs, notices, put }
  }

  const waiting = (storage: Storage<NoticeTables>) => storage.read.selectFrom('ports_notices').select('text').execute()

  test('delivers all of a key in order and never at the same time, whenever it was stored', async () => {
    const seen: string[] = []
    const busy = new Set<string>()
    const { storage, put } = await bench(async ({ port, text }) => {
      expect(busy.has(port)).toBe(false)
      busy.add(port)
      await new Promise(setImmediate)
      seen.push(text)
      busy.delete(port)
    })
    const texts = Array.from({ length: 12 }, (_, index) => index)
    const write = async (port: string) => {
      for (const index of texts) await put(port, `${port} ${index}`)
    }
    await Promise.all([write('Aden'), write('Bari'), write('Cork')])
    await vi.waitFor(() => expect(seen).toHaveLength(36), 60_000)
    for (const port of ['Aden', 'Bari', 'Cork']) {
      expect(seen.filter(text => text.startsWith(port))).toEqual(texts.map(index => `${port} ${index}`))
    }
    await vi.waitFor(async () => expect(await waiting(storage)).toEqual([]), 60_000)
  })

  test('a transaction that is rolled back delivers nothing', async () => {
    const deliver = vi.fn(async () => {})
    const { put } = await bench(deliver)
    await expect(put('Aden', 'lost', true)).rejects.toThrow('rolled back')
    await put('Aden', 'kept')
    await vi.waitFor(() => expect(deliver).toHaveBeenCalled(), 60_000)
    expect(deliver.mock.calls).toEqual([[{ port: 'Aden', text: 'kept', attempt: 1 }]])
  })

  test('what fails is tried again after a delay, and holds up no other key', async () => {
    const seen: string[] = []
    const { clock, put } = await bench(async ({ port, text, attempt }) => {
      if (port === 'Aden' && attempt < 3) throw new Error('closed')
      seen.push(text)
    })
    await put('Aden', 'a1')
    await put('Aden', 'a2')
    await put('Bari', 'b1')
    await vi.waitFor(() => expect(seen).toEqual(['b1']), 60_000)
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(seen).toEqual(['b1', 'a1', 'a2'])
    }, 60_000)
  })

  test('what failed too often is given up until its key is woken again', async () => {
    const onGivenUp = vi.fn(async () => {})
    let isClosed = true
    const seen: string[] = []
    const { clock, jobs, notices, put } = await bench(
      async ({ text }) => {
        if (isClosed) throw new Error('closed')
        seen.push(text)
      },
      { maxAttempts: 2, onGivenUp },
    )
    await put('Aden', 'a1')
    await vi.waitFor(async () => {
      await clock.advance(2_000)
      expect(await jobs.dead()).toMatchObject([{ kind: 'ports/notices', data: { key: 'Aden' } }])
    }, 60_000)
    expect(onGivenUp.mock.calls).toEqual([['Aden', new Error('closed')]])
    isClosed = false
    await notices.wake('Aden')
    await vi.waitFor(() => expect(seen).toEqual(['a1']), 60_000)
  })

  test('attempts count from 1 once something was delivered', async () => {
    const onGivenUp = vi.fn(async () => {})
    const attempts: string[] = []
    const { clock, put } = await bench(
      async ({ text, attempt }) => {
        attempts.push(`${text} ${attempt}`)
        if (attempts.filter(one => one.startsWith(text)).length < 2) throw new Error('closed')
      },
      { maxAttempts: 2, onGivenUp },
    )
    for (const text of ['a1', 'a2', 'a3']) await put('Aden', text)
    await vi.waitFor(async () => {
      await clock.advance(2_000)
      expect(attempts).toContain('a3 2')
    }, 60_000)
    expect(onGivenUp).not.toHaveBeenCalled()
  })

  test('a delivery may ask to be called at a later time', async () => {
    const seen: string[] = []
    const { clock, put } = await bench(async ({ text }) => {
      if (clock.now() < at) return { againAt: at }
      seen.push(text)
    })
    const at = clock.now() + 3_600_000
    await put('Aden', 'a1')
    await put('Bari', 'b1')
    await clock.advance(1_800_000)
    expect(seen).toEqual([])
    await vi.waitFor(async () => {
      await clock.advance(600_000)
      expect(seen.toSorted()).toEqual(['a1', 'b1'])
    }, 60_000)
  })
})
