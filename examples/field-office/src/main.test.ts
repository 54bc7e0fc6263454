/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { weekOf } from './plugin/week.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

const day = () => new Date().toISOString().slice(0, 10)

/** The tour as a process of its own: how it ended, and what it left in its temporary folder. */
const runTour = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-field-office-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, ['--conditions=sibyl-source', program], {
    env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, TMPDIR: folder, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill()
  })
  const shown = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      shown[name] += text
    })
  }
  const [code] = await once(child, 'close')
  return { code: code as number, ...shown, left: await readdir(folder) }
}

test('goes from a phone to a credential, a room and a weekly report, and leaves nothing behind', async () => {
  const begun = day()
  let tour = await runTour()
  // Daily and weekly counts restart at midnight UTC.
  if (day() !== begun) tour = await runTour()
  const { code, stdout, stderr, left } = tour
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const words = stdout.replaceAll(/\s+/g, ' ')
  const plugins =
    'claims, credentials, credits, entities, field-office, files, firecrawl, matrix, mcp, memory, sandbox, '
  for (const reported of [
    `Ready: ${plugins}skills, sms, tasks, user-preferences, ussd, weather.`,
    /SMS Mutale Tumepokea ripoti yako\. Kumbukumbu: \S{36}\./,
    'You prefer: language Swahili',
    'oracle 2 waiting claims:',
    /The claim is approved\. .* Its credential is urn:uuid:/,
    'oracle The claim is rejected. Found: The report names no stove.',
    'oracle The credential is valid.',
    'SMS Mutale Ripoti yako "Delivered five stoves to Mwila" imekubaliwa.',
    'SMS Bwalya Your report "Visited the market" was not approved.',
    /Field Oracle Week 2\S+: 2 reports came in: 1 approved, 1 not approved, 0 waiting\. The oracle has said 1 thing/,
    /may it\? Task: write the weekly report\. When: every Friday at 16:00; .* by Matrix to Field team/,
    /Field Oracle Task \w+: write the weekly report .* # Week 2\S+ .* - approved: "Delivered five stoves to Mwila"/,
    /oracle These are your files: reports\/2\S+\.md, text\/markdown/,
    /[0-9a-f]{64}, as it was kept\./,
    /GET \/credits: \d+ turns today, 5 credits used, 95 left\./,
  ]) {
    if (typeof reported === 'string') expect(words).toContain(reported)
    else expect(words).toMatch(reported)
  }
  expect(left).toEqual([])
})

test('the office that stays serves the console, which a printed code signs in to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-field-office-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, ['--conditions=sibyl-source', program, '--stay'], {
    env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, TMPDIR: folder, HOME: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill()
  })
  let shown = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    shown += text
    if (shown.includes('Ctrl-C')) break
  }
  const [, console] = /(http:\/\/\S+\/console)#code=[\w-]{12,}\n/.exec(shown) ?? []
  expect((await fetch(console ?? '')).status).toBe(200)
  child.kill('SIGINT')
  await once(child, 'close')
  expect(await readdir(folder)).toEqual([])
})

test.each([
  ['2026-11-22T23:59:59Z', '2026-W47', '2026-11-16'],
  ['2026-11-23T00:00:00Z', '2026-W48', '2026-11-23'],
  ['2027-01-03T12:00:00Z', '2026-W53', '2026-12-28'],
  ['2024-12-30T00:00:00Z', '2025-W01', '2024-12-30'],
])('%s is in the week %s', (at, name, monday) => {
  const week = weekOf(Date.parse(at))
  expect([week.name, new Date(week.from).toISOString().slice(0, 10)]).toEqual([name, monday])
})
