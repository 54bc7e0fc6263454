import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { reservePort, scriptedModel } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'

describe.skipIf(chromiumPath === undefined)('an oracle that restarts in the middle of an answer', () => {
  const { startOracle, open } = useConsole()

  test('reports that it is away, and continues the answer in the open page', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-console-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const env = { DATABASE_URL: `file:${join(folder, 'oracle.db')}`, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const port = await reservePort()
    const cut = scriptedModel([['The rain begins ', { wait: new Promise(() => {}) }]])
    const first = await startOracle({ env, port, model: cut })
    const { page, picture } = await open(first, { path: '/chat' })
    await page.getByRole('textbox', { name: 'Write a message' }).fill('When does the rain begin?')
    await page.keyboard.press('Enter')
    await page.getByText('The rain begins').waitFor()
    await first.app.close()
    const away = page.getByText('The oracle does not respond. The answer continues when it is back.')
    await away.waitFor()
    await picture('chat-away')
    await startOracle({ env, port, model: scriptedModel(['The rain begins in November.']) })
    await page.getByText('The rain begins in November.').waitFor()
    await page.getByRole('button', { name: 'Answer again' }).waitFor()
    expect(await away.count()).toBe(0)
    expect(await page.getByText('The rain begins').count()).toBe(1)
  })
})
