import { testLimits } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { deflated, pdf } from '../testing/sample-files.test.support.ts'
import { PdfReader, pdfLine } from './pdf-reader.ts'

const megabyte = 1_000_000

/** A reader on a machine that has so much memory left. */
const readerOn = (availableBytes: () => number) => {
  const reader = new PdfReader({ line: testLimits('open').line(pdfLine), availableBytes })
  onTestFinished(() => reader.close())
  return (name: string, content: Buffer) =>
    reader.read({ actor: { did: `did:key:${name}`, via: 'ucan', origin: name }, sha256: name, content }).then(
      ({ text }) => text,
      error => error.code,
    )
}

test('PDFs that decompress to more than a small machine has are refused one after the other, and others are read', async () => {
  const bomb = pdf([''], { stream: deflated('BT ET q Q '.repeat(1_000_000), 60) })
  const read = readerOn(() => 400 * megabyte)
  const before = process.memoryUsage.rss()
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss() - before)), 10)
  const results = await Promise.all([...'ab'].map(name => read(name, bomb)))
  clearInterval(watch)
  expect(results).toEqual(['pdf_too_much', 'pdf_too_much'])
  expect(peak).toBeLessThan(500 * megabyte)
  expect(await read('small', pdf(['Ten stoves were delivered.']))).toContain('Ten stoves')
})

test('a machine without memory for a PDF reads none until it has some', async () => {
  let available = 50 * megabyte
  const read = readerOn(() => available)
  const small = pdf(['Ten stoves were delivered.'])
  expect(await read('a', small)).toBe('pdf_reader_busy')
  available = 500 * megabyte
  expect(await read('a', small)).toContain('Ten stoves')
})
