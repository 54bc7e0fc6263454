import type { Tool } from '@sibyl/plugin'
import { loadMode } from '@sibyl/plugin/host'
import { expectedCalls, type SampleValues, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { captured, everythingOn, fixedTools, temporaryFolder } from './all-plugins.test.support.ts'

const entity = 'did:web:oracle.example:entities:01kajbch80e04s35sfmmgrwb41'
const stove = 'did:web:stoves.example:7'
const credential = 'urn:uuid:0199d8a2-7c2e-7d4b-9c40-51b1f7a3a2d4'

/** Values for placeholders, by plugin, where the general ones do not fit a tool's input. */
const samples: Readonly<Record<string, SampleValues>> = {
  entities: {
    did: entity,
    entity,
    other_entity: 'did:web:oracle.example:entities:01kajbch80ebxsxnn17a9rb0d0',
    protocol: entity,
    type: 'cook stove',
    name: 'ACE One',
    things: 'cook stoves',
    place: 'Kisumu',
    query: 'cook stoves',
    relationship: 'generates',
    depth: '2',
  },
  claims: { state: 'approved', data: '{"hours":3}', reason: 'the stove was in use', collection: 'reports' },
  credentials: { subject: stove, id: credential, credential, did: stove },
  sms: { to: '+260971234567', code: '123456', text: 'The team comes at nine' },
  matrix: { room: '#field:example.org', text: 'The pump runs' },
  'user-preferences': { language: 'Swahili', timeZone: 'Africa/Lusaka', name: 'Chanda', tone: 'short and plain' },
  tasks: {
    what: 'water the maize',
    time: '07:00',
    minutes: '30',
    weekday: 'Monday',
    room: 'Field team',
    id: 't0123456789',
  },
  files: { path: 'notes/tea.md', under: 'notes', text: 'Ada likes tea', query: 'tea' },
  memory: { text: 'Ada is allergic to nuts', query: 'nuts', id: 'f0123456789a' },
  firecrawl: { url: 'https://example.org/a/page?b=c' },
  sandbox: { code: '1+1' },
  skills: {
    name: 'field-survey',
    names: 'field-survey and plain-language',
    skill: 'field-survey',
    path: 'references/ussd-limits.md',
  },
}

/** How many conversations run at once. */
const atOnce = 8

/** A tool that is called, and does nothing. */
const idle = (tool: Tool): Tool => {
  const { approval: _, describe: __, output: ___, ...rest } = tool
  return { ...rest, execute: async () => ({}) }
}

/** For a machine that does much else, in milliseconds. */
const limit = 120_000

test(
  'each example of each plugin leads the offline model to its own tool, with all sixteen there',
  async () => {
    const { plugins, parts } = captured(given => ({
      ...given,
      ...(typeof given.tools === 'object'
        ? { tools: Object.fromEntries(Object.entries(fixedTools(given)).map(([name, tool]) => [name, idle(tool)])) }
        : {}),
    }))
    await using oracle = await testApp({ plugins, env: everythingOn(temporaryFolder()) })
    const wanted = plugins.flatMap(({ name, manifest }) => {
      const tools = Object.entries(fixedTools(parts.get(name) ?? {}))
      const entry = {
        name,
        manifest,
        mode: loadMode(manifest),
        tools: tools.map(([tool, it]) => ({ ...it, name: tool })),
      }
      return expectedCalls(entry, samples[name]).map(call => ({ plugin: name, ...call }))
    })
    expect(wanted.length).toBeGreaterThan(50)
    const astray: string[] = []
    const queue = [...wanted]
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { plugin, text, tool, args } = next
        const { events, text: output } = await oracle.chat(text)
        const calls = events.filter(
          ({ type, toolName }) => type === 'tool-input-available' && !/_capabilit/.test(String(toolName)),
        )
        const call = calls.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`).join(', ')
        if (call !== `${tool} ${JSON.stringify(args)}`) {
          astray.push(`${plugin}: “${text}” → ${call || output}, not ${tool} ${JSON.stringify(args)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    expect(astray).toEqual([])
  },
  limit,
)
