import { recordedLogger } from '@sibyl/plugin/testing'
import { expect, test } from 'vitest'
import { createExportStreams } from './export-stream.ts'

const many = async function* (count: number, text = 'x') {
  for (let index = 0; index < count; index += 1) yield { index, text }
}

test('iterables at any depth become lists, all else is as JSON.stringify writes it', async () => {
  const stream = createExportStreams(recordedLogger())
  const data = async () => ({
    empty: many(0),
    deep: { list: many(2), 'a "name"': [1, null, { b: 'ü' }] },
    text: '\u2028',
    none: null,
  })
  expect(await new Response(await stream('did:key:a', data)).json()).toEqual({
    empty: [],
    deep: {
      list: [
        { index: 0, text: 'x' },
        { index: 1, text: 'x' },
      ],
      'a "name"': [1, null, { b: 'ü' }],
    },
    text: '\u2028',
    none: null,
  })
})

test('one runs of a person and two in all; a reader who leaves makes room', async () => {
  const stream = createExportStreams(recordedLogger())
  const endless = async () => many(Number.POSITIVE_INFINITY, 'x'.repeat(1_000))
  const one = await stream('did:key:a', endless)
  await expect(stream('did:key:a', endless)).rejects.toMatchObject({ code: 'export_running', status: 429 })
  const two = await stream('did:key:b', endless)
  await expect(stream('did:key:c', endless)).rejects.toMatchObject({ code: 'export_running' })
  await one.cancel()
  const three = await stream('did:key:a', async () => many(1))
  expect(await new Response(three).json()).toHaveLength(1)
  await stream('did:key:c', async () => many(1)).then(body => new Response(body).text())
  await two.cancel()
})

test('a failure before the first byte rejects and makes room, a later one breaks the stream and is logged', async () => {
  const logger = recordedLogger()
  const stream = createExportStreams(logger)
  const failing = () => Promise.reject(new Error('no database'))
  await expect(stream('did:key:a', failing)).rejects.toThrow('no database')
  const torn = async function* () {
    yield* many(200, 'x'.repeat(1_000))
    throw new Error('no database')
  }
  const body = await stream('did:key:a', async () => ({ list: torn() }))
  await expect(new Response(body).text()).rejects.toThrow('no database')
  expect(logger.lines.map(({ message }) => message)).toEqual(['the export of the data of a person failed'])
  expect(await new Response(await stream('did:key:a', async () => 1)).json()).toBe(1)
})
