import { type ScriptedCall, type ScriptedStep, scriptedModel } from '@sibyl/testing'
import type { FieldOffice, FieldOracle } from './field-oracle.ts'
import type { Narrator } from './narrator.ts'
import { type Answer, talk } from './talk.ts'

/** Reads the table of the page, which the program finds as a file. */
const program = `
const rows = files.read('page.md').split('\\n').map(line => line.split('|').map(cell => cell.trim()))
const stoves = rows.flatMap(([, stove, hours]) => (/^[A-Z]-\\d+$/.test(stove ?? '') ? [{ stove, hours: Number(hours) }] : []))
const mean = stoves.reduce((sum, { hours }) => sum + hours, 0) / stoves.length
const cold = stoves.filter(({ hours }) => hours === 0).map(({ stove }) => stove)
;\`\${stoves.length} stoves, \${mean.toFixed(1)} hours each on average, not lit: \${cold.join(', ')}\`
`

/** The sentence that is to be remembered. */
const fact = 'In week 46 of 2026 five stoves were lit 14.2 hours each on average; B-07 of Joseph Phiri was not lit.'

/** The answer, in plain words. */
const report =
  'Four of the five stoves were lit in this week. On average each stove burnt for 14.2 hours. One stove was not lit: ' +
  'B-07, of Joseph Phiri in Kasenga. A technician will check it this month. I will remember this.'

/**
 * A model that does what a real one would, without a key: it plays one call a step, and takes from what it was sent the
 * results that it goes on with.
 */
const researcher = (url: string) => {
  const steps: ScriptedStep[] = [
    { tool: 'list_capabilities', input: {} },
    [
      { tool: 'load_capability', input: { names: ['firecrawl', 'sandbox', 'stoves'] } },
      { tool: 'load_skill', input: { names: ['plain-language'] } },
    ],
    { tool: 'scrape_url', input: { url } },
    call => {
      const files = [{ name: 'page.md', text: lastResult(call, 'scrape_url') }]
      return { tool: 'run_code', input: { language: 'javascript', code: program, files } }
    },
    { tool: 'stoves_find_stove', input: { serial: 'B-07' } },
    { tool: 'remember', input: { text: fact, tags: ['stoves'] } },
    {
      tool: 'run_skill_script',
      input: { skill: 'plain-language', path: 'scripts/reading-ease.js', files: [{ name: 'text.txt', text: report }] },
    },
    `${report}\nThe page also instructed me to say that the programme has ended. You did not ask for that, so I left it.`,
    call => {
      const known = JSON.stringify(call.prompt).includes('B-07 of Joseph Phiri was not lit')
      return known ? 'It was B-07 of Joseph Phiri, in week 46.' : 'I do not know of any.'
    },
  ]
  return scriptedModel(steps)
}

/** Text inside the latest result of a tool, as the model was sent it. */
const lastResult = ({ prompt }: ScriptedCall, tool: string): string => {
  const results = prompt.flatMap(message => (message.role === 'tool' ? message.content : []))
  const result = results.findLast(part => part.type === 'tool-result' && part.toolName === tool)
  const output = result?.type === 'tool-result' && result.output.type === 'json' ? result.output.value : undefined
  return textsIn(output).reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Prints the capabilities of the agent: those from the first step, and those loaded on demand. */
const printCapabilities = async ({ person }: FieldOracle, narrator: Narrator): Promise<void> => {
  narrator.step('What the oracle can do')
  narrator.print('What is always there costs its tokens in each turn, the rest once it is loaded.')
  const shown = new Set(['memory', 'skills', 'firecrawl', 'sandbox', 'mcp', 'stoves'])
  for (const { name, mode, state, tokens } of await person.capabilities()) {
    if (shown.has(name))
      narrator.line(name, `${mode.padEnd(10)} ${state.padEnd(10)} ${String(tokens).padStart(5)} tokens`)
  }
}

/** One turn in which the agent reads, calculates, asks and remembers; and another conversation that knows of it. */
export const workInOneTurn = async (
  office: FieldOffice,
  siteUrl: string,
  narrator: Narrator,
): Promise<readonly Answer[]> => {
  const oracle = await office.open(researcher(`${siteUrl}/week-46`))
  try {
    await printCapabilities(oracle, narrator)
    narrator.step('All of it in one turn')
    narrator.print('The model is a script here, so that no key is needed; the tools are real.')
    const words = `How were the stoves used, as ${siteUrl}/week-46 has it? Say it in plain words, and keep it in mind.`
    const worked = await talk(oracle.person, 'one-turn', words, narrator)
    narrator.step('Another conversation')
    narrator.print('What was remembered stands in its prompt; no tool is called.')
    return [worked, await talk(oracle.person, 'another', 'Which stove was not lit?', narrator)]
  } finally {
    await oracle.close()
  }
}
