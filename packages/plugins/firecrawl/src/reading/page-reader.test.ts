import { testLimits } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { createPageReader, pageLine } from './page-reader.ts'

const reader = createPageReader({ line: testLimits().line({ ...pageLine, running: 1 }) })
afterAll(() => reader.close())

const address = new URL('https://example.org/')

/** Pages of one person, and in which order the reader was done with them. */
const reading = () => {
  const order: string[] = []
  const read = (name: string, signal = new AbortController().signal) =>
    reader
      .read(`<p>${name}</p>`, address, {
        wantsWhole: true,
        actor: { did: name.replace(/\d+/, ''), via: 'ucan' },
        signal,
      })
      .finally(() => order.push(name))
  return { order, read }
}

test('the holder that was served last waits behind the others, however many pages were requested first', async () => {
  const { order, read } = reading()
  await Promise.all(['ada1', 'ada2', 'ada3', 'ben1', 'ben2', 'cleo1'].map(name => read(name)))
  expect(order).toEqual(['ada1', 'ben1', 'cleo1', 'ada2', 'ben2', 'ada3'])
})

test('an aborted request waits no longer, and the next one is read', async () => {
  const { order, read } = reading()
  const controller = new AbortController()
  const first = read('ada1')
  const second = expect(read('ben1', controller.signal)).rejects.toThrow('enough')
  const third = read('cleo1')
  controller.abort(new Error('enough'))
  await Promise.all([first, second, third])
  expect(order).toEqual(['ben1', 'ada1', 'cleo1'])
})

test('one person has ten pages waiting at most, and others still come in', async () => {
  const { read } = reading()
  const taken = Array.from({ length: 11 }, (_, index) => read(`ada${index}`))
  await expect(read('ada11')).rejects.toMatchObject({
    code: 'tool_failed',
    message: 'Too many of your pages are being read. Try again when they are done.',
  })
  await Promise.all([...taken, read('ben1')])
})

test('the pages of a re-delegation wait as those of its holder, and one address keeps a thread for others', async () => {
  const signal = new AbortController().signal
  const shared = createPageReader({ line: testLimits('open').line(pageLine), timeLimitMs: 60_000 })
  const read = (did: string, more: { holder?: string; origin?: string }) =>
    shared.read('<p>x</p>', address, { wantsWhole: true, actor: { did, via: 'ucan', ...more }, signal })
  const taken = Array.from({ length: 11 }, (_, index) => read(`did:${index}`, { holder: 'did:holder' }))
  await expect(read('did:fresh', { holder: 'did:holder' })).rejects.toThrow('Too many of your pages')
  const order: string[] = []
  const strangers = Array.from({ length: 4 }, (_, index) =>
    read(`did:stranger-${index}`, { origin: 'one' }).then(() => order.push('stranger')),
  )
  await Promise.all([read('did:ben', { origin: 'two' }).then(() => order.push('ben')), ...strangers, ...taken])
  expect(order.indexOf('ben')).toBeLessThan(3)
  await shared.close()
})
