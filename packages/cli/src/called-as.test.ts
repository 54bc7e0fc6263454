import { expect, test } from 'vitest'
import { commandGroups } from './commands/command-groups.ts'
import { asCalled, newCommandOf } from './process/called-as.ts'
import { processIo } from './process/command-io.ts'

const npm = { npm_config_user_agent: 'npm/11.0.0 node/v24' }
const pnpm = { npm_config_user_agent: 'pnpm/12.0.0' }
const launched = 'node scripts/launch.mjs sibyl'

test.each([
  ['sibyl new', {}],
  ['sibyl new', { npm_config_user_agent: 'bun/1.0' }],
  ['npm create sibyl --', { ...npm, npm_lifecycle_script: 'create-sibyl' }],
  ['pnpm create sibyl', { ...pnpm, npm_lifecycle_script: 'create-sibyl' }],
  ['yarn create sibyl', { npm_config_user_agent: 'yarn/4.0.0', npm_lifecycle_script: 'create-sibyl' }],
  ['npx sibyl new', { ...npm, npm_lifecycle_script: 'sibyl' }],
  ['pnpm sibyl new', pnpm],
  ['npx -y pnpm@12 sibyl new', { ...pnpm, npm_lifecycle_event: 'sibyl', npm_lifecycle_script: launched }],
  ['sibyl new', { ...pnpm, npm_lifecycle_event: 'test', npm_lifecycle_script: launched }],
])('%s', (words, env) => {
  expect(newCommandOf(env)).toBe(words)
})

test('texts name each command as it works where they are printed', () => {
  for (const make of Object.values(commandGroups).flat()) {
    const name = make(processIo(), () => {}).name()
    expect(asCalled(`Run sibyl ${name} again: sibyl ${name}`, npm)).toBe(
      `Run npx sibyl ${name} again: npx sibyl ${name}`,
    )
  }
  const others = 'npx sibyl dev, npx -y pnpm@12 sibyl dev, create-sibyl new, this sibyl is 0.1.0'
  expect(asCalled(others, pnpm)).toBe(others)
  expect(asCalled('sibyl dev', {})).toBe('sibyl dev')
})
