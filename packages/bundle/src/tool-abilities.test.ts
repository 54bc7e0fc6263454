import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdsAbility, type Tool } from '@sibyl/plugin'
import type { Access } from '@sibyl/plugin/host'
import { testApp } from '@sibyl/testing'
import { beforeAll, expect, test } from 'vitest'
import { captured, everythingOn, fixedTools } from './all-plugins.test.support.ts'

type Ability = Tool['ability']

const personal = (ability: string) => [ability, 'chat/personal']

/** Every tool of the bundled plugins with what a caller needs. A tool without an ability runs for everyone who may chat. */
const expected: Readonly<Record<string, Readonly<Record<string, readonly ['read' | 'write', Ability]>>>> = {
  weather: { get_current_weather: ['read', undefined], get_forecast: ['read', undefined] },
  ussd: { preview_ussd_menu: ['read', undefined] },
  entities: {
    get_entity: ['read', personal('entities/read')],
    search_entities: ['read', personal('entities/read')],
    related_entities: ['read', personal('entities/read')],
    create_entity: ['write', 'entities/write'],
    relate_entities: ['write', 'entities/write'],
  },
  claims: {
    list_claims: ['read', personal('claims/read')],
    submit_claim: ['write', personal('claims/submit')],
    evaluate_claim: ['write', 'claims/evaluate'],
    dispute_claim: ['write', personal('claims/submit')],
  },
  credentials: {
    issue_credential: ['write', 'credentials/issue'],
    verify_credential: ['read', undefined],
    revoke_credential: ['write', 'credentials/revoke'],
    resolve_did: ['read', undefined],
  },
  sms: {
    send_sms: ['write', personal('sms/send')],
    list_messages: ['read', personal('sms/read')],
    link_phone: ['write', 'sms/link'],
    confirm_phone: ['write', personal('sms/link')],
  },
  matrix: { send_matrix_message: ['write', 'matrix/send'], list_matrix_rooms: ['read', personal('matrix/read')] },
  memory: {
    remember: ['write', personal('memory/write')],
    recall: ['read', personal('memory/read')],
    forget: ['write', personal('memory/delete')],
  },
  firecrawl: { scrape_url: ['read', undefined], crawl_site: ['read', undefined] },
  sandbox: { run_code: ['read', undefined], read_output: ['read', personal('sandbox/read')] },
  skills: {
    list_skills: ['read', undefined],
    load_skill: ['read', undefined],
    read_skill_file: ['read', undefined],
    run_skill_script: ['read', undefined],
  },
  'user-preferences': {
    get_preferences: ['read', personal('user-preferences/read')],
    set_preferences: ['write', personal('user-preferences/write')],
  },
  tasks: {
    preview_task: ['read', personal('tasks/read')],
    create_task: ['write', personal('tasks/write')],
    list_tasks: ['read', personal('tasks/read')],
    cancel_task: ['write', personal('tasks/write')],
    pause_task: ['write', personal('tasks/write')],
    resume_task: ['write', personal('tasks/write')],
  },
  credits: { get_balance: ['read', personal('credits/read')], get_usage: ['read', personal('credits/read')] },
  files: {
    list_files: ['read', personal('files/read')],
    read_file: ['read', personal('files/read')],
    write_file: ['write', personal('files/write')],
    search_files: ['read', personal('files/read')],
    delete_file: ['write', personal('files/write')],
  },
  mcp: { mcp_status: ['read', undefined] },
}

/** Abilities of tools for which no route exists. */
const withoutRoute = ['memory/write', 'sandbox/read', 'sms/send', 'matrix/read', 'matrix/send']

let tools: Record<string, Readonly<Record<string, Tool>>>
let routeAbilities: ReadonlySet<string | undefined>
beforeAll(async () => {
  const { plugins, parts } = captured()
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-abilities-'))
  const oracle = await testApp({ plugins, env: everythingOn(folder) })
  tools = Object.fromEntries([...parts].map(([name, given]) => [name, fixedTools(given)]))
  const accesses = [...parts.values()].flatMap(({ routes = [] }) => routes.map(({ access }) => access))
  routeAbilities = new Set(accesses.map(abilityOf))
  await oracle.app.close()
  rmSync(folder, { recursive: true })
})

const abilityOf = (access: Access): string | undefined => {
  if (typeof access === 'string') return undefined
  return 'ucan' in access ? access.ucan : access.orUcan
}

test('each bundled tool needs what stands here; a new one has to be added', () => {
  const found = Object.entries(tools).map(([plugin, own]) => [
    plugin,
    Object.fromEntries(Object.entries(own).map(([name, { effect, ability }]) => [name, [effect, ability]])),
  ])
  expect(Object.fromEntries(found)).toEqual(expected)
})

test('each tool that writes names an ability', () => {
  const all = Object.values(tools).flatMap(own => Object.entries(own))
  const open = all.filter(([, { effect, ability }]) => effect === 'write' && ability === undefined)
  expect(open.map(([name]) => name)).toEqual([])
})

test('a caller with only chat reaches no writing tool, and none that shows personal data', () => {
  const all = Object.values(tools).flatMap(own => Object.entries(own))
  const reached = all.filter(([, { ability }]) => holdsAbility(['chat/send'], ability)).map(([name]) => name)
  expect(reached.toSorted()).toEqual([
    'crawl_site',
    'get_current_weather',
    'get_forecast',
    'list_skills',
    'load_skill',
    'mcp_status',
    'preview_ussd_menu',
    'read_skill_file',
    'resolve_did',
    'run_code',
    'run_skill_script',
    'scrape_url',
    'verify_credential',
  ])
})

test('chat/personal reaches no tool that signs, evaluates, writes to shared records or to rooms of others', () => {
  const all = Object.values(tools).flatMap(own => Object.entries(own))
  const refused = all.filter(([, { ability }]) => !holdsAbility(['chat/*'], ability)).map(([name]) => name)
  expect(refused.toSorted()).toEqual([
    'create_entity',
    'evaluate_claim',
    'issue_credential',
    'link_phone',
    'relate_entities',
    'revoke_credential',
    'send_matrix_message',
  ])
})

test('abilities of tools are those of routes, if there is a route', () => {
  const named = Object.values(tools).flatMap(own => Object.values(own).flatMap(({ ability = [] }) => ability))
  const unknown = [...new Set(named)].filter(ability => ability !== 'chat/personal' && !routeAbilities.has(ability))
  expect(unknown.toSorted()).toEqual(withoutRoute.toSorted())
})
