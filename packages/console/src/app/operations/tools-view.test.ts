import { mcpServer } from '@sibyl/adapter-mcp'
import { definePlugin, defineTool, ToolFailure } from '@sibyl/plugin'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'

const pumps = definePlugin({
  name: 'pumps',
  version: '1.0.0',
  core: '^0.1.0',
  manifest: { title: 'Pumps', summary: 'Finds pumps.', whenToUse: ['a pump is needed'] },
  setup: () => ({
    tools: {
      find_pump: defineTool({
        description: 'Finds a pump.',
        input: z.object({ place: z.string(), working: z.boolean().optional() }),
        effect: 'read',
        execute: async ({ place }) => {
          if (place === 'nowhere') throw new ToolFailure('No pump is there.')
          return { pump: `Pump of ${place}` }
        },
      }),
      repair_pump: defineTool({
        description: 'Orders a repair.',
        input: z.object({}),
        effect: 'write',
        approval: 'user',
        execute: async () => 'ordered',
      }),
    },
  }),
})

describe.skipIf(chromiumPath === undefined)('tools in Chromium', () => {
  const { startOracle, open } = useConsole()

  test('an operator runs a tool with a form, and reads its result, its failure or what it needs', async () => {
    const oracle = await startOracle({ plugins: [pumps], adapters: [mcpServer()] })
    const { page, auditEverywhere } = await open(oracle, { path: '/operations' })
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    const choose = async (name: string) => {
      await page.getByLabel('Tool', { exact: true }).first().click()
      await page.getByRole('option', { name }).click()
    }
    await page.getByLabel('Capability', { exact: true }).first().click()
    await page.getByRole('option', { name: 'Pumps' }).click()
    await page.getByRole('button', { name: 'Load its tools' }).click()
    await choose('find_pump')
    const form = page.getByRole('region', { name: 'find_pump' })
    await form.getByText('Reads').waitFor()
    await form.getByLabel('place').fill('Mwila')
    await form.getByRole('button', { name: 'Run' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('Pump of Mwila').waitFor()
    await auditEverywhere('tools', () => result.waitFor())
    await form.getByLabel('place').fill('nowhere')
    expect(await result.count()).toBe(0)
    await form.getByRole('button', { name: 'Run' }).click()
    await result.getByRole('alert').getByText('No pump is there.').waitFor()
    await choose('repair_pump')
    await page.getByRole('region', { name: 'repair_pump' }).getByRole('button', { name: 'Run' }).click()
    await result.getByText(/decision of a person|approval/).waitFor()
  })
})
