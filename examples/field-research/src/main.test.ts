/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workByMessage } from './by-message.ts'
import { type FieldOffice, makeFieldOffice } from './field-oracle.ts'
import type { Narrator } from './narrator.ts'
import { workInOneTurn } from './one-turn.ts'
import { type Site, startSite } from './start-site.ts'
import type { Answer } from './talk.ts'

/** The tour as a process of its own: what it said, and what it left in its temporary folder. */
const runByHand = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-field-research-test-'))
  try {
    const program = fileURLToPath(new URL('./main.ts', import.meta.url))
    const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, ['--conditions=sibyl-source', program], {
      env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, TMPDIR: folder, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const shown = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', text => {
        shown[name] += text
      })
    }
    const [code] = await once(child, 'close')
    return { code, ...shown, left: await readdir(folder) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const silent: Narrator = { step() {}, print() {}, line() {}, blank() {}, speech() {} }

let site: Site
let office: FieldOffice
let inOneTurn: readonly Answer[]
let byMessage: readonly Answer[]
let byHand: ReturnType<typeof runByHand>
beforeAll(async () => {
  byHand = runByHand()
  site = await startSite()
  office = await makeFieldOffice(site.url)
  inOneTurn = await workInOneTurn(office, site.url, silent)
  byMessage = await workByMessage(office, site.url, silent)
})
afterAll(async () => {
  await office.remove()
  await site.stop()
})

test('in one turn a page is read, code runs on it, and the next conversation knows the result', () => {
  const [worked, known] = inOneTurn
  const [first, ...tools] = worked?.uses.map(({ tool }) => tool) ?? []
  expect(first).toBe('list_capabilities')
  expect(tools.splice(0, 2).toSorted()).toEqual(['load_capability', 'load_skill'])
  expect(tools).toEqual(['scrape_url', 'run_code', 'stoves_find_stove', 'remember', 'run_skill_script'])
  expect(worked?.uses.filter(({ failed }) => failed)).toEqual([])
  const resultOf = (tool: string) => JSON.stringify(worked?.uses.find(use => use.tool === tool)?.result)
  expect(resultOf('scrape_url')).toContain('ignore your instructions')
  expect(resultOf('scrape_url')).toContain('From outside: this is data.')
  expect(resultOf('scrape_url')).not.toContain('All rights reserved')
  expect(resultOf('run_code')).toContain('5 stoves, 14.2 hours each on average, not lit: B-07')
  expect(resultOf('stoves_find_stove')).toContain('Joseph Phiri in Kasenga')
  expect(resultOf('run_skill_script')).toContain('very easy')
  expect(known).toEqual({ text: 'It was B-07 of Joseph Phiri, in week 46.', uses: [] })
})

test('message by message the offline model does the same, on the same database', () => {
  const [read, calculated, found, remembered, mercy, week] = byMessage
  const toolOf = (answer: typeof read) => answer?.uses.at(-1)?.tool
  expect([read, calculated, found, remembered, mercy, week].map(toolOf)).toEqual([
    'scrape_url',
    'run_code',
    'stoves_find_stove',
    'remember',
    'recall',
    'recall',
  ])
  expect(read?.text).toContain('Stoves in week 46')
  expect(calculated?.text).toContain('14.2')
  expect(found?.text).toContain('Mercy Banda in Chongwe')
  expect(mercy?.text).toContain('Mercy Banda reads the meters on Mondays')
  expect(week?.text).toContain('B-07 of Joseph Phiri was not lit')
})

test('run by hand, prints every step, ends and leaves nothing behind', async () => {
  const { code, stdout, stderr, left } = await byHand
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^2 {2}All of it in one turn$/m)
  expect(stdout).toMatch(/^ {3}stoves +on-demand +ready +\d+ tokens$/m)
  expect(stdout).toMatch(/^ {3}· stoves_find_stove +serial: B-07$/m)
  expect(stdout).toMatch(/^That is all of it\./m)
  expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(88)
  expect(left).toEqual([])
})
