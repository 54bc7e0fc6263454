import { expect, it } from 'vitest'
import { displayWidth } from '../../output/display-width.ts'
import { useBundledPackages } from '../../process/bundled-sibyl.test.helper.ts'
import { oracleProject } from './plugin-project.test.helper.ts'

useBundledPackages()

it('shows states, reasons, tools and routes, in a narrow terminal as well', async () => {
  const { sibyl } = oracleProject()
  const { code, text } = await sibyl(['plugin', 'list'], { columns: 40, isTTY: true })
  expect(code).toBe(0)
  expect(text).toMatch(/^ussd +excluded +bundled \d.*\n(.*\n)+? {2}PIN_ENCRYPTION_KEY is blank;/m)
  expect(text).toMatch(/^weather +available +bundled \d/m)
  expect(text).toMatch(/\d tools?: get_current_weather/)
  for (const line of text.split('\n'))
    expect([line, displayWidth(line) <= 40 || !line.trim().includes(' ')]).toEqual([line, true])
})

it('marks tools that are known only at runtime as created per turn', async () => {
  const { sibyl } = oracleProject()
  const { text } = await sibyl(['plugin', 'list'], { env: { SANDBOX_MCP_URL: 'http://127.0.0.1:9/mcp' } })
  expect(text).toMatch(/^sandbox +pending +bundled \d.*\n(.*\n)+? {2}tools depend on the turn\n\n/m)
})

it('shows what would prevent the start', async () => {
  const { sibyl } = oracleProject({ '.env': 'PORT=many\n' })
  const { code, text } = await sibyl(['plugin', 'list'])
  expect(code).toBe(0)
  expect(text).toContain('The oracle does not start: ')
  expect(JSON.parse((await sibyl(['plugin', 'list', '--json'])).text).problems).toMatchObject([{ variable: 'PORT' }])
})

it('shows where a loaded plugin throws', async () => {
  const { sibyl, read } = oracleProject({ 'src/plugins/torn.ts': "throw new Error('torn')\nexport {}\n" })
  const { folder } = oracleProject({
    'src/plugins/torn.ts': "throw new Error('torn')\n",
    'src/main.ts': `import './plugins/torn.ts'\n${read('src/main.ts')}`,
  })
  const { code, errors } = await sibyl(['plugin', 'list'], { cwd: folder })
  expect([code, errors]).toEqual([3, expect.stringContaining('does not start, in src/plugins/torn.ts:1: Error: torn')])
})
